// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What reductions may start from.
#pragma once
#include "mlir/IR/Operation.h"

namespace tpuc::decompose {

// The element of type `t` that `op` combines with any x to x; null for an op that is not known.
mlir::Attribute neutralOf(mlir::Operation *op, mlir::Type t);
// The largest or the least element of a type of real numbers.
mlir::Attribute limitOf(mlir::Type t, bool largest);

}  // namespace tpuc::decompose
