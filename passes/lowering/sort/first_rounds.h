// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code of rounds that find the first few of each sequence.
#pragma once
#include "passes/lowering/sort/sort_network.h"

namespace tpuc::lowering {

inline constexpr int64_t kFoundRegion = 2000;  // of what the rounds find

void emitFirstRounds(Code &code, const FirstRounds &rounds);

}  // namespace tpuc::lowering
