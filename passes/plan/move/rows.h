// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of an array that move by themselves: how one lies in HBM, and in VMEM.
#pragma once
#include "passes/plan/kernels.h"

namespace tpuc::plan {

struct Rows {
  Origin origin;
  Array array;
  int64_t perWord = 1;  // rows that share words
  int64_t words = 0;    // of a row
  Rows(const Origin &origin, const Array &array);
  int64_t slotWords() const { return llvm::alignTo(words, 8); }
  // One transfer's run of bytes, and how many of them a tile's bytes apart.
  int64_t run() const { return array.rank() == 1 ? 4 : array.rank() == 2 ? isa::kWordBytes : words * isa::kWordBytes; }
  llvm::SmallVector<int64_t> counts() const {
    return array.rank() == 2 && words > 1 ? llvm::SmallVector<int64_t>{words} : llvm::SmallVector<int64_t>();
  }
};

}  // namespace tpuc::plan
