// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which vregs and masks are read later: a run of lane-by-lane instructions leaves only those behind. What a routine
// leaves in its vregs and masks is undefined for its caller, so nothing is live at a `ret`. And of each, how much is:
// arrays of 32 features are stored from 32 of 128 lanes, and what is computed for those needs no others.
#pragma once
#include <algorithm>
#include <array>
#include <bitset>
#include <vector>

#include "runtime/executor/core.h"

namespace tpuc::exec {

// The first sublanes of a vreg or mask, and the first lanes of each.
struct VregExtent {
  uint8_t sublanes = 0, lanes = 0;
  bool operator==(const VregExtent &) const = default;
  void operator|=(VregExtent o) { sublanes = std::max(sublanes, o.sublanes), lanes = std::max(lanes, o.lanes); }
};
inline constexpr VregExtent kWholeVreg{isa::kSublanes, isa::kLanes};
inline VregExtent extentOf(const DInst &store) { return {store.sublanes, store.lanes}; }
inline bool storesAll(const DInst &store) { return store.m == kNone && extentOf(store) == kWholeVreg; }

// Puts rows of narrow types side by side in words, or takes them apart: lanes stay.
bool packs(isa::Op op);

struct LiveRegisters {
  std::bitset<kVregs> vregs;
  std::bitset<kMasks> masks;
  std::array<VregExtent, kVregs> vregExtents{};
  std::array<VregExtent, kMasks> maskExtents{};
  bool operator==(const LiveRegisters &) const = default;
  void operator|=(const LiveRegisters &o);
  VregExtent extent() const;  // of all of them
};

struct LiveBlock {
  std::vector<DInst> insts;
  std::vector<int> successors;  // blocks
  LiveRegisters out;            // at its end
};

// Fills in `out` of every block, and `resultLanes` of their instructions.
void findLiveRegisters(std::vector<LiveBlock> &blocks);
// What is live before `i`, given what is live after it.
void stepBack(const DInst &i, LiveRegisters &live);

}  // namespace tpuc::exec
