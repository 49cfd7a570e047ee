// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//  1. An iteration reads pieces of stacks, and writes one of each result's (block_stacks.h).
//  2. Between them the region's ops stand again, on blocks: dims of one element, as those that the loop walks one by
//     one, are left out.
#include "passes/fusion/region_cutter.h"

#include "dialects/kernel/counts.h"
#include "dialects/kernel/kernel.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/IR/IRMapping.h"
#include "passes/analysis/dot_roles.h"

using namespace mlir;

namespace tpuc::fusion {
using namespace builders;

// A product's block. The result's dims come as batches, then what each operand's block has left, in its order.
struct RegionCutter::DotBlock {
  SmallVector<int64_t> batching[2], contracting[2];  // of the operands' blocks
  SmallVector<int64_t> batches, rows[2];             // dims of the result, by operand

  SmallVector<int64_t> resultDims(bool swaps) const {
    SmallVector<int64_t> out(batches);
    llvm::append_range(out, rows[swaps]);
    llvm::append_range(out, rows[!swaps]);
    return out;
  }
};

// Dims of products, broadcasts and transposes are numbered anew: their pieces may have any order.
static bool takesAnyOrder(Operation *op) {
  return mlir::isa<stablehlo::DotGeneralOp, stablehlo::BroadcastInDimOp, stablehlo::TransposeOp>(op);
}

// ---- operands -------------------------------------------------------------------------------------------------------

const CommonDims &RegionCutter::dimsOf(OpOperand &use) const {
  auto array = r_.arrays.find(&use);
  return array != r_.arrays.end() ? array->second : r_.dimsOf.find(use.get())->second;
}

// For each dim of an operand where its block has it; -1: nowhere.
SmallVector<int64_t> RegionCutter::placesOf(OpOperand &use) const {
  if (auto stack = stacks_.find(&use); stack != stacks_.end() && takesAnyOrder(use.getOwner()))
    return stack->second.places;
  return blocks_.places(typeOf(use.get()), dimsOf(use));
}

Value RegionCutter::operand(OpOperand &use) const {
  auto piece = pieces_.find(&use);
  return piece != pieces_.end() ? piece->second : made_.lookup(use.get());
}

// Which of `dims` a block has, and where.
static SmallVector<int64_t> placed(ArrayRef<int64_t> places, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> out;
  for (int64_t d : dims)
    if (places[d] >= 0) out.push_back(places[d]);
  return out;
}

// ---- products -------------------------------------------------------------------------------------------------------

RegionCutter::DotBlock RegionCutter::dotBlock(stablehlo::DotGeneralOp dot) const {
  DotBlock block;
  auto numbers = dot.getDotDimensionNumbers();
  const SmallVector<int64_t> kept = blocks_.kept(typeOf(dot), r_.dimsOf.lookup(dot.getResult()));
  auto next = static_cast<int64_t>(numbers.getLhsBatchingDimensions().size());
  for (int64_t d = 0; d < next; ++d)
    if (llvm::is_contained(kept, d)) block.batches.push_back(d);
  for (bool right : {false, true}) {
    auto batching = right ? numbers.getRhsBatchingDimensions() : numbers.getLhsBatchingDimensions();
    auto contracting = right ? numbers.getRhsContractingDimensions() : numbers.getLhsContractingDimensions();
    const SmallVector<int64_t> places = placesOf(dot->getOpOperand(right));
    block.batching[right] = placed(places, batching);
    block.contracting[right] = placed(places, contracting);
    SmallVector<std::pair<int64_t, int64_t>> rows;  // where the operand's block has it; the result's dim
    for (auto [d, place] : llvm::enumerate(places)) {
      if (llvm::is_contained(batching, d) || llvm::is_contained(contracting, d)) continue;
      if (place >= 0) rows.push_back({place, next});
      ++next;
    }
    llvm::sort(rows);
    for (auto [place, d] : rows) block.rows[right].push_back(d);
  }
  return block;
}

// Dims of a result in the order in which its stack has them.
SmallVector<int64_t> RegionCutter::stackDims(Value v) const {
  const auto *result = llvm::find(r_.results, v);
  const SmallVector<int64_t> &order = orders_[result - r_.results.begin()];
  SmallVector<int64_t> dims = blocks_.kept(typeOf(v), r_.dimsOf.lookup(v));
  llvm::sort(dims, [&](int64_t x, int64_t y) { return llvm::find(order, x) < llvm::find(order, y); });
  return dims;
}

// The result that nothing reads in a block but its stack, and which is a product's, converted at most: the product may
// make it as the stack has it. Null for other values.
Value RegionCutter::stackedAs(Value v) const {
  auto convert = v.getDefiningOp<stablehlo::ConvertOp>();
  Value made = convert ? convert.getOperand() : v;
  if (!made.getDefiningOp<stablehlo::DotGeneralOp>() || !r_.ops.contains(made.getDefiningOp())) return {};
  if (made != v && !made.hasOneUse()) return {};
  if (made == v && made.hasOneUse()) {
    auto next = dyn_cast<stablehlo::ConvertOp>(*made.user_begin());
    if (next && r_.ops.contains(next)) v = next.getResult();
  }
  const bool isLast = llvm::is_contained(r_.results, v) &&
                      llvm::none_of(v.getUsers(), [&](Operation *user) { return r_.ops.contains(user); });
  return isLast ? v : Value();
}

// Dims of a value in the order in which its block has them.
SmallVector<int64_t> RegionCutter::blockDims(Value v) const {
  Value stacked = stackedAs(v);
  return stacked ? stackDims(stacked) : blocks_.kept(typeOf(v), r_.dimsOf.lookup(v));
}

RankedTensorType RegionCutter::blockType(Value v) const {
  SmallVector<int64_t> shape;
  for (int64_t d : blockDims(v)) shape.push_back(blocks_.extent(typeOf(v), r_.dimsOf.lookup(v), d));
  return typeOf(v).clone(shape);
}

// Either operand may be the left one: that whose rows come as they are read, by the program's own transpose too.
bool RegionCutter::swapsOperands(stablehlo::DotGeneralOp dot, const DotBlock &block) const {
  const SmallVector<int64_t> wanted = blockDims(dot);
  SmallVector<int64_t> read(wanted);
  if (auto own = transposeOf(dot); own && r_.ops.contains(own)) {
    read.clear();
    for (int64_t d : own.getPermutation())
      if (llvm::is_contained(wanted, d)) read.push_back(d);
  }
  return block.resultDims(false) != read && block.resultDims(true) == read && !dot.getAlgorithmAttr();
}

Value RegionCutter::cloneDot(Build &build, stablehlo::DotGeneralOp dot) {
  const DotBlock block = dotBlock(dot);
  const bool swaps = swapsOperands(dot, block);
  const SmallVector<int64_t> dims = block.resultDims(swaps);
  RankedTensorType type = typeOf(dot);
  SmallVector<int64_t> shape, order;
  for (int64_t d : dims) shape.push_back(blocks_.extent(type, r_.dimsOf.lookup(dot.getResult()), d));
  for (int64_t d : blockDims(dot)) order.push_back(llvm::find(dims, d) - dims.begin());
  auto numbers =
      stablehlo::DotDimensionNumbersAttr::get(build.b.getContext(), block.batching[swaps], block.batching[!swaps],
                                              block.contracting[swaps], block.contracting[!swaps]);
  Value v = stablehlo::DotGeneralOp::create(build.b, dot.getLoc(), type.clone(shape), operand(dot->getOpOperand(swaps)),
                                            operand(dot->getOpOperand(!swaps)), numbers,
                                            analysis::precisionOf(dot, swaps), dot.getAlgorithmAttr());
  return reordered(build, v, order);
}

// ---- what stands between them ---------------------------------------------------------------------------------------

// Positions begin where the block does.
Value RegionCutter::cloneIota(Build &build, stablehlo::IotaOp iota) {
  RankedTensorType type = typeOf(iota);
  const CommonDims dims = r_.dimsOf.lookup(iota.getResult());
  RankedTensorType block = blocks_.blockType(type, dims);
  const auto along = static_cast<int64_t>(iota.getIotaDimension());
  const int64_t place = blocks_.places(type, dims)[along], d = dims[along];
  Value v = place < 0 ? build.broadcast(build.zero(type.getElementType()), block.getShape(), {})
                      : stablehlo::IotaOp::create(build.b, build.loc, block, build.b.getI64IntegerAttr(place));
  if (!blocks_.isWalked(d)) return v;
  Value first = numberAlong(build, blocks_, {d}, iteration_);
  first = stablehlo::MulOp::create(build.b, build.loc, first, build.splat(typeOf(first), blocks_.sizeAlong(d)));
  first = build.broadcast(build.convert(first, type.getElementType()), block.getShape(), {});
  return stablehlo::AddOp::create(build.b, build.loc, v, first);
}

Value RegionCutter::cloneTranspose(Build &build, stablehlo::TransposeOp transpose) {
  OpOperand &use = transpose->getOpOperand(0);
  return reordered(build, operand(use), placed(placesOf(use), transpose.getPermutation()));
}

Value RegionCutter::cloneBroadcast(Build &build, stablehlo::BroadcastInDimOp spread) {
  OpOperand &use = spread->getOpOperand(0);
  RankedTensorType type = typeOf(spread);
  const CommonDims dims = r_.dimsOf.lookup(spread.getResult());
  const SmallVector<int64_t> from = placesOf(use), to = blocks_.places(type, dims);
  SmallVector<int64_t> spreadDims(typeOf(operand(use)).getRank());
  for (auto [d, place] : llvm::enumerate(from))
    if (place >= 0) spreadDims[place] = to[spread.getBroadcastDimensions()[d]];
  return build.broadcast(operand(use), blocks_.blockType(type, dims).getShape(), spreadDims);
}

// The op on blocks. The dims of its result stay in their order.
Value RegionCutter::clone(Build &build, Operation *op) {
  if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op)) return cloneDot(build, dot);
  if (auto iota = dyn_cast<stablehlo::IotaOp>(op)) return cloneIota(build, iota);
  if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op)) return cloneTranspose(build, transpose);
  if (auto spread = dyn_cast<stablehlo::BroadcastInDimOp>(op)) return cloneBroadcast(build, spread);
  // The reshape only adds or drops dims of one element, and blocks have none of these.
  if (mlir::isa<stablehlo::ReshapeOp>(op)) return operand(op->getOpOperand(0));
  RankedTensorType block = blockType(op->getResult(0));
  if (auto constant = dyn_cast<stablehlo::ConstantOp>(op))
    return stablehlo::ConstantOp::create(build.b, build.loc, block,
                                         cast<SplatElementsAttr>(constant.getValue()).resizeSplat(block));
  IRMapping map;
  for (OpOperand &use : op->getOpOperands()) map.map(use.get(), operand(use));
  Operation *made = build.b.clone(*op, map);
  made->getResult(0).setType(block);
  if (auto reduce = dyn_cast<stablehlo::ReduceOp>(made))
    reduce.setDimensions(placed(placesOf(op->getOpOperand(0)), cast<stablehlo::ReduceOp>(op).getDimensions()));
  return made->getResult(0);
}

