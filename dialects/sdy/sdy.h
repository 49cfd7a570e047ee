//===- sdy.h - the sdy dialect ----------------------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_SDY_SDY_H
#define TPUC_DIALECTS_SDY_SDY_H

#include "dialects/sdy/sdy_dialect.h.inc"
#include "dialects/sdy/sdy_enums.h.inc"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_ATTRDEF_CLASSES
#include "dialects/sdy/sdy_attributes.h.inc"
#include "dialects/sdy/sdy_interfaces.h.inc"

#define GET_OP_CLASSES
#include "dialects/sdy/sdy.h.inc"

namespace mlir {
class DialectRegistry;
}  // namespace mlir

namespace tpuc {
void registerSdyDialect(mlir::DialectRegistry &registry);
}  // namespace tpuc

#endif  // TPUC_DIALECTS_SDY_SDY_H
