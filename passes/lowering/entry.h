// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entry routine: kernels in order, branches and loops around them.
#pragma once
#include "dialects/kernel/kernel.h"
#include "passes/lowering/code.h"
#include "passes/lowering/memory/buffers.h"
#include "passes/lowering/move/exchange.h"

namespace tpuc::lowering {

inline constexpr int64_t kEntrySmemBytes = 64;  // where predicates and indices of branches arrive

// `lowerFusion` emits the call of a kernel at the builder's place.
mlir::LogicalResult emitEntry(mlir::func::FuncOp main, const BufferPlan &plan, const Exchanges &exchanges,
                              mlir::OpBuilder &b,
                              llvm::function_ref<mlir::LogicalResult(kernel::FusionOp, mlir::OpBuilder &)> lowerFusion);

}  // namespace tpuc::lowering
