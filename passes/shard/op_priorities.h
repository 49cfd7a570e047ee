//===- op_priorities.h - which ops pass shardings on before which ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_SHARD_OP_PRIORITIES_H
#define TPUC_PASSES_SHARD_OP_PRIORITIES_H

#include "passes/shard/propagator.h"

namespace tpuc::shard {

constexpr int kOpPriorities = 5;
// In which directions an op passes shardings on once priorities up to `priority` are open.
Direction directionAt(mlir::Operation *op, int priority);

// Propagates through all ops at once, with one strategy after the other.
void runStrategies(Propagator &propagator, llvm::ArrayRef<Strategy> strategies);
// Ops by priority, with all strategies at each.
void runOpPriorities(Propagator &propagator, llvm::ArrayRef<Strategy> strategies);

// A pass of the strategy that is named: basic, aggressive, or basic-then-aggressive. Fails with an error for another
// name.
mlir::LogicalResult propagate(mlir::ModuleOp module, llvm::StringRef strategy, PropagationOptions options,
                              llvm::function_ref<void(Propagator &, llvm::ArrayRef<Strategy>)> steps);

}  // namespace tpuc::shard

#endif  // TPUC_PASSES_SHARD_OP_PRIORITIES_H
