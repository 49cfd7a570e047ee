// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Register allocation of a scheduled routine: spilling, colouring, and the scheduling of what spilling has changed.
#pragma once
#include <set>
#include <string>

#include "passes/schedule/flow.h"
#include "passes/schedule/resources.h"
#include "passes/schedule/schedule.h"
#include "passes/schedule/spill.h"

namespace tpuc::schedule {

struct Allocation {
  SpillFrame frame;
  int64_t spilledRegs = 0;
  std::set<int> brokenLoops;  // pipelined loops that would need spill code in their steady state
};

// `flow` has bundles over virtual registers; afterwards bundles over physical ones. False with `error`, or with
// `brokenLoops` when loops have to be pipelined differently first.
bool allocate(Flow &flow, const Resources &resources, const Options &options, Allocation &result, std::string &error);

}  // namespace tpuc::schedule
