// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which vregs and masks are read later: a run of lane-by-lane instructions leaves only those behind. What a routine
// leaves in its vregs and masks is undefined for its caller, so nothing is live at a `ret`.
#pragma once
#include <bitset>
#include <vector>

#include "runtime/executor/core.h"

namespace tpuc::exec {

struct LiveRegisters {
  std::bitset<kVregs> vregs;
  std::bitset<kMasks> masks;
  bool operator==(const LiveRegisters &) const = default;
  void operator|=(const LiveRegisters &o) { vregs |= o.vregs, masks |= o.masks; }
};

struct LiveBlock {
  std::vector<DInst> insts;
  std::vector<int> successors;  // blocks
  LiveRegisters out;            // at its end
};

// Fills in `out` of every block.
void findLiveRegisters(std::vector<LiveBlock> &blocks);
// What is live before `i`, given what is live after it.
void stepBack(const DInst &i, LiveRegisters &live);

}  // namespace tpuc::exec
