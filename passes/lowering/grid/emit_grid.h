// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code of a grid around a step body: block transfers in and out, double-buffered, over a flattened sequence of
// steps.
#pragma once
#include "passes/lowering/code.h"
#include "passes/lowering/grid/grid_ends.h"
#include "passes/plan/grid/grid.h"

namespace tpuc::lowering {

struct Step {
  llvm::SmallVector<Linear> index;       // block number along each domain dim
  mlir::Value first, last;               // i1: first and last of the sequential steps that share a parallel step
  llvm::SmallVector<mlir::Value> fresh;  // i1 an input: its block is not the step's before
};

// Emits the routine's code: steps [start, start + count) of the parallel ones. `body` sees the blocks' bases set. Also
// emits the code that counts the steps before `ends` (null: the grid's own).
void emitGrid(const Grid &grid, Code &code, mlir::Value start, mlir::Value count,
              llvm::function_ref<void(const Step &)> body, GridEnds *ends = nullptr);

}  // namespace tpuc::lowering
