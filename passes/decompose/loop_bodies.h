// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts and scatters whose computations loop, or read values from outside, which no kernel of theirs does.
#pragma once
#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::decompose {

// Each element's rank, the number of elements that the comparator puts before it, is computed on all pairs; the sort is
// then one of ranks. Replaces the op.
void sortByRank(stablehlo::SortOp op);
// What the comparator reads of outside becomes arrays that are sorted with the others. Replaces the op.
void sortWithCaptures(stablehlo::SortOp op);
// One window after the other, in a loop: it is gathered, combined and put back. Replaces the op.
void scatterInTurn(stablehlo::ScatterOp op);

}  // namespace tpuc::decompose
