// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention whose scores VMEM does not hold, in a loop over blocks of them that it does.
//
//  1. A block is some queries of one head with all keys, or several heads (score_blocks.h). An iteration computes its
//     scores, what the program makes of them, and the product with the values.
//  2. An iteration reads pieces of stacks, and writes one (score_stacks.h).
//  3. It is done where the scores' way through HBM takes longer than the iterations' kernels take to start.
#include "dialects/kernel/kernel.h"
#include "mlir/IR/IRMapping.h"
#include "passes/builders/build.h"
#include "passes/fusion/passes.h"
#include "passes/fusion/score_stacks.h"

using namespace mlir;

namespace tpuc::fusion {
using namespace builders;
#define GEN_PASS_DEF_CUTSCORESPASS
#include "passes/fusion/passes.h.inc"
namespace {

// A product's block. The result's dims come as batches, then what each operand's block has left, in its order.
struct DotBlock {
  SmallVector<int64_t> batching[2], contracting[2];  // of the operands' blocks
  SmallVector<int64_t> batches, rows[2];             // dims of the result, by operand

  SmallVector<int64_t> resultDims(bool swaps) const {
    SmallVector<int64_t> out(batches);
    llvm::append_range(out, rows[swaps]);
    llvm::append_range(out, rows[!swaps]);
    return out;
  }
};

class Cutter {
 public:
  explicit Cutter(const ScoreBlocks &blocks) : blocks_(blocks), s_(blocks.scores()) {}
  void rewrite();

 private:
  Value loop(Build &build);
  Value blockOf(Build &build);
  const ScoreDims &dimsOf(OpOperand &use) const;
  SmallVector<int64_t> placesOf(OpOperand &use) const;
  Value operand(OpOperand &use) const;
  Value clone(Build &build, Operation *op);
  Value cloneDot(Build &build, stablehlo::DotGeneralOp dot);
  Value cloneIota(Build &build, stablehlo::IotaOp iota);
  Value cloneTranspose(Build &build, stablehlo::TransposeOp transpose);
  Value cloneBroadcast(Build &build, stablehlo::BroadcastInDimOp spread);
  DotBlock dotBlock(stablehlo::DotGeneralOp dot) const;
  SmallVector<int64_t> wantedDims(stablehlo::DotGeneralOp dot) const;
  bool swapsOperands(stablehlo::DotGeneralOp dot, const DotBlock &block) const;

