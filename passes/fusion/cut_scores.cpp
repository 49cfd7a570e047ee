// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention whose scores VMEM does not hold, in a loop over blocks of them that it does.
//
//  1. A block: some queries of one head, all of its keys; or several heads. Each iteration computes its scores, what
//  the
//     program makes of them, and the product with the values, whose result is a piece of a stack.
//  2. The arrays that a block reads are stacks too, with what the loops walk outermost: an iteration takes a piece.
//  3. It is done where the scores' way through HBM takes longer than the iterations' kernels take to start.
#include "dialects/kernel/kernel.h"
#include "mlir/IR/IRMapping.h"
#include "passes/builders/build.h"
#include "passes/fusion/passes.h"
#include "passes/fusion/scores.h"

using namespace mlir;

namespace tpuc::fusion {
using namespace builders;
#define GEN_PASS_DEF_CUTSCORESPASS
#include "passes/fusion/passes.h.inc"
namespace {

// Blocks of queries that do not divide them are whole tiles of any type.
constexpr int64_t kTileRows = 32;

int64_t bytesOf(Value v) {
  return llvm::divideCeil(typeOf(v).getNumElements() * typeOf(v).getElementTypeBitWidth(), 8);
}

// An array before what only gives it another shape.
Value unshaped(Value v) {
  while (auto reshape = v.getDefiningOp<stablehlo::ReshapeOp>()) v = reshape.getOperand();
  return v;
}

// A transpose; dims that stay neighbours, lanes aside, move as one, so that no array has small dims under
// its tiles.
Value moved(Build &build, Value v, ArrayRef<int64_t> order) {
  if (llvm::is_sorted(order)) return v;
  RankedTensorType type = typeOf(v);
  SmallVector<int64_t> joined, result, first;  // of the source's dims the first that each joined one has
  for (int64_t d = 0; d < type.getRank(); ++d) {
    const auto *at = llvm::find(order, d);
    const bool isLane = d == type.getRank() - 1 || at + 1 == order.end() || order.back() == d - 1;
    if (d > 0 && !isLane && at != order.begin() && *(at - 1) == d - 1) {
      joined.back() *= type.getDimSize(d);
      continue;
    }
    joined.push_back(type.getDimSize(d));
    first.push_back(d);
  }
  SmallVector<int64_t> permutation;
  for (int64_t d : order) {
    result.push_back(type.getDimSize(d));
    if (const auto *it = llvm::find(first, d); it != first.end()) permutation.push_back(it - first.begin());
  }
  if (joined.size() < order.size()) v = build.reshape(unshaped(v), joined);
  v = build.transpose(v, permutation);
  return joined.size() < order.size() ? build.reshape(v, result) : v;
}

// A block's transpose, of what was transposed before.
Value reordered(Build &build, Value v, ArrayRef<int64_t> order) {
  SmallVector<int64_t> both(order);
  if (auto before = v.getDefiningOp<stablehlo::TransposeOp>()) {
    for (int64_t &d : both) d = before.getPermutation()[d];
    v = before.getOperand();
  }
  return llvm::is_sorted(both) ? v : build.transpose(v, both);
}

class Cutter {
 public:
  explicit Cutter(Scores scores) : s_(std::move(scores)) {}
  // False: VMEM holds all scores, or not even those of a few queries.
  bool choose(int64_t room);
  // Bytes that go through HBM without a loop, and with it in copies of arrays.
  int64_t scoreBytes() const;
  int64_t copiedBytes() const;
  int64_t iterations() const;
  void rewrite();