// An array that several ops read has one stack.
BlockStack RegionCutter::stackFor(Build &build, OpOperand &use, const CommonDims &dims) {
  for (auto &[other, stack] : stacks_)
    if (other->get() == use.get() && dimsOf(*other) == dims) return stack;
  return stackOf(build, blocks_, use.get(), dims);
}

void RegionCutter::makeBlock(Build &build) {
  SmallVector<std::pair<const BlockStack *, Value>> pieces;  // what several ops read is one
  for (auto &[use, stack] : stacks_) {
    auto *piece = llvm::find_if(pieces, [&](const auto &known) { return *known.first == stack; });
    if (piece == pieces.end()) {
      pieces.push_back({&stack, pieceOf(build, blocks_, stack, iteration_)});
      piece = &pieces.back();
    }
    SmallVector<int64_t> own;
    for (int64_t place : stack.places)
      if (place >= 0) own.push_back(place);
    const bool isInOrder = takesAnyOrder(use->getOwner()) || llvm::is_sorted(own);
    pieces_[use] = isInOrder ? piece->second : build.transpose(piece->second, own);
  }
  for (Operation *op : r_.ops) {
    Build at{build.b, op->getLoc()};
    made_[op->getResult(0)] = clone(at, op);
  }
}

// A result's block as a piece of its stack.
Value RegionCutter::pieceOfResult(Build &build, Value result) {
  const SmallVector<int64_t> has = blockDims(result);
  SmallVector<int64_t> order;
  for (int64_t d : stackDims(result)) order.push_back(llvm::find(has, d) - has.begin());
  Value v = reordered(build, made_.lookup(result), order);
  SmallVector<int64_t> shape(typeOf(v).getShape());
  shape.insert(shape.begin(), 1);
  return build.reshape(v, shape);
}

