// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Padding that a program asks for, at true ends: of pads, and of windows whose padding depends on sizes.
#pragma once
#include "passes/shapes/padder.h"

namespace tpuc::shapes {

// `value` with `low` and `high` elements of `fill` (a scalar) around the true elements of a dimension and `interior`
// ones between them, and its new extent.
mlir::FailureOr<std::pair<mlir::Value, Extent>> padDim(mlir::Operation *op, Padder &padder, mlir::Value value,
                                                       int64_t dim, mlir::Value fill, const Extent &low,
                                                       const Extent &high, int64_t interior);
// All dimensions; the result stands for that of `op`.
mlir::LogicalResult padTo(mlir::Operation *op, Padder &padder, mlir::Value value, mlir::Value fill,
                          llvm::ArrayRef<Extent> low, llvm::ArrayRef<Extent> high, llvm::ArrayRef<Extent> interior);

mlir::LogicalResult padReshape(mlir::Operation *op, Padder &padder);
mlir::LogicalResult padDynamicReshape(mlir::Operation *op, Padder &padder);

}  // namespace tpuc::shapes
