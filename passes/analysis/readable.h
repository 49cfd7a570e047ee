// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a kernel's arrays can be read in an index space.
#pragma once
#include "passes/analysis/domain.h"

namespace tpuc::analysis {

// Whether the positions of a shuffled view, which are those of vregs, are the space's `rows` and `lanes`. Other arrays
// are read along any dims.
bool isShuffledAlong(DimClasses &classes, const OrderedArray &array, int64_t rows, int64_t lanes);

// Whether all arrays can be read in the space of `hero`: none has the space's lanes elsewhere than in its last dim.
bool allowsAll(DimClasses &classes, const OrderedArray &hero, llvm::ArrayRef<OrderedArray> arrays);

}  // namespace tpuc::analysis
