// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bitcast_convert between widths as integer ops.
#pragma once
#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::legalise {

// Leaves casts between types of one width, and those of booleans, as they are.
void expandBitcast(stablehlo::BitcastConvertOp op);

}  // namespace tpuc::legalise