 private:
  int64_t blocksAlong(int64_t d) const { return llvm::divideCeil(s_.dims[d], block_[d]); }
  // The scores' dims as the stacks have them: the queries' before the keys', both behind all others.
  SmallVector<int64_t> outerDims() const;
  SmallVector<int64_t> stackOrder(const ScoreDims &dims, bool queriesFirst = false) const;
  SmallVector<int64_t> resultOrder() const;
  stablehlo::TransposeOp resultTranspose() const;
  bool isWalked(int64_t d) const { return d != kOwn && blocksAlong(d) > 1; }
  int64_t extent(RankedTensorType type, const ScoreDims &dims, int64_t i) const {
    return dims[i] == kOwn ? type.getDimSize(i) : block_[dims[i]];
  }
  // What a block keeps of an array's dims: those of more than one element.
  SmallVector<int64_t> kept(RankedTensorType type, const ScoreDims &dims) const;
  RankedTensorType blockType(RankedTensorType type, const ScoreDims &dims) const;
  SmallVector<int64_t> renumbered(RankedTensorType type, const ScoreDims &dims, ArrayRef<int64_t> of) const;

  struct Stack {
    Value whole;
    ScoreDims dims;               // in the stack's order
    SmallVector<int64_t> moved;   // by dim of the array, where it is among the block's; -1: gone
    SmallVector<int64_t> walked;  // the scores' dims that its first dim stands for; none: it is the same for all blocks
  };
  Stack stackOf(Build &build, OpOperand &operand, const ScoreDims &dims) const;
  Value pieceOf(Build &build, const Stack &stack) const;
  Value loop(Build &build);
  Value indexOf(Build &build, ArrayRef<int64_t> dims) const;
  Value blockOf(Build &build);
  Value cloneDot(Build &build, stablehlo::DotGeneralOp dot);
  Value clone(Build &build, Operation *op);
  Value operand(OpOperand &operand) const;
  Value unstacked(Build &build, Value stack) const;
  RankedTensorType resultStack() const;

