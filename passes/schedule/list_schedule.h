// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// List scheduling of a block by critical path, throttled when registers become scarce.
#pragma once
#include "passes/schedule/flow.h"
#include "passes/schedule/liveness.h"
#include "passes/schedule/resources.h"

namespace tpuc::schedule {

struct BlockSchedule {
  std::vector<int32_t> order;  // instructions, bundle by bundle
  std::vector<int32_t> ends;
  int cycles = 0;  // until the last one has issued
};

// `insts` in sequential order. `live` counts the registers live at the block's end, `liveOut` says which they are;
// `limits` is what the block may use of each kind before instructions that need another register are held back.
BlockSchedule listSchedule(const std::vector<MInst> &insts, const std::vector<RegKind> &regs,
                           const Resources &resources, const RegSet *liveIn, const RegSet *liveOut,
                           const ClassCounts &limits);

// Schedules every block that has no bundles yet.
void scheduleBlocks(Flow &flow, const Liveness &liveness, const Resources &resources, const ClassCounts &limits);

}  // namespace tpuc::schedule
