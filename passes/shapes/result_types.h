// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of an op's results once the sizes of its operands are known.
#pragma once
#include "passes/shapes/shape_values.h"

namespace tpuc::shapes {

// The result types of `op`, whose operands are of known size and were seen by `values`. A type stays dynamic where its
// size is not to be known. Fails after an error where the operands contradict the op.
mlir::FailureOr<llvm::SmallVector<mlir::Type>> resultTypes(mlir::Operation *op, const ShapeValues &values);

// What the op's own check says of the sizes, as an error of theirs.
mlir::LogicalResult checkSizes(mlir::Operation *op, llvm::function_ref<mlir::LogicalResult()> check);

}  // namespace tpuc::shapes
