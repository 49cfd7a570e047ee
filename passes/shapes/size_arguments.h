// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments that hold a size: what older exports of JAX have in front of the arrays, one for each symbol.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tpuc::shapes {

// The operands that say the shape of an op's results, or where in its operands they lie; none for other ops.
llvm::SmallVector<mlir::Value> shapeOperands(mlir::Operation *op);

// Scalar integers of main from which shapes are computed.
llvm::SmallVector<unsigned> sizeArguments(mlir::func::FuncOp main);

}  // namespace tpuc::shapes
