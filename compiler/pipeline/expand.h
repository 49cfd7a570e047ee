// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The expand stage: its passes, of three folders, in order.
#pragma once
#include "mlir/Pass/PassManager.h"

namespace tpuc {

// What the stage has to know of a target, which passes that ask the planner load by `name` and `sets`. `floatArrays`:
// its matrix arrays do not take integers; `side`: of each.
struct ExpandTarget {
  std::string name;
  llvm::SmallVector<std::string> sets;
  int64_t vmemBytes, side;
  bool floatArrays;
  int64_t latencyBytes;  // that a chip sends in the time that a transfer to another one takes to begin
  int64_t hbmBytes;
  int64_t longRows;  // that take the matrix units as long as reading f32 weights for them
};
void buildExpandPipeline(mlir::OpPassManager &pm, const ExpandTarget &target, llvm::StringRef precision);

}  // namespace tpuc
