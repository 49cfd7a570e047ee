//===- constants.h - constants of other dialects, and those whose bytes lie beside the module ---------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_COMPILER_FRONTEND_CONSTANTS_H
#define TPUC_COMPILER_FRONTEND_CONSTANTS_H

#include "mlir/IR/BuiltinOps.h"

namespace tpuc::frontend {

// Arrays of arith.constant become stablehlo.constant, and dense_resource<name> the elements of that resource. Fails,
// with an error at the op, where a resource is not there or has not as many bytes as its type says.
mlir::LogicalResult bringConstants(mlir::ModuleOp module);

}  // namespace tpuc::frontend

#endif  // TPUC_COMPILER_FRONTEND_CONSTANTS_H
