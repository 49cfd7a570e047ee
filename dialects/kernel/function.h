// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of lanes and their applications to arrays.
#pragma once
#include "dialects/kernel/kernel.h"
#include "mlir/IR/SymbolTable.h"
#define GET_OP_CLASSES
#include "dialects/kernel/function_ops.h.inc"

namespace tpuc::kernel {

// The function that is applied; a verified module has it.
FunctionOp functionOf(ApplyOp apply);

// Ops of a block, with those of the functions that it applies in their place.
size_t lengthOf(mlir::Block &block);

}  // namespace tpuc::kernel
