// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The grid around a step body: block transfers in and out, double-buffered, over a flattened sequence of steps.
#pragma once
#include <functional>

#include "llvm/ADT/StringMap.h"
#include "passes/lowering/grid/arrays.h"

namespace tpuc::lowering {

struct Step {
  llvm::SmallVector<Linear> index;       // block number along each domain dim
  mlir::Value first, last;               // i1: first and last of the sequential steps that share a parallel step
  llvm::SmallVector<mlir::Value> fresh;  // i1 an input: its block is not the step's before
};

using ResidentMap = llvm::StringMap<llvm::ArrayRef<Resident>>;  // by buffer: a place for each type that it has

class Grid {
 public:
  // `residents`: the arrays, by buffer, that lie in VMEM.
  Grid(const Domain &domain, llvm::ArrayRef<ArrayBlock *> inputs, llvm::ArrayRef<ArrayBlock *> results,
       const ResidentMap &residents);

  // Domain dims the grid walks, outermost first. Parallel steps are independent; sequential ones run in order on one
  // core.
  llvm::SmallVector<int64_t> parallel, sequential;
  int64_t backwards = -1;  // a dim whose last block comes first
  int64_t parallelSteps() const;
  int64_t sequentialSteps() const;
  bool exactTails = false;  // the body touches nothing past the extents of a short last block

  // Lays the blocks out in VMEM from `word` on; returns the first free word. Sets every block's slots.
  int64_t placeBlocks(int64_t word);
  // Emits the routine's code: steps [start, start + count) of the parallel ones. `body` sees the blocks' bases set.
  void emit(Code &code, mlir::Value start, mlir::Value count, llvm::function_ref<void(const Step &)> body);

 private:
  llvm::SmallVector<Linear> indexOf(Code &code, mlir::Value step) const;
  bool moves(const ArrayBlock &block) const;
  bool leavesEachStep(const ArrayBlock &block) const;
  void emitSingle(Code &code, llvm::function_ref<void(const Step &)> body);

  const Domain &domain_;
  llvm::SmallVector<ArrayBlock *> inputs_, results_;
};

}  // namespace tpuc::lowering
