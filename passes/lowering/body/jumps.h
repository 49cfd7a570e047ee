// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bf16 where its last bits decide. Inside a kernel bf16 is f32, and nothing rounds it but stores. An op that jumps
// where its operand changes by a rounding would jump elsewhere in another kernel, or than the program's own rounding
// says: an element would not equal the maximum that was found of it.
#pragma once
#include "passes/lowering/code.h"

namespace tpuc::lowering {

// Comparisons, roundings to integers, remainders, powers: of negative numbers only whole ones are numbers.
bool jumps(mlir::Operation *op);
// Those, and conversions of bf16 to f32 that such an op, or another kernel, sees. Only what such an op is given itself
// is rounded; the ops that make it have f32 in between.
bool wantsRounded(mlir::Operation *op);
// Lanes of a value as the program rounds them: themselves where they are.
mlir::Value asRounded(Code &code, mlir::Value value, mlir::Value lanes);

}  // namespace tpuc::lowering
