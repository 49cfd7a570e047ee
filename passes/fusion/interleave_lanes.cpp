// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements that take turns along lanes, as pairs of a rotary embedding do: `stack([a, b], -1).reshape(...)` and the
// parts of `reshape(..., n, 2)`; or the same one twice, `repeat(a, 2, -1)`. As arrays of [.., n, 2] each pair would be
// a row of its own. They are gaps and steps along lanes, which a loop reads where arrays lie.
#include "mlir/IR/Builders.h"
#include "passes/analysis/domain.h"
#include "passes/fusion/group.h"

using namespace mlir;

namespace tpuc::fusion {
namespace {

constexpr int64_t kMostTurns = 8;

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

// How many take turns where `joined` is `apart` with its last two dims as one; 0 otherwise.
int64_t turnsOf(RankedTensorType apart, RankedTensorType joined) {
  int64_t rank = joined.getRank();
  if (rank < 2 || apart.getRank() != rank + 1 || apart.getElementType().isInteger(1)) return 0;
  int64_t turns = apart.getDimSize(rank);
  bool sameLeads = apart.getShape().take_front(rank - 1) == joined.getShape().drop_back();
  return sameLeads && turns > 1 && turns <= kMostTurns && llvm::isPowerOf2_64(turns) && apart.getDimSize(rank - 1) > 1
             ? turns
             : 0;
}

// The elements that come at their turn, with gaps for the others.
Value spread(OpBuilder &b, Location loc, Value v, RankedTensorType to, int64_t turn, int64_t turns) {
  SmallVector<int64_t> low(to.getRank(), 0), high(to.getRank(), 0), interior(to.getRank(), 0);
  low.back() = turn;
  high.back() = turns - 1 - turn;
  interior.back() = turns - 1;
  auto scalar = RankedTensorType::get({}, to.getElementType());
  Value zero = stablehlo::ConstantOp::create(b, loc, cast<ElementsAttr>(b.getZeroAttr(scalar)));
  return stablehlo::PadOp::create(b, loc, to, v, zero, low, high, interior);
}

// Slice `i` of a transpose's last dim: that slice of its operand, transposed without the dim.
Value sliceOf(OpBuilder &b, Location loc, stablehlo::TransposeOp transpose, int64_t i) {
  RankedTensorType type = transpose.getOperand().getType();
  const int64_t dim = transpose.getPermutation().back();
  SmallVector<int64_t> start(type.getRank(), 0), limit(type.getShape()), stride(type.getRank(), 1), left, order;
  start[dim] = i;
  limit[dim] = i + 1;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (d != dim) left.push_back(type.getDimSize(d));
  for (int64_t d : transpose.getPermutation().drop_back()) order.push_back(d - (d > dim));
  Value slice = stablehlo::SliceOp::create(b, loc, transpose.getOperand(), start, limit, stride);
  Value without = stablehlo::ReshapeOp::create(b, loc, type.clone(left), slice);
  return llvm::is_sorted(order) ? without : stablehlo::TransposeOp::create(b, loc, without, order).getResult();
}

// The arrays of [.., n] that are `apart`, of [.., n, k], one behind the other along its last dim: a concatenation's
// inputs, k times what a broadcast repeats, or slices of what is transposed. Empty for anything else.
SmallVector<Value> partsOf(OpBuilder &b, Location loc, Value apart, int64_t turns) {
  const int64_t last = typeOf(apart).getRank() - 1;
  if (auto broadcast = apart.getDefiningOp<stablehlo::BroadcastInDimOp>()) {
    const bool repeats = llvm::equal(broadcast.getBroadcastDimensions(), llvm::seq<int64_t>(0, last)) &&
                         broadcast.getOperand().getType().getShape() == typeOf(apart).getShape().drop_back();
    return repeats ? SmallVector<Value>(turns, broadcast.getOperand()) : SmallVector<Value>();
  }
  if (auto transpose = apart.getDefiningOp<stablehlo::TransposeOp>()) {
    // Whose last dim, which has lanes of its own, is not this one.
    const int64_t rank = transpose.getOperand().getType().getRank();
    SmallVector<Value> parts;
    if (transpose.getPermutation().back() + 1 == rank) return parts;
    for (int64_t i = 0; i < turns; ++i) parts.push_back(sliceOf(b, loc, transpose, i));
    return parts;
  }
  auto concat = apart.getDefiningOp<stablehlo::ConcatenateOp>();
  if (!concat || static_cast<int64_t>(concat.getDimension()) != last ||
      static_cast<int64_t>(concat.getInputs().size()) != turns)
    return {};
  SmallVector<Value> parts;
  for (Value v : concat.getInputs()) {
    RankedTensorType type = typeOf(v);
    parts.push_back(stablehlo::ReshapeOp::create(b, loc, type.clone(type.getShape().drop_back()), v));
    if (auto inner = v.getDefiningOp<stablehlo::ReshapeOp>();
        inner && inner.getOperand().getType() == parts.back().getType()) {
      parts.back().getDefiningOp()->erase();
      parts.back() = inner.getOperand();
    }
  }
  return parts;
}

// The type of `apart` with its last two dims as one, where lanes of `to` are whole rows of that: heads may be joined
// too.
RankedTensorType lanesJoined(RankedTensorType apart, RankedTensorType to) {
  const int64_t rank = apart.getRank();
  if (rank < 3 || to.getRank() < 2) return {};
  SmallVector<int64_t> shape(apart.getShape().drop_back());
  shape.back() *= apart.getShape().back();
  return shape.back() && to.getShape().back() % shape.back() == 0 ? apart.clone(shape) : RankedTensorType();
}

// A reshape of k arrays of [.., n, 1], one behind the other.
void join(stablehlo::ReshapeOp reshape) {
  Operation *apart = reshape.getOperand().getDefiningOp();
  RankedTensorType to = reshape.getType(), type = reshape.getOperand().getType(), joined = lanesJoined(type, to);
  if (!apart || !apart->hasOneUse() || apart->getBlock() != reshape->getBlock() || !joined) return;
  int64_t turns = turnsOf(type, joined), rank = to.getRank();
  if (!turns) return;
  OpBuilder b(reshape);
  Location loc = reshape.getLoc();
  Operation *before = reshape->getPrevNode();
  SmallVector<Value> parts = partsOf(b, loc, reshape.getOperand(), turns);
  if (parts.empty()) return;
  if (joined.getShape().back() != to.getShape().back()) {  // heads are joined after lanes have taken turns
    to = joined;
    rank = to.getRank();
  } else if (joined != to) {  // rows are joined before that
    SmallVector<int64_t> shape(to.getShape());
    shape.back() /= turns;
    for (Value &v : parts) v = stablehlo::ReshapeOp::create(b, loc, to.clone(shape), v);
  }
  auto numbers = to.clone(b.getI32Type());
  auto constant = [&](int64_t n) {
    return stablehlo::ConstantOp::create(
        b, loc, cast<ElementsAttr>(Attribute(DenseElementsAttr::get(numbers, static_cast<int32_t>(n)))));
  };
  Value turn =
      stablehlo::AndOp::create(b, loc, stablehlo::IotaOp::create(b, loc, numbers, rank - 1), constant(turns - 1));
  Value out = spread(b, loc, parts[0], to, 0, turns);
  if (!analysis::isShuffledView(out.getDefiningOp())) {  // nothing of it stays
    while (Operation *made = reshape->getPrevNode() == before ? nullptr : reshape->getPrevNode()) made->erase();
    return;
  }
  for (int64_t i = 1; i < turns; ++i) {
    Value own = stablehlo::CompareOp::create(b, loc, turn, constant(i), stablehlo::ComparisonDirection::EQ);
    out = stablehlo::SelectOp::create(b, loc, own, spread(b, loc, parts[i], to, i, turns), out);
  }
  if (to != reshape.getType()) out = stablehlo::ReshapeOp::create(b, loc, reshape.getType(), out);
  reshape.replaceAllUsesWith(out);
  reshape.erase();
  apart->erase();
}

// Rewrites a slice that takes one element of the last dim of a reshape to [.., n, k].
void part(stablehlo::SliceOp slice) {
  auto reshape = slice.getOperand().getDefiningOp<stablehlo::ReshapeOp>();
  if (!reshape || reshape->getBlock() != slice->getBlock()) return;
  RankedTensorType from = reshape.getOperand().getType();
  int64_t turns = turnsOf(reshape.getType(), from), rank = from.getRank();
  auto starts = slice.getStartIndices(), limits = slice.getLimitIndices(), strides = slice.getStrides();
  if (!turns || slice.getType().getDimSize(rank) != 1 ||
      slice.getType().getDimSize(rank - 1) != reshape.getType().getDimSize(rank - 1))
    return;
  SmallVector<int64_t> start(starts.drop_back()), limit(limits.drop_back()), stride(strides.drop_back());
  start.back() = starts.back();
  limit.back() = from.getDimSize(rank - 1);
  stride.back() = turns;
  OpBuilder b(slice);
  auto taken =
      stablehlo::SliceOp::create(b, slice.getLoc(), slice.getType().clone(slice.getType().getShape().drop_back()),
                                 reshape.getOperand(), start, limit, stride);
  if (!analysis::isShuffledView(taken)) return taken->erase();
  slice.replaceAllUsesWith(stablehlo::ReshapeOp::create(b, slice.getLoc(), slice.getType(), taken).getResult());
  slice.erase();
  if (reshape->use_empty()) reshape.erase();
}

}  // namespace

void interleaveLanes(func::FuncOp func) {
  SmallVector<stablehlo::SliceOp> slices;
  func.walk([&](stablehlo::SliceOp op) { slices.push_back(op); });
  for (stablehlo::SliceOp op : slices) part(op);
  SmallVector<stablehlo::ReshapeOp> reshapes;
  func.walk([&](stablehlo::ReshapeOp op) { reshapes.push_back(op); });
  for (stablehlo::ReshapeOp op : reshapes) join(op);
}

}  // namespace tpuc::fusion
