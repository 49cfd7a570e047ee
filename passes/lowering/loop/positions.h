// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a reduction's region knows of positions, as the largest element's: of two equal ones an argmax takes the first.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "passes/lowering/body/region.h"

namespace tpuc::lowering {

// Comparisons of the positions that two sides of the region have along the one reduced dim, where its elements are met
// in order: what has been found lies before what comes. Only of those for which it makes no difference if both are one
// position, as an initial value's may be.
KnownMasks positionsMet(stablehlo::ReduceOp reduce);

}  // namespace tpuc::lowering
