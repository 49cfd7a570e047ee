// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sort's index space and the blocks of its arrays, and what the network has to hold.
#include "dialects/diagnostics/diagnose.h"
#include "dialects/kernel/function.h"
#include "dialects/stablehlo/sorts.h"
#include "passes/plan/grid/root_plan.h"
#include "passes/plan/lanes.h"
#include "passes/plan/sort/sort_plan.h"

using namespace mlir;

namespace tpuc::plan {

LogicalResult SortPlan::refuseComparator() {
  return diagnose(op_, codes::kNoLowering) << "expects a comparator of ops that the instruction set has for these "
                                              "types; cast to f32 or i32 around the sort";
}

// Its ops are emitted one by one: functions have no place there.
bool SortPlan::hasComparator() {
  Block &block = op_.getComparator().front();
  return isOfLanes(block) && block.getOps<kernel::ApplyOp>().empty();
}

SortCode SortPlan::chooseCode() {
  if (!order_.isSimple() || !order_.isInteger()) return SortCode::None;
  const SortOrder::Key &key = order_.keys()[0];
  bool isExact = order_.isOperand(key);
  int64_t operand = isExact ? key.operand : key.canonical;
  if (operand < 0 || isPositions(op_.getInputs()[operand])) return SortCode::None;
  Type element = typeOf(op_.getInputs()[operand]).getElementType();
  bool elements = false, positions = false;
  for (const Result &r : results_) {
    int64_t i = cast<OpResult>(r.sorted).getResultNumber();
    bool of = isPositions(op_.getInputs()[i]);
    if (!of && i != operand) return SortCode::None;
    (of ? positions : elements) = true;
  }
  constexpr int64_t kMostFloats = (int64_t{1} << 22) - 1, kMostPositions = int64_t{1} << 16;
  if (!positions)
    return !isExact && size_ <= kMostFloats && (element.isF32() || element.isBF16() || element.isF16())
               ? SortCode::Float
               : SortCode::None;
  bool isNarrow = element.isBF16() && !elements;
  if (isExact) isNarrow = key.total ? element.isBF16() || element.isF16() : element.getIntOrFloatBitWidth() <= 16;
  return isNarrow && size_ <= kMostPositions ? SortCode::KeyAndPosition : SortCode::None;
}

void SortPlan::chooseValues() {
  unsigned operands = op_.getInputs().size();
  values_ = 0;
  positionAt_ = -1;
  code_ = SortCode::None;
  keyAt_.assign(order_.keys().size(), -1);
  operandAt_.assign(operands, -1);
  SmallVector<bool> wanted(operands, false);
  for (const Result &r : results_) wanted[cast<OpResult>(r.sorted).getResultNumber()] = true;
  if (few_ != Few::None) {
    values_ = 1;
    keyAt_[0] = 0;
    for (unsigned i = 0; i < operands; ++i) operandAt_[i] = isPositions(op_.getInputs()[i]);  // of what is found
    return;
  }
  code_ = chooseCode();
  if (code_ != SortCode::None) {
    values_ = 1;
    keyAt_[0] = 0;
    operandAt_.assign(operands, 0);
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

// Whether that gives all that is wanted: keys that are operands, and positions. A key that is not there is one that no
// element has.
bool SortPlan::allows(Few few) {
  if (few == Few::Groups && !FirstGroups::suits(shape_, first_.kept)) return false;
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

void SortPlan::addResult(unsigned i) {
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
    r.block->ends[stablehlo::sortedDim(op_)].reset();
  }
  r.block->view = r.view.get();
  results_.push_back(std::move(r));
}

void SortPlan::bind() {
  auto type = typeOf(op_.getInputs()[0]);
  int64_t dim = stablehlo::sortedDim(op_);
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
  domain_.heldTiles = tilesHeldBy(lie_);
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

}  // namespace tpuc::plan