// ---- the loop -------------------------------------------------------------------------------------------------------

// Each iteration writes its pieces of the stacks.
SmallVector<Value> RegionCutter::loop(Build &build) {
  SmallVector<Value> stacks;
  for (auto [v, order] : llvm::zip_equal(r_.results, orders_))
    stacks.push_back(
        kernel::UndefinedOp::create(build.b, build.loc, resultStack(blocks_, v, r_.dimsOf.lookup(v), order)));
  return build.loop(blocks_.count(), stacks, [&](Value i, ValueRange state) {
    iteration_ = i;
    makeBlock(build);
    SmallVector<Value> next;
    for (auto [result, stack] : llvm::zip_equal(r_.results, state)) {
      Value block = pieceOfResult(build, result);
      SmallVector<Value> starts(typeOf(block).getRank(), build.zero(build.b.getI32Type()));
      starts[0] = i;
      next.push_back(
          stablehlo::DynamicUpdateSliceOp::create(build.b, build.loc, stack.getType(), stack, block, starts));
    }
    return next;
  });
}

// Puts what stands before `end`, from `op` on, and reads something that comes later, before `end`: in its own order, so
// that of calls stays.
static void moveReaders(Operation *op, Operation *end) {
  Block *block = end->getBlock();
  llvm::SetVector<Operation *> late;
  for (; op != end; op = op->getNextNode()) {
    auto comesLater = [&](Value v) {
      Operation *def = v.getDefiningOp() ? block->findAncestorOpInBlock(*v.getDefiningOp()) : nullptr;
      return def && def != op && (late.contains(def) || op->isBeforeInBlock(def));
    };
    const bool readsLater =
        op->walk([&](Operation *inner) {
            return llvm::any_of(inner->getOperands(), comesLater) ? WalkResult::interrupt() : WalkResult::advance();
          }).wasInterrupted();
    if (readsLater) late.insert(op);
  }
  for (Operation *reader : late) reader->moveBefore(end);
}

