// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts: blocks of whole sequences, a network over their vregs in VMEM.
//
//  1. Elements come as 32-bit lanes into the network's vregs: keys of the comparator, computed once, what the results
//     need, and where nothing else tells equal elements apart, positions. So every sort is stable.
//  2. The network sorts; padding comes last, by its key or its position. Where only a few of the first are kept, each
//     is looked for.
//  3. Results are packed from there.
//
// Sequences that VMEM does not hold are cut in blocks, and go through the first and the last of these steps block by
// block; between them lies HBM (`SortStream`), or, where only a few are kept, the first of all blocks so far.
//
// Where elements lie: along lanes, rows in sublanes; a long row alone, or an array of one dim, along both; a sorted dim
// that isn't the last one in vregs, columns in lanes and column tiles in sublanes, or, where there are few of these,
// its elements.
#include "passes/lowering/sort/sort_kernel.h"

#include "dialects/diagnostics/diagnose.h"
#include "passes/lowering/move/indices.h"

using namespace mlir;

namespace tpuc::lowering {

void SortKernel::chooseValues() {
  unsigned operands = op_.getInputs().size();
  values_ = 0;
  positionAt_ = -1;
  keyAt_.assign(order_.keys().size(), -1);
  operandAt_.assign(operands, -1);
  SmallVector<bool> wanted(operands, false);
  for (const Result &r : results_) wanted[cast<OpResult>(r.sorted).getResultNumber()] = true;
  if (rounds_) {
    values_ = 1;
    keyAt_[0] = 0;
    for (unsigned i = 0; i < operands; ++i) operandAt_[i] = isPositions(op_.getInputs()[i]);  // of what the rounds find
    return;
  }
  int64_t iota = -1;
  for (unsigned i = 0; i < operands; ++i)
    if (isPositions(op_.getInputs()[i])) iota = i;
  bool positions = iota >= 0 && wanted[iota];
  for (auto [k, key] : llvm::enumerate(order_.keys())) {
    if (key.operand >= 0 && isPositions(op_.getInputs()[key.operand]) && !key.total) {
      positions = true;
      continue;
    }
    keyAt_[k] = values_++;
    if (order_.isOperand(key)) operandAt_[key.operand] = keyAt_[k];
  }
  bool alone = !positions;
  for (unsigned i = 0; i < operands; ++i) {
    if (!wanted[i] || isPositions(op_.getInputs()[i]) || operandAt_[i] >= 0) continue;
    operandAt_[i] = values_++;
    alone = false;
  }
  // Equal integers that carry nothing are the same element.
  if (!(alone && values_ == 1 && order_.isSimple() && order_.isInteger())) positionAt_ = values_++;
  for (auto [k, key] : llvm::enumerate(order_.keys()))
    if (keyAt_[k] < 0) keyAt_[k] = positionAt_;
  for (unsigned i = 0; i < operands; ++i)
    if (isPositions(op_.getInputs()[i])) operandAt_[i] = positionAt_;
}

// Whether rounds give all that is wanted: keys that are operands, and positions. A removed key is one that no element
// has.
bool SortKernel::allowsRounds() {
  if (!order_.isSimple() || !order_.isInteger()) return false;
  const SortOrder::Key &key = order_.keys()[0];
  if (!order_.isOperand(key) ||
      (!key.total && getElementTypeOrSelf(key.value.getType()).getIntOrFloatBitWidth() == 32) ||
      isPositions(op_.getInputs()[key.operand]))
    return false;
  return llvm::all_of(results_, [&](const Result &r) {
    int64_t operand = cast<OpResult>(r.sorted).getResultNumber();
    return operand == key.operand || isPositions(op_.getInputs()[operand]);
  });
}

void SortKernel::addResult(unsigned i) {
  Value yielded = context_.op.getBlock().getTerminator()->getOperand(i);
  if (yielded.getDefiningOp<kernel::UndefinedOp>()) {
    scratch_ = context_.results[i].buffer;
    scratchType_ = typeOf(yielded);
    return;
  }
  auto slice = yielded.getDefiningOp<stablehlo::SliceOp>();
  Result r;
  r.sorted = slice ? slice.getOperand() : yielded;
  r.view = std::make_unique<Domain>(domain_);
  auto type = typeOf(yielded);
  if (domain_.linear) {
    r.view->linearSize = type.getDimSize(0);
    r.view->dims[0] = llvm::divideCeil(type.getDimSize(0), 128);
  } else {
    r.view->dims[sortedDim()] = type.getDimSize(sortedDim());
  }
  r.block = std::make_unique<ArrayBlock>(Array(type.clone(SortOrder::keptType(type.getElementType())),
                                               orderOf(context_.op.getResultOrdersAttr(), i, yielded)),
                                         map_);
  r.block->origin = context_.results[i];
  r.block->isResult = true;
  // Sequences are sorted whole.
  if (i < context_.ends.size() && !context_.ends[i].empty()) {
    r.block->ends = context_.ends[i];
    r.block->ends[op_.getDimension()].reset();
  }
  r.block->view = r.view.get();
  results_.push_back(std::move(r));
}

void SortKernel::bind() {
  auto type = typeOf(op_.getInputs()[0]);
  int64_t dim = static_cast<int64_t>(op_.getDimension());
  size_ = type.getDimSize(dim);
  for (Value v : op_.getInputs()) pack_ = std::max(pack_, Array(typeOf(v), orderOf({}, 0, v)).pack);
  if (type.getRank() == 1) {
    lie_ = Lie::Vector;
    domain_.linear = true;
    domain_.linearSize = size_;
    domain_.dims = {static_cast<int64_t>(llvm::divideCeil(size_, 128)), 128};
    map_ = {kLinear};
  } else {
    domain_.dims.assign(type.getShape().begin(), type.getShape().end());
    map_ = {0, 1};
    constexpr int64_t kFewTiles = 3, kLong = 512;
    if (dim == 0)
      lie_ = type.getDimSize(1) > kFewTiles * 128 ? Lie::ColumnTiles : Lie::Columns;
    else if (type.getDimSize(0) < 8 && size_ >= kLong && pack_ == 1)
      lie_ = Lie::LongRows;
  }
  if (lie_ == Lie::LongRows || lie_ == Lie::ColumnTiles) domain_.heldTiles = 8;
  domain_.pack = pack_;
  groups_ = lie_ == Lie::Rows ? std::min<int64_t>(pack_, llvm::divideCeil(type.getDimSize(0), 8)) : pack_;
  domain_.block = domain_.dims;
  for (Value v : op_.getInputs()) {
    auto argument = dyn_cast<BlockArgument>(v);
    inputs_.push_back(nullptr);
    if (!argument) continue;
    unsigned i = argument.getArgNumber();
    auto block = std::make_unique<ArrayBlock>(Array(typeOf(v).clone(SortOrder::keptType(typeOf(v).getElementType())),
                                                    orderOf(context_.op.getInputOrdersAttr(), i, v)),
                                              map_);
    block->origin = context_.inputs[i];
    block->view = &domain_;
    inputs_.back() = std::move(block);
  }
  for (unsigned i = 0; i < context_.op.getNumResults(); ++i) addResult(i);
  for (const Result &r : results_) first_.kept = std::max(first_.kept, r.block->array.type.getDimSize(dim));
  first_.descending = order_.isDescending();
  first_.last = order_.isDescending() ? 0x80000000u : 0x7fffffffu;  // narrow unsigned keys are signed lanes too
}

void SortKernel::emitStep(const Step &step) {
  in_->blockIndex = step.index;
  for (Result &r : results_) r.body->blockIndex = step.index;
  forOperands([&](ArrayRef<Value> lanes, Value at, const Linear &vreg) { put(lanes, at, vreg); });
  if (rounds_)
    first_.emit(c_);
  else if (run_)
    network().sortFirst(run_);
  else
    network().sort();
  putOut(llvm::map_to_vector(results_, [](Result &r) { return &r; }));
}

// Sorts each block of the sequences of grid step `group`.
void SortKernel::sortBlocks(Value group) {
  Linear sequence = firstSequence(group);
  emitGrid(*grid_, c_, group, c_.i64(1), [&](const Step &step) {
    const Linear &number = step.index[sortedDim()];
    Value block = c_.value(number);
    c_.ifThen(c_.cmp(arith::CmpIPredicate::sge, block, c_.i64(2)), [&] { stream_.awaitSave(c_, block); });
    slot_ = stream_.slotOf(c_.rem(block, 2));
    firstPosition_ = number * shape_.positions();
    in_->blockIndex = step.index;
    forOperands([&](ArrayRef<Value> lanes, Value at, const Linear &vreg) { put(lanes, at, vreg); });
    network().sort();
    stream_.save(c_, sequence, block);
  });
  for (int64_t i = 0; i < 2; ++i) stream_.awaitSave(c_, c_.i64(i));
}

// The last steps of the last merge, block by block, and the results.
void SortKernel::finishBlocks(Value group, Grid &grid, ArrayRef<Result *> results) {
  Linear sequence = firstSequence(group);
  stream_.load(c_, sequence, c_.i64(0));
  emitGrid(grid, c_, group, c_.i64(1), [&](const Step &step) {
    Value block = c_.value(step.index[sortedDim()]), next = c_.add(block, c_.i64(1));
    stream_.awaitLoad(c_, block);
    c_.ifThen(c_.cmp(arith::CmpIPredicate::slt, next, c_.i64(grid.sequentialSteps())),
              [&] { stream_.load(c_, sequence, next); });
    slot_ = stream_.slotOf(c_.rem(block, 2));
    for (Result *r : results) r->body->blockIndex = step.index;
    network().mergeWithin();
    putOut(results);
  });
}

// One that comes after all others.
SmallVector<uint32_t> SortKernel::lastElement() const {
  SmallVector<uint32_t> last(values_, 0);
  if (positionAt_ >= 0) last[positionAt_] = 0x7fffffff;
  if (order_.isSimple() && keyAt_[0] != positionAt_) last[keyAt_[0]] = order_.lastKey();
  return last;
}

void SortKernel::emitFirst(Value start, Value count) {
  Leaving &leaving = leaving_[0];
  c_.loop(start, c_.add(start, count), 1, {}, [&](Value group, ValueRange) {
    outcome().fill(lastElement());
    emitGrid(*grid_, c_, group, c_.i64(1), [&](const Step &step) {
      firstPosition_ = step.index[sortedDim()] * shape_.positions();
      in_->blockIndex = step.index;
      forOperands([&](ArrayRef<Value> lanes, Value at, const Linear &vreg) { put(lanes, at, vreg); });
      network().sortRuns(run_);
      outcome().keepFirstRuns(network());
    });
    outcome().joinRuns(run_);
    emitGrid(*leaving.grid, c_, group, c_.i64(1), [&](const Step &step) {
      for (Result *r : leaving.results) r->body->blockIndex = step.index;
      putOut(leaving.results);
    });
    return Values();
  });
}

void SortKernel::emitStream(Value start, Value count) {
  stream_.order = network().order();
  stream_.buffer = scratch_;
  stream_.last = lastElement();
  Value end = inTurn_ ? c_.i64(grid_->parallelSteps()) : c_.add(start, count);
  c_.loop(inTurn_ ? c_.i64(0) : start, end, 1, {}, [&](Value group, ValueRange) {
    sortBlocks(group);
    c_.loop(c_.i64(0), c_.i64(shape_.units), 1, {}, [&](Value unit, ValueRange) {
      stream_.merge(c_, firstSequence(group) + c_.linear(unit));
      return Values();
    });
    for (Leaving &l : leaving_) finishBlocks(group, *l.grid, l.results);
    return Values();
  });
}

// Its ops are emitted one by one (SortOrder): functions have no place there.
static bool isComparator(Block &block) { return isLaneRegion(block) && block.getOps<kernel::ApplyOp>().empty(); }

int64_t SortKernel::scratchBytes() {
  if (!isComparator(op_.getComparator().front())) return 0;
  bind();
  if (fit() || fitFirst() || !fitStream()) return 0;
  int64_t all = stream_.bytes(grid_->parallelSteps() * shape_.units);
  // In turn they take the memory of one step.
  return all <= static_cast<int64_t>(context_.target.memory().hbm_bytes()) / 8 ? all : stream_.bytes(shape_.units);
}

LogicalResult SortKernel::run(Value start, Value count) {
  if (!isComparator(op_.getComparator().front()))
    return diagnose(op_, codes::kNoLowering) << "expects a comparator of ops that the instruction set has for these "
                                                "types; cast to f32 or i32 around the sort";
  bind();
  if (failed(context_.plan ? follow() : choose())) return failure();
  if (context_.onlyPlans) return success();
  context_.gridSteps = inTurn_ ? 1 : grid_->parallelSteps();
  if (way_ != Way::Whole)  // every sequence's blocks are walked by themselves, by several grids
    for (Result &r : results_) r.block->ends.clear();
  in_ = std::make_unique<Body>(c_, domain_);
  for (auto [v, block] : llvm::zip(op_.getInputs(), inputs_))
    if (block) in_->blocks[v] = block.get();
  for (Result &r : results_) r.body = std::make_unique<Body>(c_, *r.view);
  if (way_ == Way::First)
    emitFirst(start, count);
  else if (way_ == Way::Streams)
    emitStream(start, count);
  else
    emitGrid(*grid_, c_, start, count, [&](const Step &step) { emitStep(step); });
  return success();
}

LogicalResult lowerSort(KernelContext &context, Code &code, stablehlo::SortOp op, Value start, Value count) {
  return SortKernel(context, code, op).run(start, count);
}

int64_t sortScratchBytes(kernel::FusionOp fusion, const target::Target &target) {
  for (auto sort : fusion.getBlock().getOps<stablehlo::SortOp>()) {
    OpBuilder b(fusion.getContext());
    Code code(b, fusion.getLoc());
    ResidentMap none;
    KernelContext context{fusion, target, nullptr, {}, {}, none, 0, ""};
    context.inputs.assign(fusion.getNumOperands(), {});
    context.results.assign(fusion.getNumResults(), {});
    return SortKernel(context, code, sort).scratchBytes();
  }
  return 0;
}

}  // namespace tpuc::lowering
