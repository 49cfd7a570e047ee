// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entry routine: kernels in order, branches and loops around them.
#pragma once
#include "dialects/kernel/kernel.h"
#include "passes/lowering/code.h"
#include "passes/lowering/move/exchange.h"
#include "passes/plan/memory/buffers.h"

namespace tpuc::lowering {

// `lowerFusion` emits the call of a kernel at the builder's place.
mlir::LogicalResult emitEntry(mlir::func::FuncOp main, const BufferPlan &plan, const Exchanges &exchanges,
                              mlir::OpBuilder &b,
                              llvm::function_ref<mlir::LogicalResult(kernel::FusionOp, mlir::OpBuilder &)> lowerFusion);

}  // namespace tpuc::lowering
