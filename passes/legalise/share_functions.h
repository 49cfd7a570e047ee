// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long functions of f64, each compiled once for several arguments.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tpuc::legalise {

// Equal functions that do not depend on each other become one of their arguments side by side.
void shareFunctions(mlir::func::FuncOp func);

}  // namespace tpuc::legalise
