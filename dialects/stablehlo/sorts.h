// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts of stablehlo.sort.
#pragma once
#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::stablehlo {

// The dim that is sorted; `dimension` may count it from behind. 0 for scalars.
inline int64_t sortedDim(SortOp op) {
  const auto dim = static_cast<int64_t>(op.getDimension());
  const int64_t rank = llvm::cast<mlir::ShapedType>(op.getInputs().front().getType()).getRank();
  return rank == 0 ? 0 : dim < 0 ? dim + rank : dim;
}

}  // namespace tpuc::stablehlo
