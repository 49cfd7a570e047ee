// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What of a sort a program needs: the first results only, and positions that no array has to hold.
#pragma once
#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::analysis {

// How many of the first elements along `dim` all users of a sort's result take by slices; 0: any takes others.
int64_t keptFirst(mlir::Value sorted, int64_t dim);
// Whether element i along `dim` is i, as 32 bits.
bool isPositions(mlir::Value v, int64_t dim);

}  // namespace tpuc::analysis
