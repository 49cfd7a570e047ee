// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vregs whose last lanes are zero whatever the data: rows of few features that a `v.ld` reads, and what follows from
// them. Whoever takes such a vreg apart need not read those lanes.
#pragma once
#include <vector>

#include "runtime/executor/live_registers.h"

namespace tpuc::exec {

// Sets `from` of the instructions that go by it. isEntry: by block, whether registers may have any contents there.
void findKnownZeros(std::vector<LiveBlock> &blocks, const std::vector<bool> &isEntry);

// Whether an instruction reads only the lanes of a source that its `from` says.
bool goesByFrom(isa::Op op);

}  // namespace tpuc::exec
