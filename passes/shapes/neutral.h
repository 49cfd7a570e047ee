// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that a reduction leaves out.
#pragma once
#include "passes/simplify/patterns.h"

namespace tpuc::shapes {

simplify::Scalar numberScalar(mlir::Type element, int64_t value);
simplify::Scalar zeroScalar(mlir::Type element);
// The element that `op` combines with any x to x; nothing for an op that is not known.
std::optional<simplify::Scalar> neutralScalar(mlir::Operation *op, mlir::Type element);
// No number is smaller in total order: -NaN with all bits set of floats.
simplify::Scalar leastInTotalOrder(mlir::Type element);

// For each operand of a reduction with this body a scalar that it leaves out however often it comes: neutral ones of
// ops that are known; the initial values of a reducer that chooses one of its operands and never prefers these. Nothing
// where that is not certain.
std::optional<llvm::SmallVector<mlir::Value>> neutralElements(mlir::Block &body, mlir::ValueRange initials,
                                                              mlir::OpBuilder &builder, mlir::Location location);
// Are the initial values such? -0 and +0 are one here.
bool areNeutral(mlir::Block &body, mlir::ValueRange initials, mlir::OpBuilder &builder, mlir::Location location);

}  // namespace tpuc::shapes
