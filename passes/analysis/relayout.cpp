// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dims as products of factors, through reshapes, transposes and broadcasts.
#include "passes/analysis/relayout.h"

#include "passes/analysis/strides.h"

using namespace mlir;

namespace tpuc::analysis {
namespace {

using Dim = SmallVector<Factor, 2>;  // outermost first, without those of one element
using Dims = SmallVector<Dim>;

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

// Takes factors off the end of `left` whose product is `size`; false where none ends there.
bool takeFactors(Dim &left, int64_t size, Dim &dim) {
  while (size > 1) {
    if (left.empty()) return false;
    Factor f = left.pop_back_val();
    if (size % f.size) {  // the outer part of it
      if (f.size % size) return false;
      Factor inner = f;
      inner.size = f.size / size;
      left.push_back(inner);
      f = {size, f.from, f.fromStride * inner.size};
    }
    size /= f.size;
    dim.push_back(f);
  }
  return true;
}

std::optional<Dims> reshaped(const Dims &dims, RankedTensorType to) {
  Dim left;  // innermost first
  for (const Dim &dim : llvm::reverse(dims)) left.append(dim.rbegin(), dim.rend());
  Dims out(to.getRank());
  for (auto [dim, size] : llvm::zip(out, to.getShape()))
    if (!takeFactors(left, size, dim)) return std::nullopt;
  return out;
}

Dims transposed(const Dims &dims, ArrayRef<int64_t> permutation) {
  return llvm::map_to_vector(permutation, [&](int64_t d) { return dims[d]; });
}

Dims broadcast(const Dims &dims, stablehlo::BroadcastInDimOp op) {
  RankedTensorType from = typeOf(op.getOperand()), to = op.getType();
  Dims out(to.getRank());
  for (auto [d, size] : llvm::enumerate(to.getShape()))
    if (size != 1) out[d] = {Factor{size, -1, 0}};
  for (auto [i, d] : llvm::enumerate(op.getBroadcastDimensions()))
    if (from.getDimSize(i) == to.getDimSize(d)) out[d] = dims[i];
  return out;
}

std::optional<Dims> after(Operation *op, const Dims &dims) {
  if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(op)) return reshaped(dims, reshape.getType());
  if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op)) return transposed(dims, transpose.getPermutation());
  return broadcast(dims, cast<stablehlo::BroadcastInDimOp>(op));
}

// Neighbours that go on at one distance on both sides are one.
void addJoined(SmallVector<Factor> &factors, const Factor &f) {
  if (!factors.empty()) {
    Factor &outer = factors.back();
    if (outer.to == f.to && outer.from == f.from && outer.fromStride == f.fromStride * f.size) {
      outer.size *= f.size;
      outer.fromStride = f.fromStride;
      outer.toStride = f.toStride;
      return;
    }
  }
  factors.push_back(f);
}

}  // namespace

bool isRelayoutOp(Operation *op) {
  if (!mlir::isa<stablehlo::ReshapeOp, stablehlo::TransposeOp, stablehlo::BroadcastInDimOp>(op)) return false;
  auto isMovable = [](RankedTensorType type) {
    Type t = type.getElementType();
    return type.hasStaticShape() && type.getNumElements() > 0 && t.isIntOrFloat() && kernel::planesOf(t).empty() &&
           (t.isInteger(1) || t.getIntOrFloatBitWidth() >= 8);
  };
  return isMovable(typeOf(op->getOperand(0))) && isMovable(typeOf(op->getResult(0)));
}

std::optional<Relayout> relayoutOf(ArrayRef<Operation *> ops) {
  if (!llvm::all_of(ops, isRelayoutOp)) return std::nullopt;
  Relayout out{typeOf(ops.front()->getOperand(0)), typeOf(ops.back()->getResult(0)), {}};
  if (out.from.getRank() < 2 || out.to.getRank() < 2) return std::nullopt;
  Dims dims(out.from.getRank());
  for (auto [d, size] : llvm::enumerate(out.from.getShape()))
    if (size != 1) dims[d] = {Factor{size, static_cast<int64_t>(d), 1}};
  for (Operation *op : ops) {
    auto next = after(op, dims);
    if (!next) return std::nullopt;
    dims = std::move(*next);
  }
  for (auto [d, dim] : llvm::enumerate(dims)) {
    int64_t stride = 1;
    for (Factor &f : llvm::reverse(dim)) {
      f.to = d;
      f.toStride = stride;
      stride *= f.size;
    }
    for (const Factor &f : dim) addJoined(out.factors, f);
  }
  if (out.factors.empty()) return std::nullopt;
  const Factor &lanes = out.lanes();
  const bool staysAlong = lanes.from == out.from.getRank() - 1 && lanes.fromStride == 1 &&
                          lanes.to == out.to.getRank() - 1 && lanes.toStride == 1;
  return staysAlong ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<Relayout> relayoutOf(kernel::FusionOp op) {
  SmallVector<Operation *> ops;
  if (op.getNumOperands() != 1 || op.getNumResults() != 1) return std::nullopt;
  Value v = op.getBlock().getArgument(0);
  for (Operation &inner : op.getBlock().without_terminator()) {
    if (inner.getNumOperands() != 1 || inner.getOperand(0) != v) return std::nullopt;
    ops.push_back(&inner);
    v = inner.getResult(0);
  }
  if (ops.empty() || op.getBlock().getTerminator()->getOperand(0) != v) return std::nullopt;
  return relayoutOf(ops);
}

}  // namespace tpuc::analysis
