// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A nest in stretches along one dim, between the indices at which a mask of its values changes: a concatenation reads
// one operand at a time, a pad no array at all.
#pragma once
#include "passes/lowering/body/body.h"

namespace tpuc::lowering {

// Loop units [begin, end) of a block along domain dim `dim`.
struct Stretch {
  int64_t dim = kUnit, begin = 0, end = 0;
};

// The stretches of a nest over `dims` that evaluates `values`, in order; none where it is best walked as a whole.
llvm::SmallVector<Stretch> stretchesOf(const Body &body, Space &space, mlir::ValueRange values,
                                       llvm::ArrayRef<int64_t> dims);

// The indices of a stretch.
IndexRange indicesOf(const Domain &domain, const Stretch &stretch);

}  // namespace tpuc::lowering
