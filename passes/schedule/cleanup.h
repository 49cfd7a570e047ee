// Small rewrites of sequential blocks around scheduling and spilling.
#pragma once
#include "passes/schedule/flow.h"
#include "passes/schedule/liveness.h"

namespace tpuc::schedule {

// Gives every value that begins and ends within a sequential block a register of its own, where its register holds other
// values too: nothing then waits for the reuse of a name, and live ranges fall apart.
void splitWebs(Flow &flow, const Liveness &liveness);

// Removes instructions of sequential blocks whose only effect is a result that nobody reads.
void removeDead(Flow &flow, const Liveness &liveness);

}  // namespace tpuc::schedule
