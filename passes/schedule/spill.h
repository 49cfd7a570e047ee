// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Brings the number of live registers down to what the machine has, by code that keeps values in memory between uses.
#pragma once
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "passes/schedule/flow.h"
#include "passes/schedule/liveness.h"

namespace tpuc::schedule {

// Where spilled values live, and what was done.
struct SpillFrame {
  int64_t vmemWord = 0, smemByte = 0;    // first free places
  std::unordered_map<Reg, int> slots{};  // by register; its kind says in which memory
  int64_t vmemSlots = 0, smemSlots = 0;
  int64_t stores = 0, loads = 0;
};

// Rewrites `flow` so that at most `limit` registers of `kind` are live at once, and none across calls. Code can be
// placed into sequential blocks only: the numbers of the bundled blocks that would need it come back in `touched`, and
// `flow` is not to be used then. False with `error` when a value cannot be kept.
bool spillKind(Flow &flow, RegKind kind, int limit, SpillFrame &frame, std::set<int> &touched, std::string &error);

}  // namespace tpuc::schedule
