// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The strided dims of a block's transfer.
#pragma once
#include "passes/plan/grid/arrays.h"

namespace tpuc::plan {

struct StridedDim {
  int64_t count, array, block;  // strides in bytes, of the array and of what is in VMEM of it
};

inline constexpr int64_t kMostStridedDims = 4;  // of a descriptor

// Dims that are one run with the next become part of it, and neighbours of one stride one dim; outermost first.
llvm::SmallVector<StridedDim> joinStrides(llvm::ArrayRef<StridedDim> dims, int64_t &run);
// How many a block's transfer has, from or to HBM or the VMEM where the array stays; none where it is worked on there.
int64_t stridedDims(const ArrayBlock &block);

}  // namespace tpuc::plan
