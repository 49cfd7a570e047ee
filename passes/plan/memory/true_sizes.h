// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where in SMEM the true sizes of a program are that runs for several: the runtime writes them before a run.
#pragma once
#include "dialects/kernel/sizes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tpuc::plan {

inline constexpr int64_t kEntrySmemBytes = 64;  // of the entry routine: where predicates and indices of branches arrive

class TrueSizes {
 public:
  static constexpr int64_t kWord = 4,
                           kSystemBytes = 264;  // the device's number, that of devices, extents of up to 64 symbols

  explicit TrueSizes(mlir::func::FuncOp main) {
    for (unsigned i = 0; i < main.getNumArguments(); ++i)
      if (main.getArgAttr(i, kernel::kExtentAttr)) sizes_.push_back(main.getArgument(i));
  }
  bool empty() const { return sizes_.empty(); }
  // SMEM's word with the true size that an argument of main has; -1 for others.
  int64_t wordOf(mlir::Value argument) const {
    const auto *found = llvm::find(sizes_, argument);
    const int64_t word = found - sizes_.begin();
    return found == sizes_.end() || (3 + word) * kWord > kSystemBytes ? -1 : kEntrySmemBytes + (2 + word) * kWord;
  }

 private:
  llvm::SmallVector<mlir::Value> sizes_;  // in the runtime's order
};

}  // namespace tpuc::plan
