// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code that finds the first few of each sequence by groups.
#pragma once
#include "passes/lowering/sort/sort_network.h"

namespace tpuc::lowering {

void emitFirstGroups(Code &code, const FirstGroups &groups);

}  // namespace tpuc::lowering
