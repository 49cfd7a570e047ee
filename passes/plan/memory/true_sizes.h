// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where scalars are in SMEM that kernels read there: true sizes of a program that runs for several, which the runtime
// writes before a run, and counters of loops, which the entry writes in each iteration.
#pragma once
#include "dialects/kernel/counts.h"
#include "dialects/kernel/kernel.h"
#include "dialects/kernel/sizes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tpuc::plan {

inline constexpr int64_t kEntrySmemBytes = 64;  // of the entry routine: where predicates and indices of branches arrive

class TrueSizes {
 public:
  static constexpr int64_t kWord = 4,
                           kRuntimeBytes = 264,  // the device's number, that of devices, extents of up to 64 symbols
      kSystemBytes = kRuntimeBytes + kernel::kCounters * kWord;

  explicit TrueSizes(mlir::func::FuncOp main) {
    for (unsigned i = 0; i < main.getNumArguments(); ++i)
      if (main.getArgAttr(i, kernel::kExtentAttr)) sizes_.push_back(main.getArgument(i));
  }
  bool empty() const { return sizes_.empty(); }
  // SMEM's word with the true size that an argument of main has; -1 for others.
  int64_t wordOf(mlir::Value argument) const {
    const auto *found = llvm::find(sizes_, argument);
    const int64_t word = found - sizes_.begin();
    return found == sizes_.end() || (3 + word) * kWord > kRuntimeBytes ? -1 : kEntrySmemBytes + (2 + word) * kWord;
  }

 private:
  llvm::SmallVector<mlir::Value> sizes_;  // in the runtime's order
};

// Scalars that a launch over cores may spill, whose SMEM its kernels have too: as many as there are registers.
constexpr int64_t kLaunchSpillBytes = 32 * 8;

// Likewise of a counter.
inline int64_t counterWordOf(mlir::Value v) {
  auto counter = v.getDefiningOp<kernel::CounterOp>();
  return counter ? kEntrySmemBytes + TrueSizes::kRuntimeBytes + kernel::numberOf(counter) * TrueSizes::kWord : -1;
}

}  // namespace tpuc::plan
