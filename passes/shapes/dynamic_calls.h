// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Custom calls that JAX makes where a size is symbolic: the op that each is once its sizes are known.
#pragma once
#include "passes/shapes/shape_values.h"

namespace tpuc::shapes {

// Replaces a `stablehlo.dynamic_*` call whose shape operands are known by its op. False for other calls, and where they
// are not known.
mlir::FailureOr<bool> replaceDynamicCall(stablehlo::CustomCallOp call, const ShapeValues &values,
                                         mlir::SmallVectorImpl<mlir::Operation *> &made);

// A `shape_assertion`: an error with the program's own message where it does not hold, else it goes.
mlir::FailureOr<bool> checkAssertion(stablehlo::CustomCallOp call, const ShapeValues &values);

// Result types of a call that names its shape operands (`indices_of_shape_operands`); nothing for others.
std::optional<llvm::SmallVector<mlir::Type>> typesByOperands(stablehlo::CustomCallOp call, const ShapeValues &values);

// The computation that a call names as the body of an op: func.return becomes stablehlo.return.
mlir::LogicalResult copyCalledBody(stablehlo::CustomCallOp call, mlir::Region &region);

// Drops the operands that said the shapes of its results, as the call of known sizes has none.
void dropShapeOperands(stablehlo::CustomCallOp call);

}  // namespace tpuc::shapes
