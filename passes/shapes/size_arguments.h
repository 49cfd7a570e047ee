// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments that hold a size: what older exports of JAX have in front of the arrays, one for each symbol.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tpuc::shapes {

// Scalar integers of main from which shapes are computed.
llvm::SmallVector<unsigned> sizeArguments(mlir::func::FuncOp main);

}  // namespace tpuc::shapes
