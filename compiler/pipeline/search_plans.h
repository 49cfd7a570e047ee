// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans by trial: others than the planner's, timed by the walk.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LLVM.h"

namespace tpuc {

struct PlanSearch {
  std::string target = "v5e", precision;
  llvm::SmallVector<std::string> sets;
  int64_t kernels = 4;  // of the longest
};
// `module`: as the stage plan leaves it. Each of its longest kernels gets the plan with which the program takes least
// time, of its own and those that differ in one block or in the order of two dims, and a remark of all that were tried.
// Fails, located, where the program cannot be timed as it is.
mlir::LogicalResult searchPlans(mlir::ModuleOp module, const PlanSearch &search);

// --tpuc-search-plans, behind --tpuc-plan-kernels.
void registerSearchPlansPass();

}  // namespace tpuc