  Scores s_;
  SmallVector<int64_t> block_;  // of the scores' dims
  std::map<OpOperand *, Stack> stacks_;
  std::map<OpOperand *, Value> pieces_;  // in a block
  DenseMap<Value, Value> made_;          // likewise
  SmallVector<int64_t> walked_;          // the scores' dims that the loop walks, the last one fastest
  Value iteration_;
};

// ---- blocks ---------------------------------------------------------------------------------------------------------

SmallVector<int64_t> Cutter::outerDims() const {
  SmallVector<int64_t> out;
  for (int64_t d = 0; d < static_cast<int64_t>(s_.dims.size()); ++d)
    if (d != s_.m && d != s_.n) out.push_back(d);
  return out;
}

// Up to `most`, in whole tiles: without a rest where up to twice as many blocks have none.
static int64_t queriesOf(int64_t queries, int64_t most) {
  const int64_t least = llvm::divideCeil(queries, most / kTileRows * kTileRows);
  for (int64_t blocks = least; blocks <= 2 * least; ++blocks)
    if (queries % (blocks * kTileRows) == 0) return queries / blocks;
  return static_cast<int64_t>(llvm::alignTo(llvm::divideCeil(queries, least), kTileRows));
}

bool Cutter::choose(int64_t room) {
  block_ = s_.dims;
  // Scores as lanes hold them, and the probabilities beside them.
  const int64_t each = 4 + llvm::divideCeil(typeOf(s_.probabilities()).getElementTypeBitWidth(), 8);
  const int64_t keys = static_cast<int64_t>(llvm::alignTo(s_.dims[s_.n], 128)), row = keys * each,
                queries = s_.dims[s_.m];
  // Probabilities may lie over the scores.
  int64_t all = keys * 4 * static_cast<int64_t>(llvm::alignTo(queries, 8));
  for (int64_t d : outerDims()) all *= s_.dims[d];
  if (all <= room) return false;
  int64_t rows = room * 3 / 4 / row;  // the rest is for the arrays beside them
  if (rows < std::min<int64_t>(queries, 128)) return false;
  SmallVector<int64_t> outer = outerDims();
  for (int64_t d : outer) block_[d] = 1;
  if (rows < queries) {
    block_[s_.m] = queriesOf(queries, rows);
    return true;
  }
  rows /= static_cast<int64_t>(llvm::alignTo(queries, kTileRows));
  for (int64_t d : llvm::reverse(outer)) {
    while (block_[d] < s_.dims[d] && rows >= block_[d] + 1) {
      int64_t next = block_[d] + 1;
      while (s_.dims[d] % next) ++next;
      if (next > rows) break;
      block_[d] = next;
    }
    if (block_[d] < s_.dims[d]) return true;
    rows /= s_.dims[d];
  }
  return false;
}

int64_t Cutter::iterations() const {
  int64_t count = 1;
  for (size_t d = 0; d < s_.dims.size(); ++d) count *= blocksAlong(static_cast<int64_t>(d));
  return count;
}

// Written and read: the scores, as the first product makes them, and the probabilities.
int64_t Cutter::scoreBytes() const { return 2 * (bytesOf(s_.scores()) + bytesOf(s_.probabilities())); }

// Read and written: what has to be put in another order.
int64_t Cutter::copiedBytes() const {
  int64_t bytes = 0;
  auto add = [&](Value v, const ScoreDims &dims) {
    const bool isPadded = llvm::is_contained(dims, s_.m) && s_.dims[s_.m] % block_[s_.m];
    SmallVector<int64_t> order = stackOrder(dims);
    if (isPadded || !llvm::is_sorted(order)) bytes += 2 * bytesOf(v);
  };
  for (auto &[operand, dims] : s_.arrays) add(operand->get(), dims);
  add(s_.result(), s_.dimsOf.lookup(s_.result()));
  return bytes;
}

// ---- stacks ---------------------------------------------------------------------------------------------------------

// Where loops walk the queries, these stand before what is left.
SmallVector<int64_t> Cutter::stackOrder(const ScoreDims &dims, bool queriesFirst) const {
  SmallVector<int64_t> order;
  SmallVector<int64_t> first = outerDims();
  if (queriesFirst || isWalked(s_.m)) first.push_back(s_.m);
  for (int64_t d : first)
    for (auto [i, is] : llvm::enumerate(dims))
      if (is == d) order.push_back(static_cast<int64_t>(i));
  for (int64_t i = 0; i < static_cast<int64_t>(dims.size()); ++i)
    if (!llvm::is_contained(order, i)) order.push_back(i);
  return order;
}

// The program's own transpose of the result; null: it is used as it is.
stablehlo::TransposeOp Cutter::resultTranspose() const {
  return s_.result().hasOneUse() ? dyn_cast<stablehlo::TransposeOp>(*s_.result().user_begin())
                                 : stablehlo::TransposeOp();
}

// What the program transposes may come in any order: features along lanes.
SmallVector<int64_t> Cutter::resultOrder() const {
  return stackOrder(s_.dimsOf.lookup(s_.result()), resultTranspose() != nullptr);
}

SmallVector<int64_t> Cutter::kept(RankedTensorType type, const ScoreDims &dims) const {
  SmallVector<int64_t> out;
  for (int64_t i = 0; i < static_cast<int64_t>(dims.size()); ++i)
    if (extent(type, dims, i) != 1) out.push_back(i);
  return out;
}

RankedTensorType Cutter::blockType(RankedTensorType type, const ScoreDims &dims) const {
  SmallVector<int64_t> shape;
  for (int64_t i : kept(type, dims)) shape.push_back(extent(type, dims, i));
  return RankedTensorType::get(shape, type.getElementType());
}

// Dims of an array as its block numbers them.
SmallVector<int64_t> Cutter::renumbered(RankedTensorType type, const ScoreDims &dims, ArrayRef<int64_t> of) const {
  SmallVector<int64_t> left = kept(type, dims), out;
  for (int64_t d : of)
    if (auto *it = llvm::find(left, d); it != left.end()) out.push_back(it - left.begin());
  return out;
}

Cutter::Stack Cutter::stackOf(Build &build, OpOperand &operand, const ScoreDims &dims) const {
  Stack stack{operand.get(), {}, SmallVector<int64_t>(dims.size(), -1), {}};
  SmallVector<int64_t> order = stackOrder(dims);
  stack.whole = moved(build, stack.whole, order);
  for (int64_t i : order) stack.dims.push_back(dims[i]);
  RankedTensorType type = typeOf(stack.whole);
  for (auto [to, from] : llvm::enumerate(kept(type, stack.dims))) stack.moved[order[from]] = static_cast<int64_t>(to);
  SmallVector<int64_t> none(dims.size(), 0), high(none), shape;
  int64_t pieces = 1;
  for (auto [i, d] : llvm::enumerate(stack.dims)) {
    if (d != kOwn) high[i] = blocksAlong(d) * block_[d] - s_.dims[d];
    if (isWalked(d)) {
      stack.walked.push_back(d);
      pieces *= blocksAlong(d);
    }
    if (int64_t held = extent(type, stack.dims, static_cast<int64_t>(i)); held != 1) shape.push_back(held);
  }
  if (!stack.walked.empty()) shape.insert(shape.begin(), pieces);
  if (llvm::any_of(high, [](int64_t n) { return n > 0; }))
    stack.whole = build.pad(stack.whole, build.zero(type.getElementType()), none, high, none);
  if (typeOf(stack.whole).getShape() != ArrayRef(shape)) stack.whole = build.reshape(unshaped(stack.whole), shape);
  return stack;
}

Value Cutter::pieceOf(Build &build, const Stack &stack) const {
  if (stack.walked.empty()) return stack.whole;
  RankedTensorType type = typeOf(stack.whole);
  SmallVector<Value> starts(type.getRank(), build.zero(build.b.getI32Type()));
  SmallVector<int64_t> sizes(type.getShape());
  starts[0] = indexOf(build, stack.walked);
  sizes[0] = 1;
  Value piece = stablehlo::DynamicSliceOp::create(build.b, build.loc, type.clone(sizes), stack.whole, starts,
                                                  build.b.getDenseI64ArrayAttr(sizes));
  return build.reshape(piece, ArrayRef(sizes).drop_front());
}

// Which of all places along these dims the iteration is at: those that follow one another are taken from its number
// together.
Value Cutter::indexOf(Build &build, ArrayRef<int64_t> dims) const {
  auto number = [&](int64_t n) { return build.splat(typeOf(iteration_), n); };
  Value index;
  int64_t behind = 1;
  for (int64_t d : walked_) behind *= blocksAlong(d);
  for (size_t i = 0; i < walked_.size();) {
    int64_t count = 1;
    const size_t first = i;
    for (; i < walked_.size() && llvm::is_contained(dims, walked_[i]); ++i) count *= blocksAlong(walked_[i]);
    if (i == first) {
      behind /= blocksAlong(walked_[i++]);
      continue;
    }
    behind /= count;
    Value part = iteration_;
    if (behind > 1) part = stablehlo::DivOp::create(build.b, build.loc, part, number(behind));
    if (first > 0) part = stablehlo::RemOp::create(build.b, build.loc, part, number(count));
    if (index) {
      index = stablehlo::MulOp::create(build.b, build.loc, index, number(count));
      part = stablehlo::AddOp::create(build.b, build.loc, index, part);
    }
    index = part;
  }
  return index;
}

// ---- a block --------------------------------------------------------------------------------------------------------

Value Cutter::operand(OpOperand &operand) const {
  auto piece = pieces_.find(&operand);
  return piece != pieces_.end() ? piece->second : made_.lookup(operand.get());
}

// A product as a block has it; the last one's dims as the stack has them.
Value Cutter::cloneDot(Build &build, stablehlo::DotGeneralOp dot) {
  auto numbers = dot.getDotDimensionNumbers();
  // Dims of an operand, as its block has them.
  SmallVector<int64_t> moved[2];
  for (bool right : {false, true}) {
    OpOperand &use = dot->getOpOperand(right);
    if (auto stack = stacks_.find(&use); stack != stacks_.end()) {
      moved[right] = stack->second.moved;
      continue;
    }
    const ScoreDims dims = s_.dimsOf.lookup(use.get());
    moved[right].assign(dims.size(), -1);
    for (auto [to, from] : llvm::enumerate(kept(typeOf(use.get()), dims))) moved[right][from] = to;
  }
  auto blockDims = [&](bool right, ArrayRef<int64_t> dims) {
    SmallVector<int64_t> out;
    for (int64_t d : dims)
      if (moved[right][d] >= 0) out.push_back(moved[right][d]);
    return out;
  };
  SmallVector<int64_t> lb = blockDims(false, numbers.getLhsBatchingDimensions()),
                       rb = blockDims(true, numbers.getRhsBatchingDimensions()),
                       lc = blockDims(false, numbers.getLhsContractingDimensions()),
                       rc = blockDims(true, numbers.getRhsContractingDimensions());
  const ScoreDims dims = s_.dimsOf.lookup(dot.getResult());
  RankedTensorType type = typeOf(dot);
  SmallVector<int64_t> wanted = kept(type, dims);
  if (dot == s_.last) {
    SmallVector<int64_t> order = resultOrder();
    llvm::sort(wanted, [&](int64_t x, int64_t y) { return llvm::find(order, x) < llvm::find(order, y); });
  }
  // The result's dims as they come: batches, then what each side's block has left, in its order. Which side is the left
  // one is free.
  int64_t next = numbers.getLhsBatchingDimensions().size();
  SmallVector<int64_t> batches, free[2], orders[2];
  for (int64_t d = 0; d < next; ++d)
    if (llvm::is_contained(wanted, d)) batches.push_back(d);
  for (bool right : {false, true}) {
    auto batching = right ? numbers.getRhsBatchingDimensions() : numbers.getLhsBatchingDimensions();
    auto contracting = right ? numbers.getRhsContractingDimensions() : numbers.getLhsContractingDimensions();
    SmallVector<std::pair<int64_t, int64_t>> left;  // where it is in the block; the result's dim
    for (int64_t d = 0; d < static_cast<int64_t>(moved[right].size()); ++d) {
      if (llvm::is_contained(batching, d) || llvm::is_contained(contracting, d)) continue;
      if (moved[right][d] >= 0) left.push_back({moved[right][d], next});
      ++next;
    }
    llvm::sort(left);
    for (auto [at, d] : left) free[right].push_back(d);
  }
  // Or what the program's own transpose makes of them.
  SmallVector<int64_t> read(wanted);
  if (auto own = dot->hasOneUse() ? dyn_cast<stablehlo::TransposeOp>(*dot->user_begin()) : nullptr;
      own && dot != s_.last) {
    read.clear();
    for (int64_t d : own.getPermutation())
      if (llvm::is_contained(wanted, d)) read.push_back(d);
  }
  bool isRead[2];
  for (bool swaps : {false, true}) {
    SmallVector<int64_t> come(batches);
    llvm::append_range(come, free[swaps]);
    llvm::append_range(come, free[!swaps]);
    for (int64_t d : wanted) orders[swaps].push_back(llvm::find(come, d) - come.begin());
    isRead[swaps] = come == read;
  }
  const bool swaps = !isRead[0] && isRead[1] && !dot.getAlgorithmAttr();
  SmallVector<int64_t> shape(batches);
  llvm::append_range(shape, free[swaps]);
  llvm::append_range(shape, free[!swaps]);
  for (int64_t &d : shape) d = extent(type, dims, d);
  ArrayAttr precision = dot.getPrecisionConfigAttr();
  if (swaps && precision && precision.size() == 2) precision = build.b.getArrayAttr({precision[1], precision[0]});
  Value left = operand(dot->getOpOperand(0)), right = operand(dot->getOpOperand(1));
  if (swaps) {
    std::swap(left, right);
    std::swap(lb, rb);
    std::swap(lc, rc);
  }
  Value v = stablehlo::DotGeneralOp::create(
      build.b, dot.getLoc(), type.clone(shape), left, right,
      stablehlo::DotDimensionNumbersAttr::get(build.b.getContext(), lb, rb, lc, rc), precision, dot.getAlgorithmAttr());
  return reordered(build, v, orders[swaps]);
}

// An op as a block has it.
Value Cutter::clone(Build &build, Operation *op) {
  if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op)) return cloneDot(build, dot);
  RankedTensorType type = typeOf(op->getResult(0));
  const ScoreDims dims = s_.dimsOf.lookup(op->getResult(0));
  RankedTensorType block = blockType(type, dims);
  if (auto constant = dyn_cast<stablehlo::ConstantOp>(op))
    return stablehlo::ConstantOp::create(
        build.b, op->getLoc(), block,
        cast<ElementsAttr>(cast<DenseElementsAttr>(constant.getValue()).resizeSplat(block)));
  if (auto iota = dyn_cast<stablehlo::IotaOp>(op)) {
    const int64_t along = static_cast<int64_t>(iota.getIotaDimension()), d = dims[along];
    SmallVector<int64_t> at = renumbered(type, dims, {along});
    Value v = at.empty() ? build.broadcast(build.zero(type.getElementType()), block.getShape(), {})
                         : stablehlo::IotaOp::create(build.b, op->getLoc(), block, build.b.getI64IntegerAttr(at[0]));
    if (!isWalked(d)) return v;
    Value first = stablehlo::MulOp::create(build.b, op->getLoc(), indexOf(build, {d}),
                                           build.splat(typeOf(iteration_), block_[d]));
    return stablehlo::AddOp::create(build.b, op->getLoc(), v,
                                    build.broadcast(build.convert(first, type.getElementType()), block.getShape(), {}));
  }
  if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op)) {
    Value in = operand(op->getOpOperand(0));
    const ScoreDims from = s_.dimsOf.lookup(op->getOperand(0));
    SmallVector<int64_t> permutation =
        from.empty() ? SmallVector<int64_t>() : renumbered(typeOf(op->getOperand(0)), from, transpose.getPermutation());
    if (from.empty())
      for (int64_t d : transpose.getPermutation())
        if (int64_t to = stacks_.find(&op->getOpOperand(0))->second.moved[d]; to >= 0) permutation.push_back(to);
    return reordered(build, in, permutation);
  }
  if (auto spread = dyn_cast<stablehlo::BroadcastInDimOp>(op)) {
    OpOperand &use = op->getOpOperand(0);
    SmallVector<int64_t> to;  // by the block's dims
    auto stack = stacks_.find(&use);
    RankedTensorType from = typeOf(use.get());
    SmallVector<int64_t> left =
        stack == stacks_.end() ? kept(from, s_.dimsOf.lookup(use.get())) : SmallVector<int64_t>();
    if (stack != stacks_.end()) {
      left.resize(llvm::count_if(stack->second.moved, [](int64_t at) { return at >= 0; }));
      for (auto [d, at] : llvm::enumerate(stack->second.moved))
        if (at >= 0) left[at] = static_cast<int64_t>(d);
    }
    for (int64_t d : left) llvm::append_range(to, renumbered(type, dims, {spread.getBroadcastDimensions()[d]}));
    return build.broadcast(operand(use), block.getShape(), to);
  }
  if (mlir::isa<stablehlo::ReshapeOp>(op)) return operand(op->getOpOperand(0));
  IRMapping map;
  for (OpOperand &use : op->getOpOperands()) map.map(use.get(), operand(use));
  Operation *made = build.b.clone(*op, map);
  made->getResult(0).setType(block);
  if (auto reduce = dyn_cast<stablehlo::ReduceOp>(made)) {
    const ScoreDims from = s_.dimsOf.lookup(op->getOperand(0));
    reduce.setDimensions(renumbered(typeOf(op->getOperand(0)), from, cast<stablehlo::ReduceOp>(op).getDimensions()));
  }
  return made->getResult(0);
}

