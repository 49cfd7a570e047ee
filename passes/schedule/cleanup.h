// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small rewrites around scheduling and spilling.
#pragma once
#include "passes/schedule/flow.h"
#include "passes/schedule/liveness.h"

namespace tpuc::schedule {

// Gives values that have nothing to do with each other registers of their own, where they share one (webs: the live
// places of a register that control flow connects): nothing then waits for the reuse of a name, and live ranges fall
// apart.
void splitWebs(Flow &flow, const Liveness &liveness);

// Removes instructions of sequential blocks whose only effect is a result that nobody reads.
void removeDead(Flow &flow, const Liveness &liveness);

}  // namespace tpuc::schedule
