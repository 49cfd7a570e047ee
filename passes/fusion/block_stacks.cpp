// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/fusion/block_stacks.h"

#include "passes/analysis/pieces.h"

using namespace mlir;

namespace tpuc::fusion {
using namespace builders;
namespace {

// An array before what only gives it another shape.
Value unshaped(Value v) {
  while (auto reshape = v.getDefiningOp<stablehlo::ReshapeOp>()) v = reshape.getOperand();
  return v;
}

// A transpose. Dims that stay neighbours move as one, lanes aside, so that no array has small dims under its tiles.
Value moved(Build &build, Value v, ArrayRef<int64_t> order) {
  if (llvm::is_sorted(order)) return v;
  RankedTensorType type = typeOf(v);
  SmallVector<int64_t> joined, result, permutation;
  SmallVector<int64_t> first;  // of the source's dims the first that each joined one has
  for (int64_t d = 0; d < type.getRank(); ++d) {
    const auto *at = llvm::find(order, d);
    const bool isLane = d == type.getRank() - 1 || at + 1 == order.end();
    if (d > 0 && !isLane && at != order.begin() && *(at - 1) == d - 1) {
      joined.back() *= type.getDimSize(d);
      continue;
    }
    joined.push_back(type.getDimSize(d));
    first.push_back(d);
  }
  for (int64_t d : order) {
    result.push_back(type.getDimSize(d));
    if (const auto *it = llvm::find(first, d); it != first.end()) permutation.push_back(it - first.begin());
  }
  const bool isJoined = joined.size() < order.size();
  if (isJoined) v = build.reshape(unshaped(v), joined);
  v = build.transpose(v, permutation);
  return isJoined ? build.reshape(v, result) : v;
}

// Where a slice of one layer begins in each dim of an array of layers; null for the layer's own dims, which are those
// of `array` in their order. Empty where it is no such slice.
SmallVector<Value> beginOfLayer(stablehlo::DynamicSliceOp slice, RankedTensorType array) {
  SmallVector<Value> begin;
  int64_t next = 0;
  for (auto [size, extent, start] :
       llvm::zip_equal(slice.getSliceSizes(), typeOf(slice.getOperand()).getShape(), slice.getStartIndices())) {
    const bool isOwn = size == extent && next < array.getRank() && size == array.getDimSize(next);
    if (!isOwn && size != 1) return {};
    begin.push_back(isOwn ? Value() : start);
    next += isOwn;
  }
  return next == array.getRank() ? begin : SmallVector<Value>();
}

// The type of one layer of `all`: the layer's own dims, in their order.
RankedTensorType layerType(RankedTensorType all, ArrayRef<Value> begin) {
  SmallVector<int64_t> shape;
  for (auto [extent, start] : llvm::zip_equal(all.getShape(), begin))
    if (!start) shape.push_back(extent);
  return all.clone(shape);
}

// The sizes of a block's piece in the array of layers.
SmallVector<int64_t> layerSizes(const BlockedDims &blocks, RankedTensorType array, const CommonDims &dims,
                                ArrayRef<Value> begin) {
  SmallVector<int64_t> sizes;
  int64_t next = 0;
  for (Value start : begin) sizes.push_back(start ? 1 : blocks.extent(array, dims, next++));
  return sizes;
}

// The stack of a layer whose pieces lie in one piece in the array of all layers.
std::optional<BlockStack> stackOfLayer(const BlockedDims &blocks, Value array, const CommonDims &dims) {
  auto slice = unshaped(array).getDefiningOp<stablehlo::DynamicSliceOp>();
  if (!slice || !llvm::is_sorted(blocks.stackOrder(dims)) ||
      !getElementTypeOrSelf(slice.getStartIndices()[0]).isSignlessInteger(32))
    return std::nullopt;
  RankedTensorType type = typeOf(array), all = typeOf(slice.getOperand());
  BlockStack stack{slice.getOperand(), blocks.places(type, dims), {}, beginOfLayer(slice, type), dims};
  if (llvm::all_of(stack.layer, [](Value start) { return !start; })) return std::nullopt;
  for (auto [i, d] : llvm::enumerate(dims)) {
    if (!blocks.isWalked(d)) continue;
    stack.walked.push_back(d);
    if (blocks.countAlong(d) * blocks.sizeAlong(d) != type.getDimSize(i)) return std::nullopt;
  }
  if (stack.walked.empty() || !analysis::isPiece(all, layerSizes(blocks, type, dims, stack.layer))) return std::nullopt;
  return stack;
}

Value pieceOfLayer(Build &build, const BlockedDims &blocks, const BlockStack &stack, Value iteration) {
  RankedTensorType all = typeOf(stack.whole), type = layerType(all, stack.layer);
  SmallVector<Value> starts(stack.layer);
  int64_t next = 0;
  for (Value &start : starts) {
    if (start) continue;
    const int64_t d = stack.layerDims[next++];
    start = build.zero(build.b.getI32Type());
    if (!blocks.isWalked(d)) continue;
    start = numberAlong(build, blocks, {d}, iteration);
    start = stablehlo::MulOp::create(build.b, build.loc, start, build.splat(typeOf(start), blocks.sizeAlong(d)));
  }
  const SmallVector<int64_t> sizes = layerSizes(blocks, type, stack.layerDims, stack.layer);
  Value piece = stablehlo::DynamicSliceOp::create(build.b, build.loc, all.clone(sizes), stack.whole, starts,
                                                  build.b.getDenseI64ArrayAttr(sizes));
  return build.reshape(piece, blocks.blockType(type, stack.layerDims).getShape());
}

}  // namespace

Value reordered(Build &build, Value v, ArrayRef<int64_t> order) {
  SmallVector<int64_t> both(order);
  if (auto before = v.getDefiningOp<stablehlo::TransposeOp>()) {
    for (int64_t &d : both) d = before.getPermutation()[d];
    v = before.getOperand();
  }
  return llvm::is_sorted(both) ? v : build.transpose(v, both);
}

BlockStack stackOf(Build &build, const BlockedDims &blocks, Value array, const CommonDims &dims) {
  if (auto stack = stackOfLayer(blocks, array, dims)) return *stack;
  SmallVector<int64_t> order = blocks.stackOrder(dims);
  BlockStack stack{moved(build, array, order), SmallVector<int64_t>(dims.size(), -1), {}, {}, {}};
  RankedTensorType type = typeOf(stack.whole);
  CommonDims stackDims;
  for (int64_t i : order) stackDims.push_back(dims[i]);
  for (auto [to, from] : llvm::enumerate(blocks.kept(type, stackDims))) stack.places[order[from]] = to;
  SmallVector<int64_t> none(dims.size(), 0), high(none), shape(blocks.blockType(type, stackDims).getShape());
  int64_t pieces = 1;
  for (auto [i, d] : llvm::enumerate(stackDims)) {
    if (!blocks.isWalked(d)) continue;
    stack.walked.push_back(d);
    pieces *= blocks.countAlong(d);
    high[i] = blocks.countAlong(d) * blocks.sizeAlong(d) - type.getDimSize(i);
  }
  if (!stack.walked.empty()) shape.insert(shape.begin(), pieces);
  if (llvm::any_of(high, [](int64_t n) { return n > 0; }))
    stack.whole = build.pad(stack.whole, build.zero(type.getElementType()), none, high, none);
  if (typeOf(stack.whole).getShape() != ArrayRef(shape)) stack.whole = build.reshape(unshaped(stack.whole), shape);
  return stack;
}

Value pieceOf(Build &build, const BlockedDims &blocks, const BlockStack &stack, Value iteration) {
  if (stack.walked.empty()) return stack.whole;
  if (!stack.layer.empty()) return pieceOfLayer(build, blocks, stack, iteration);
  RankedTensorType type = typeOf(stack.whole);
  SmallVector<Value> starts(type.getRank(), build.zero(build.b.getI32Type()));
  SmallVector<int64_t> sizes(type.getShape());
  starts[0] = numberAlong(build, blocks, stack.walked, iteration);
  sizes[0] = 1;
  Value piece = stablehlo::DynamicSliceOp::create(build.b, build.loc, type.clone(sizes), stack.whole, starts,
                                                  build.b.getDenseI64ArrayAttr(sizes));
  return build.reshape(piece, ArrayRef(sizes).drop_front());
}

// Dims that follow one another in the walk are taken from the iteration's number together.
Value numberAlong(Build &build, const BlockedDims &blocks, ArrayRef<int64_t> dims, Value iteration) {
  auto constant = [&](int64_t n) { return build.splat(typeOf(iteration), n); };
  const SmallVector<int64_t> walked = blocks.walked();
  Value number;
  int64_t behind = blocks.count();  // blocks of all dims that follow
  for (size_t i = 0; i < walked.size();) {
    int64_t count = 1;
    const size_t first = i;
    for (; i < walked.size() && llvm::is_contained(dims, walked[i]); ++i) count *= blocks.countAlong(walked[i]);
    if (i == first) {
      behind /= blocks.countAlong(walked[i++]);
      continue;
    }
    behind /= count;
    Value part = iteration;
    if (behind > 1) part = stablehlo::DivOp::create(build.b, build.loc, part, constant(behind));
    if (first > 0) part = stablehlo::RemOp::create(build.b, build.loc, part, constant(count));
    if (number) {
      number = stablehlo::MulOp::create(build.b, build.loc, number, constant(count));
      part = stablehlo::AddOp::create(build.b, build.loc, number, part);
    }
    number = part;
  }
  return number;
}

stablehlo::TransposeOp transposeOf(Value v) {
  return v.hasOneUse() ? dyn_cast<stablehlo::TransposeOp>(*v.user_begin()) : nullptr;
}

RankedTensorType resultStack(const BlockedDims &blocks, Value result, const CommonDims &dims, ArrayRef<int64_t> order) {
  RankedTensorType type = typeOf(result);
  SmallVector<int64_t> shape{blocks.count()};
  for (int64_t i : order)
    if (int64_t held = blocks.extent(type, dims, i); held != 1) shape.push_back(held);
  return type.clone(shape);
}

void replaceResult(Build &build, const BlockedDims &blocks, Value result, const CommonDims &dims,
                   ArrayRef<int64_t> order, Value stack) {
  RankedTensorType type = typeOf(result);
  SmallVector<int64_t> padded, shape, back(order.size());
  for (auto [to, from] : llvm::enumerate(order)) {
    const int64_t d = dims[from], size = type.getDimSize(from);
    padded.push_back(d == kOwn ? size : blocks.countAlong(d) * blocks.sizeAlong(d));
    shape.push_back(size);
    back[from] = static_cast<int64_t>(to);
  }
  Value v = build.reshape(stack, padded);
  SmallVector<int64_t> zeros(shape.size(), 0), ones(shape.size(), 1);
  if (padded != shape) v = build.slice(v, zeros, shape, ones);
  stablehlo::TransposeOp own = transposeOf(result);
  if (!own) return result.replaceAllUsesWith(moved(build, v, back));
  SmallVector<int64_t> both;
  for (int64_t d : own.getPermutation()) both.push_back(back[d]);
  own.replaceAllUsesWith(moved(build, v, both));
  own->erase();
}

}  // namespace tpuc::fusion