void RegionCutter::rewrite(bool overCores) {
  Block *block = r_.ops.back()->getBlock();
  SmallVector<Operation *> own(r_.ops.begin(), r_.ops.end());
  llvm::erase_if(own, [&](Operation *op) { return op->getBlock() != block; });
  llvm::sort(own, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  Operation *before = own.front()->getPrevNode(), *end = own.back()->getNextNode();
  while (llvm::any_of(r_.results, [&](Value v) { return transposeOf(v) == end; })) end = end->getNextNode();
  OpBuilder b(own.back()->getContext());
  b.setInsertionPointAfter(own.back());
  Build build{b, own.back()->getLoc()};
  for (const auto &[use, dims] : r_.arrays) stacks_[use] = stackFor(build, *use, dims);
  const SmallVector<Value> stacks = loop(build);
  if (overCores) stacks.front().getDefiningOp()->setAttr(kernel::kOverCoresAttr, b.getUnitAttr());
  for (auto [v, order, stack] : llvm::zip_equal(r_.results, orders_, stacks)) {
    b.setInsertionPointAfterValue(stack);  // a result's transpose may have stood there
    replaceResult(build, blocks_, v, r_.dimsOf.lookup(v), order, stack);
  }
  for (Operation *op : llvm::reverse(r_.ops))
    if (op->use_empty()) op->erase();
  moveReaders(before ? before->getNextNode() : &block->front(), end);
}

}  // namespace tpuc::fusion
