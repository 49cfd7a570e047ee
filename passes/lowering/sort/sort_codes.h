// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An element as one integer, with its position where that tells equal ones apart.
#pragma once
#include "mlir/IR/BuiltinTypes.h"
#include "passes/lowering/code.h"

namespace tpuc::lowering {

// A float in JAX's order: zeros of both signs are equal, NaNs are equal and last, and of equal ones the first stays
// first. Lanes are of f32, or of f16 and bf16 as `SortOrder::keptType` has them; positions are below 2^22 - 1.
mlir::Value codeOf(Code &c, mlir::Type element, mlir::Value lanes, mlir::Value positions);
// The element again; a NaN keeps its sign and comes out quiet.
mlir::Value elementOf(Code &c, mlir::Type element, mlir::Value code);

}  // namespace tpuc::lowering
