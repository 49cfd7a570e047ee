// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/analysis/sorts.h"

using namespace mlir;

namespace tpuc::analysis {

static int64_t keptFirst(stablehlo::SliceOp slice, int64_t dim) {
  auto type = slice.getOperand().getType();
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (slice.getStartIndices()[d] != 0 || slice.getStrides()[d] != 1) return 0;
    if (d != dim && slice.getLimitIndices()[d] != type.getDimSize(d)) return 0;
  }
  return slice.getLimitIndices()[dim];
}

int64_t keptFirst(Value sorted, int64_t dim) {
  int64_t kept = 0;
  for (Operation *user : sorted.getUsers()) {
    auto slice = dyn_cast<stablehlo::SliceOp>(user);
    int64_t first = slice ? keptFirst(slice, dim) : 0;
    if (first == 0 || (kept && kept != first)) return 0;
    kept = first;
  }
  return kept;
}

bool isPositions(Value v, int64_t dim) {
  if (auto broadcast = v.getDefiningOp<stablehlo::BroadcastInDimOp>()) {
    ArrayRef<int64_t> dims = broadcast.getBroadcastDimensions();
    auto *at = llvm::find(dims, dim);
    auto from = cast<RankedTensorType>(broadcast.getOperand().getType());
    if (at == dims.end() || from.getDimSize(at - dims.begin()) != cast<RankedTensorType>(v.getType()).getDimSize(dim))
      return false;
    return isPositions(broadcast.getOperand(), at - dims.begin());
  }
  auto from = [](Value w) { return cast<RankedTensorType>(w.getType()).getShape(); };
  if (auto reshape = v.getDefiningOp<stablehlo::ReshapeOp>()) {
    // Unit dims come and go.
    auto shape = from(v), before = from(reshape.getOperand());
    auto isUnit = [](int64_t extent) { return extent == 1; };
    auto real = [&](ArrayRef<int64_t> dims) {
      return llvm::filter_to_vector(dims, [&](int64_t extent) { return !isUnit(extent); });
    };
    if (shape[dim] == 1 || real(shape) != real(before)) return false;
    int64_t place = dim - llvm::count_if(shape.take_front(dim), isUnit);
    for (int64_t d = 0; d < static_cast<int64_t>(before.size()); ++d)
      if (!isUnit(before[d]) && place-- == 0) return isPositions(reshape.getOperand(), d);
    return false;
  }
  auto iota = v.getDefiningOp<stablehlo::IotaOp>();
  auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(v.getType()));
  return iota && static_cast<int64_t>(iota.getIotaDimension()) == dim && type && type.getWidth() == 32;
}

}  // namespace tpuc::analysis
