// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tpu dialect: one op for every instruction of runtime/isa's table, routines, buffers and scheduled bundles.
#pragma once
#include "dialects/tpu/tpu_dialect.h.inc"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "runtime/isa/isa.h"
#define GET_TYPEDEF_CLASSES
#include "dialects/tpu/tpu_types.h.inc"
#define GET_OP_CLASSES
#include "dialects/tpu/tpu_ops.h.inc"

namespace tpuc::tpu {

// The instruction's operands by slot: index into getOperands(), or -1. Fails (false) when they do not fit the table.
struct Slots {
  int source[3] = {-1, -1, -1};
  int mask = -1;
};
bool matchSlots(const isa::InstInfo &info, mlir::TypeRange operands, Slots &slots);

// Whether a routine only runs kernels, one after the other.
bool isLaunch(RoutineOp routine);
// One, empty but for its arguments: the first step and how many. It spills scalars behind so many bytes of SMEM, which
// the program gives a meaning; null: from the first one on.
RoutineOp createLaunch(mlir::OpBuilder &b, mlir::Location loc, mlir::StringRef name, mlir::IntegerAttr smemBytes);

}  // namespace tpuc::tpu
