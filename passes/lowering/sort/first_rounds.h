// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code of rounds that find the first few of each sequence.
#pragma once
#include "passes/lowering/sort/sort_network.h"

namespace tpuc::lowering {

void emitFirstRounds(Code &code, const FirstRounds &rounds);

}  // namespace tpuc::lowering
