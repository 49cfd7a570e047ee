// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel dialect: fusions and the layout of their arrays.
#pragma once
#include "dialects/kernel/kernel_dialect.h.inc"
#include "dialects/stablehlo/traits.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#define GET_OP_CLASSES
#include "dialects/kernel/kernel_ops.h.inc"

namespace tpuc::kernel {

// Elements of a vector, or of a row, of which single ones are looked up on chip.
constexpr int64_t kLargestTable = 1 << 22;

// Element types of the planes that hold an element type wider than a lane; none for those that a lane holds.
llvm::SmallVector<mlir::Type> planesOf(mlir::Type element);

// Whether all elements of `a`, in row-major order, lie where those of `b` do (runtime/isa/layout.h), padding aside.
bool haveSameBytes(mlir::RankedTensorType a, mlir::RankedTensorType b);

// Counters in a block and in those around it.
int64_t countersAround(mlir::Block &block);
// A counter's number among them, from 0 on: loops next to one another use the same.
int64_t numberOf(CounterOp counter);

}  // namespace tpuc::kernel
