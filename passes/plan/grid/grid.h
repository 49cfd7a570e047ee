// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The grid around a step body: which dims it walks, and where the blocks of a step lie in VMEM.
#pragma once
#include "llvm/ADT/StringMap.h"
#include "passes/plan/grid/arrays.h"
#include "runtime/timing/machine_model.h"

namespace tpuc::plan {

using ResidentMap = llvm::StringMap<llvm::ArrayRef<Resident>>;  // by buffer: a place for each type that it has

// Words that blocks move, each on its channel: from and to HBM, or within VMEM where their arrays lie there.
struct Moves {
  int64_t hbm = 0, local = 0;

  void add(const ArrayBlock &block);
  // Cycles in which the channels are busy, with HBM's bandwidth shared by `sharers` cores.
  double cycles(const timing::MachineModel &model, int sharers) const;
  // Cycles between a transfer's start and what waits for it, beside those; 0 where nothing moves.
  double latency(const timing::MachineModel &model) const;
};

class Grid {
 public:
  // `residents`: the arrays, by buffer, that lie in VMEM.
  Grid(const Domain &domain, llvm::ArrayRef<ArrayBlock *> inputs, llvm::ArrayRef<ArrayBlock *> results,
       const ResidentMap &residents);

  const Domain &domain() const { return domain_; }
  llvm::ArrayRef<ArrayBlock *> inputs() const { return inputs_; }
  llvm::ArrayRef<ArrayBlock *> results() const { return results_; }

  // Domain dims the grid walks, outermost first. Parallel steps are independent; sequential ones run in order on one
  // core.
  llvm::SmallVector<int64_t> parallel, sequential;
  int64_t backwards = -1;  // a dim whose last block comes first
  int64_t parallelSteps() const;
  int64_t sequentialSteps() const;
  bool exactTails = false;   // the body touches nothing past the extents of a short last block
  bool sharesWords = false;  // inputs that show the same parts of an operand lie in the same words
  // Whether a result changes with the sequential steps.
  bool leavesEachStep(const ArrayBlock &block) const;
  // Whether a result has one block in steps that follow one another: it leaves after the last of them.
  bool repeats(const ArrayBlock &block) const;

  // Steps of the core that has most of them, of `cores` that share the parallel ones.
  int64_t stepsOfCore(int cores) const;
  // Estimated cycles of all of these but the last, of blocks that are placed: each takes `step`, or the time of the
  // next one's transfers, with HBM's bandwidth shared by the cores.
  double overlappedCycles(const timing::MachineModel &model, double step, int cores) const;
  // What arrives for a step, and what leaves after one, if all of its blocks change.
  Moves arriving() const;
  Moves leaving() const;
  // Estimated cycles in which the first blocks arrive and the last ones leave, which nothing hides.
  double endCycles(const timing::MachineModel &model, int cores) const;

  // Lays the blocks out in VMEM from `word` on; returns the first free word. Sets every block's slots.
  int64_t placeBlocks(int64_t word);
  // Whether one descriptor moves each of the placed blocks.
  bool movesByOne() const;

 private:
  bool moves(const ArrayBlock &block) const;
  void layOutBlocks();
  const ArrayBlock *widestAround(const ArrayBlock &block) const;

  const Domain &domain_;
  llvm::SmallVector<ArrayBlock *> inputs_, results_;
};

}  // namespace tpuc::plan
