// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/decompose/sort_order.h"

#include "dialects/stablehlo/sorts.h"
#include "passes/builders/build.h"

using namespace mlir;

namespace tpuc::decompose {
using builders::typeOf;
namespace {

// No order is so long that its numbers do not fit.
bool isWide(Value v) {
  auto type = dyn_cast<IntegerType>(typeOf(v).getElementType());
  return type && type.getWidth() >= 32;
}

// Whether an array has along `dim` the numbers from 0 on.
bool countsAlong(Value v, int64_t dim) {
  while (auto broadcast = v.getDefiningOp<stablehlo::BroadcastInDimOp>()) {
    ArrayRef<int64_t> dims = broadcast.getBroadcastDimensions();
    const int64_t from = llvm::find(dims, dim) - dims.begin();
    if (from == static_cast<int64_t>(dims.size()) ||
        typeOf(broadcast.getOperand()).getDimSize(from) != typeOf(v).getDimSize(dim))
      return false;
    v = broadcast.getOperand();
    dim = from;
  }
  auto iota = v.getDefiningOp<stablehlo::IotaOp>();
  return iota && static_cast<int64_t>(iota.getIotaDimension()) == dim && isWide(v);
}

bool areAlikeButUnits(RankedTensorType a, RankedTensorType b) {
  auto isNoUnit = [](int64_t n) { return n != 1; };
  return llvm::equal(llvm::make_filter_range(a.getShape(), isNoUnit), llvm::make_filter_range(b.getShape(), isNoUnit));
}

// Whether an op leaves numbers below that of its elements as they are, and where they are but for dims of one element:
// reshapes, conversions, and a bound that signed indices have.
bool keepsNumbers(Operation *op) {
  if (mlir::isa<stablehlo::MinOp>(op)) {
    DenseIntElementsAttr bound;
    const auto elements = static_cast<uint64_t>(typeOf(op->getResult(0)).getNumElements());
    return matchPattern(op->getOperand(1), m_Constant(&bound)) && bound.isSplat() &&
           bound.getSplatValue<APInt>().uge(elements) && !bound.getSplatValue<APInt>().isNegative();
  }
  return mlir::isa<stablehlo::ReshapeOp, stablehlo::BroadcastInDimOp, stablehlo::ConvertOp,
                   stablehlo::BitcastConvertOp>(op) &&
         areAlikeButUnits(typeOf(op->getOperand(0)), typeOf(op->getResult(0)));
}

// `v` before reshapes, broadcasts that only add dims of one element, and conversions.
Value withoutUnits(Value v) {
  while (Operation *op = v.getDefiningOp()) {
    if (!keepsNumbers(op)) break;
    Value from = op->getOperand(0);
    if (!isWide(from) || !isWide(v)) break;
    auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op);
    if (broadcast && !llvm::is_sorted(broadcast.getBroadcastDimensions())) break;
    v = from;
  }
  return v;
}

bool isFirst(stablehlo::SliceOp slice) {
  return llvm::all_of(slice.getStartIndices(), [](int64_t s) { return s == 0; }) &&
         llvm::all_of(slice.getStrides(), [](int64_t s) { return s == 1; });
}

}  // namespace

std::optional<SortOrder> sortOrderOf(Value indices, int64_t dim, ArrayRef<int64_t> shape) {
  Value order = withoutUnits(indices);
  SortOrder out;
  if (auto slice = order.getDefiningOp<stablehlo::SliceOp>()) {
    RankedTensorType type = typeOf(order);
    if (typeOf(slice.getOperand()).getShape() != shape || !isFirst(slice)) return std::nullopt;
    for (int64_t d = 0; d < type.getRank(); ++d)
      if (d != dim && type.getDimSize(d) != shape[d]) return std::nullopt;
    order = withoutUnits(slice.getOperand());
    out.isWhole = false;
  }
  out.sort = order.getDefiningOp<stablehlo::SortOp>();
  out.numbers = order;
  if (!out.sort || stablehlo::sortedDim(out.sort) != dim || typeOf(order).getShape() != shape ||
      !countsAlong(out.sort.getInputs()[cast<OpResult>(order).getResultNumber()], dim))
    return std::nullopt;
  return out;
}

}  // namespace tpuc::decompose