  const ScoreBlocks &blocks_;
  const Scores &s_;
  llvm::MapVector<OpOperand *, ScoreStack> stacks_;  // in the order of the ops: text does not depend on addresses
  std::map<OpOperand *, Value> pieces_;              // of the stacks, in a block
  DenseMap<Value, Value> made_;                      // likewise, of what the program makes of the scores
  Value iteration_;
};

// Dims of products, broadcasts and transposes are numbered anew: their pieces may have any order.
bool takesAnyOrder(Operation *op) {
  return mlir::isa<stablehlo::DotGeneralOp, stablehlo::BroadcastInDimOp, stablehlo::TransposeOp>(op);
}

// ---- operands -------------------------------------------------------------------------------------------------------

const ScoreDims &Cutter::dimsOf(OpOperand &use) const {
  auto array = s_.arrays.find(&use);
  return array != s_.arrays.end() ? array->second : s_.dimsOf.find(use.get())->second;
}

// By dim of an operand, where its block has it; -1: nowhere.
SmallVector<int64_t> Cutter::placesOf(OpOperand &use) const {
  if (auto stack = stacks_.find(&use); stack != stacks_.end() && takesAnyOrder(use.getOwner()))
    return stack->second.places;
  return blocks_.places(typeOf(use.get()), dimsOf(use));
}

Value Cutter::operand(OpOperand &use) const {
  auto piece = pieces_.find(&use);
  return piece != pieces_.end() ? piece->second : made_.lookup(use.get());
}

// Which of `dims` a block has, and where.
SmallVector<int64_t> placed(ArrayRef<int64_t> places, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> out;
  for (int64_t d : dims)
    if (places[d] >= 0) out.push_back(places[d]);
  return out;
}

// ---- products -------------------------------------------------------------------------------------------------------

DotBlock Cutter::dotBlock(stablehlo::DotGeneralOp dot) const {
  DotBlock block;
  auto numbers = dot.getDotDimensionNumbers();
  const SmallVector<int64_t> kept = blocks_.kept(typeOf(dot), s_.dimsOf.lookup(dot.getResult()));
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

// The order of the result's dims in its block: the last product's as the stack has them.
SmallVector<int64_t> Cutter::wantedDims(stablehlo::DotGeneralOp dot) const {
  SmallVector<int64_t> wanted = blocks_.kept(typeOf(dot), s_.dimsOf.lookup(dot.getResult()));
  if (dot != s_.last) return wanted;
  const SmallVector<int64_t> order = blocks_.resultOrder();
  llvm::sort(wanted, [&](int64_t x, int64_t y) { return llvm::find(order, x) < llvm::find(order, y); });
  return wanted;
}

// Either operand may be the left one: that whose rows come as they are read, by the program's own transpose too.
bool Cutter::swapsOperands(stablehlo::DotGeneralOp dot, const DotBlock &block) const {
  const SmallVector<int64_t> wanted = wantedDims(dot);
  SmallVector<int64_t> read(wanted);
  if (auto own = dot->hasOneUse() ? dyn_cast<stablehlo::TransposeOp>(*dot->user_begin()) : nullptr;
      own && dot != s_.last) {
    read.clear();
    for (int64_t d : own.getPermutation())
      if (llvm::is_contained(wanted, d)) read.push_back(d);
  }
  return block.resultDims(false) != read && block.resultDims(true) == read && !dot.getAlgorithmAttr();
}

Value Cutter::cloneDot(Build &build, stablehlo::DotGeneralOp dot) {
  const DotBlock block = dotBlock(dot);
  const bool swaps = swapsOperands(dot, block);
  const SmallVector<int64_t> dims = block.resultDims(swaps);
  RankedTensorType type = typeOf(dot);
  SmallVector<int64_t> shape, order;
  for (int64_t d : dims) shape.push_back(blocks_.extent(type, s_.dimsOf.lookup(dot.getResult()), d));
  for (int64_t d : wantedDims(dot)) order.push_back(llvm::find(dims, d) - dims.begin());
  ArrayAttr precision = dot.getPrecisionConfigAttr();
  if (swaps && precision && precision.size() == 2) precision = build.b.getArrayAttr({precision[1], precision[0]});
  auto numbers =
      stablehlo::DotDimensionNumbersAttr::get(build.b.getContext(), block.batching[swaps], block.batching[!swaps],
                                              block.contracting[swaps], block.contracting[!swaps]);
  Value v =
      stablehlo::DotGeneralOp::create(build.b, dot.getLoc(), type.clone(shape), operand(dot->getOpOperand(swaps)),
                                      operand(dot->getOpOperand(!swaps)), numbers, precision, dot.getAlgorithmAttr());
  return reordered(build, v, order);
}

// ---- what stands between them ---------------------------------------------------------------------------------------

// Positions begin where the block does.
Value Cutter::cloneIota(Build &build, stablehlo::IotaOp iota) {
  RankedTensorType type = typeOf(iota);
  const ScoreDims dims = s_.dimsOf.lookup(iota.getResult());
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

Value Cutter::cloneTranspose(Build &build, stablehlo::TransposeOp transpose) {
  OpOperand &use = transpose->getOpOperand(0);
  return reordered(build, operand(use), placed(placesOf(use), transpose.getPermutation()));
}

Value Cutter::cloneBroadcast(Build &build, stablehlo::BroadcastInDimOp spread) {
  OpOperand &use = spread->getOpOperand(0);
  RankedTensorType type = typeOf(spread);
  const ScoreDims dims = s_.dimsOf.lookup(spread.getResult());
  const SmallVector<int64_t> from = placesOf(use), to = blocks_.places(type, dims);
  SmallVector<int64_t> spreadDims(typeOf(operand(use)).getRank());
  for (auto [d, place] : llvm::enumerate(from))
    if (place >= 0) spreadDims[place] = to[spread.getBroadcastDimensions()[d]];
  return build.broadcast(operand(use), blocks_.blockType(type, dims).getShape(), spreadDims);
}

// An op as a block has it, its dims in their own order.
Value Cutter::clone(Build &build, Operation *op) {
  if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op)) return cloneDot(build, dot);
  if (auto iota = dyn_cast<stablehlo::IotaOp>(op)) return cloneIota(build, iota);
  if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op)) return cloneTranspose(build, transpose);
  if (auto spread = dyn_cast<stablehlo::BroadcastInDimOp>(op)) return cloneBroadcast(build, spread);
  // Dims of one element are in no block.
  if (mlir::isa<stablehlo::ReshapeOp>(op)) return operand(op->getOpOperand(0));
  RankedTensorType block = blocks_.blockType(typeOf(op->getResult(0)), s_.dimsOf.lookup(op->getResult(0)));
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

// The last product's block, its dims as the stack has them.
Value Cutter::blockOf(Build &build) {
  for (auto &[use, stack] : stacks_) {
    Value piece = pieceOf(build, blocks_, stack, iteration_);
    SmallVector<int64_t> own;
    for (int64_t place : stack.places)
      if (place >= 0) own.push_back(place);
    pieces_[use] = takesAnyOrder(use->getOwner()) || llvm::is_sorted(own) ? piece : build.transpose(piece, own);
  }
  for (Operation *op : s_.ops) {
    Build at{build.b, op->getLoc()};
    made_[op->getResult(0)] = clone(at, op);
  }
  return made_.lookup(s_.result());
}

// ---- the loop -------------------------------------------------------------------------------------------------------

// Each iteration writes its piece of the stack.
Value Cutter::loop(Build &build) {
  Value stack = kernel::UndefinedOp::create(build.b, build.loc, resultStack(blocks_));
  return build.loop(blocks_.count(), stack, [&](Value i, ValueRange state) {
    iteration_ = i;
    Value block = blockOf(build);
    SmallVector<int64_t> shape(typeOf(block).getShape());
    shape.insert(shape.begin(), 1);
    SmallVector<Value> starts(shape.size(), build.zero(build.b.getI32Type()));
    starts[0] = i;
    Value next = stablehlo::DynamicUpdateSliceOp::create(build.b, build.loc, stack.getType(), state[0],
                                                         build.reshape(block, shape), starts);
    return SmallVector<Value>{next};
  })[0];
}

void Cutter::rewrite() {
  OpBuilder b(s_.last);
  Build build{b, s_.result().getLoc()};
  for (const auto &[use, dims] : s_.arrays) stacks_[use] = stackOf(build, blocks_, use->get(), dims);
  replaceResult(build, blocks_, loop(build));
  for (Operation *op : llvm::reverse(s_.ops))
    if (op->use_empty()) op->erase();
}

struct CutScores : impl::CutScoresPassBase<CutScores> {
  using CutScoresPassBase::CutScoresPassBase;

  // Half of the scores' way through HBM is hidden behind the work on them.
  bool pays(const ScoreBlocks &blocks) const {
    constexpr int64_t kKernels = 4;  // an iteration's: two products, and two for the softmax
    return blocks.scoreBytes() / 2 > blocks.copiedBytes() + blocks.count() * kKernels * kernelBytes;
  }

  void runOnOperation() override {
    SmallVector<stablehlo::DotGeneralOp> dots;
    getOperation().walk([&](stablehlo::DotGeneralOp dot) { dots.push_back(dot); });
    // The last products come first: what one erases lies before it.
    for (stablehlo::DotGeneralOp last : llvm::reverse(dots)) {
      auto scores = last ? scoresOf(last) : std::nullopt;
      if (!scores) continue;
      stablehlo::DotGeneralOp first = scores->first;
      ScoreBlocks blocks(*std::move(scores));
      if (!blocks.choose(room) || !pays(blocks)) continue;
      llvm::replace(dots, first, stablehlo::DotGeneralOp());
      Cutter(blocks).rewrite();
    }
  }
};

}  // namespace
}  // namespace tpuc::fusion