// The last product's block, its dims as the stack has them.
Value Cutter::blockOf(Build &build) {
  pieces_.clear();
  made_.clear();
  for (auto &[use, stack] : stacks_) {
    Value piece = pieceOf(build, stack);
    // Dims of products and broadcasts are numbered anew; others take the array's own order.
    SmallVector<int64_t> own;
    for (int64_t at : stack.moved)
      if (at >= 0) own.push_back(at);
    const bool isNumbered =
        mlir::isa<stablehlo::DotGeneralOp, stablehlo::BroadcastInDimOp, stablehlo::TransposeOp>(use->getOwner());
    pieces_[use] = isNumbered || llvm::is_sorted(own) ? piece : build.transpose(piece, own);
  }
  for (Operation *op : s_.ops) made_[op->getResult(0)] = clone(build, op);
  return made_.lookup(s_.result());
}

// ---- loops ----------------------------------------------------------------------------------------------------------

RankedTensorType Cutter::resultStack() const {
  const ScoreDims dims = s_.dimsOf.lookup(s_.result());
  RankedTensorType type = typeOf(s_.result());
  SmallVector<int64_t> shape{iterations()};
  for (int64_t i : resultOrder())
    if (int64_t held = extent(type, dims, i); held != 1) shape.push_back(held);
  return type.clone(shape);
}

