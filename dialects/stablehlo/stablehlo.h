//===- stablehlo.h - the stablehlo dialect ------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Include this one. Each family of ops has a .td beside it, and a .cpp with its verifiers.
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_STABLEHLO_STABLEHLO_H
#define TPUC_DIALECTS_STABLEHLO_STABLEHLO_H

#include "dialects/stablehlo/dialect.h.inc"
#include "dialects/stablehlo/enums.h.inc"
#include "dialects/stablehlo/traits.h"
#include "dialects/stablehlo/types.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_TYPEDEF_CLASSES
#include "dialects/stablehlo/typedefs.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/stablehlo/attributes.h.inc"

#define GET_OP_CLASSES
#include "dialects/stablehlo/reduction.h.inc"
#define GET_OP_CLASSES
#include "dialects/stablehlo/elementwise.h.inc"
#define GET_OP_CLASSES
#include "dialects/stablehlo/shape.h.inc"
#define GET_OP_CLASSES
#include "dialects/stablehlo/contraction.h.inc"
#define GET_OP_CLASSES
#include "dialects/stablehlo/indexing.h.inc"
#define GET_OP_CLASSES
#include "dialects/stablehlo/control.h.inc"
#define GET_OP_CLASSES
#include "dialects/stablehlo/collective.h.inc"
#define GET_OP_CLASSES
#include "dialects/stablehlo/linalg.h.inc"
#define GET_OP_CLASSES
#include "dialects/stablehlo/dynamic.h.inc"

namespace mlir {
class DialectRegistry;
}  // namespace mlir

namespace tpuc {
// stablehlo, chlo, check, func and quant.
void registerStablehloDialects(mlir::DialectRegistry &registry);
}  // namespace tpuc

#endif  // TPUC_DIALECTS_STABLEHLO_STABLEHLO_H
