// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arena: one buffer of HBM in which temporaries lie by first fit over their lives.
#pragma once
#include "passes/plan/memory/storage.h"

namespace tpuc::plan {

// An array of the arena: the kernels between which it is alive, its bytes and where they begin.
struct Interval {
  mlir::Value value;
  int64_t storage;
  int64_t first, last, size, offset = 0;
  // The storage whose last reader makes this array, each block of it once it has read that of the other: both may lie
  // at one place. -1: none.
  int64_t over = -1;
};

// Fills in `over`, of intervals of `map`'s storages. None is replaced by two.
void findReplaced(mlir::func::FuncOp main, const StorageMap &map, llvm::MutableArrayRef<Interval> intervals);

// Chooses the offsets of intervals that come in order of definition. The bytes of all of them.
int64_t placeIntervals(llvm::SmallVectorImpl<Interval> &intervals);

// The kernel at which most bytes are alive; of equal ones the first in their order.
int64_t peakOf(llvm::ArrayRef<Interval> intervals);

}  // namespace tpuc::plan