// Each iteration writes its piece of the stack.
Value Cutter::loop(Build &build) {
  Value stack = kernel::UndefinedOp::create(build.b, build.loc, resultStack());
  return build.loop(iterations(), stack, [&](Value i, ValueRange state) {
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

// The last product's result; null where its user's took its place.
Value Cutter::unstacked(Build &build, Value stack) const {
  const ScoreDims dims = s_.dimsOf.lookup(s_.result());
  RankedTensorType type = typeOf(s_.result());
  SmallVector<int64_t> order = resultOrder(), padded, shape, back(order.size());
  for (auto [to, from] : llvm::enumerate(order)) {
    padded.push_back(dims[from] == kOwn ? type.getDimSize(from) : blocksAlong(dims[from]) * block_[dims[from]]);
    shape.push_back(type.getDimSize(from));
    back[from] = static_cast<int64_t>(to);
  }
  Value v = build.reshape(stack, padded);
  SmallVector<int64_t> zeros(shape.size(), 0), ones(shape.size(), 1);
  if (padded != shape) v = build.slice(v, zeros, shape, ones);
  // The program's own transpose of the result is the same one.
  if (stablehlo::TransposeOp own = resultTranspose()) {
    SmallVector<int64_t> both;
    for (int64_t d : own.getPermutation()) both.push_back(back[d]);
    own.replaceAllUsesWith(moved(build, v, both));
    return {};
  }
  return moved(build, v, back);
}

void Cutter::rewrite() {
  OpBuilder b(s_.last);
  Build build{b, s_.last.getLoc()};
  for (auto &[use, dims] : s_.arrays) stacks_[use] = stackOf(build, *use, dims);
  for (int64_t d : llvm::concat<const int64_t>(outerDims(), ArrayRef(s_.m)))
    if (isWalked(d)) walked_.push_back(d);
  Operation *user = resultTranspose();
  if (Value whole = unstacked(build, loop(build)))
    s_.result().replaceAllUsesWith(whole);
  else
    user->erase();
  for (Operation *op : llvm::reverse(s_.ops))
    if (op->use_empty()) op->erase();
}

struct CutScores : impl::CutScoresPassBase<CutScores> {
  using CutScoresPassBase::CutScoresPassBase;

  void runOnOperation() override {
    SmallVector<stablehlo::DotGeneralOp> dots;
    getOperation().walk([&](stablehlo::DotGeneralOp dot) { dots.push_back(dot); });
    // The last products come first: what one erases lies before it.
    for (stablehlo::DotGeneralOp last : llvm::reverse(dots)) {
      auto scores = last ? scoresOf(last) : std::nullopt;
      if (!scores) continue;
      stablehlo::DotGeneralOp first = scores->first;
      Cutter cutter(*std::move(scores));
      if (!cutter.choose(room)) continue;
      // Half of the scores' way is hidden behind the work on them.
      constexpr int64_t kKernels = 4;  // an iteration's
      if (cutter.scoreBytes() / 2 <= cutter.copiedBytes() + cutter.iterations() * kKernels * kernelBytes) continue;
      llvm::replace(dots, first, stablehlo::DotGeneralOp());
      cutter.rewrite();
    }
  }
};

}  // namespace
}  // namespace tpuc::fusion
