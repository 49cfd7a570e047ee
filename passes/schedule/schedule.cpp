// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps of the scheduler, in order.
#include "passes/schedule/schedule.h"

#include "passes/schedule/allocate.h"
#include "passes/schedule/cleanup.h"
#include "passes/schedule/emit.h"
#include "passes/schedule/flow.h"
#include "passes/schedule/list_schedule.h"
#include "passes/schedule/pipeline.h"
#include "passes/schedule/tidy.h"

namespace tpuc::schedule {

namespace {

// One pass: false with `error`, or with loops in `allocation` that must be pipelined differently.
bool schedulePass(const machine::Routine &routine, const Resources &resources, const Options &options,
                  Pipeliner &pipeliner, Flow &flow, Allocation &allocation, std::string &error) {
  allocation = {};
  allocation.frame.vmemWord = routine.spillVmemWord;
  allocation.frame.smemByte = routine.spillSmemByte;
  pipeliner.restart();
  auto hook = [&](const machine::LoopNode &loop, FlowBuilder &builder, Flow &f) {
    return pipeliner.emit(loop, builder, f);
  };
  linearize(routine, hook, flow);
  Liveness liveness = computeLiveness(flow);
  removeDead(flow, liveness);
  splitWebs(flow, liveness);
  liveness = computeLiveness(flow);
  // Below the machine's numbers, so that an estimate that is off by a few does not spill.
  scheduleBlocks(flow, liveness, resources, {options.scalars - 2, options.vregs - 2, options.masks - 1});
  return allocate(flow, resources, options, allocation, error);
}

void report(const machine::Scheduled &out, const Pipeliner &pipeliner, const Allocation &allocation, int rounds,
            Stats &stats) {
  stats.loops = pipeliner.stats;
  stats.instructions = static_cast<int64_t>(out.code.size());
  stats.bundles = static_cast<int64_t>(out.bundleLoc.size());
  stats.spilledRegs = allocation.spilledRegs;
  stats.spillStores = allocation.frame.stores;
  stats.spillLoads = allocation.frame.loads;
  stats.rounds = rounds;
}

}  // namespace

bool scheduleRoutine(const machine::Routine &routine, const timing::MachineModel &model, machine::Scheduled &out,
                     std::string &error, const Options &options, Stats *stats) {
  Resources resources(model);
  Allocation allocation;
  Flow flow;
  int rounds = 1;
  if (!checkRoutine(routine, error)) {
    error = "routine '" + routine.name + "': " + error;
    return false;
  }
  error.clear();
  machine::Routine tidied = routine;
  if (options.tidy) tidy(tidied, resources);
  Pipeliner pipeliner(resources, options, constantsOf(tidied));
  while (!schedulePass(tidied, resources, options, pipeliner, flow, allocation, error)) {
    if (allocation.brokenLoops.empty() || !error.empty()) break;
    for (int loop : allocation.brokenLoops) pipeliner.relax(loop);
    ++rounds;
  }
  if (!error.empty() || !emit(flow, routine.isEntry, out, error)) {
    error = "routine '" + routine.name + "': " + error;
    return false;
  }
  out.spillVmemWords = allocation.frame.vmemSlots * isa::kSublanes;
  out.spillSmemBytes = allocation.frame.smemSlots * 8;
  out.spilledRegs = allocation.spilledRegs;
  out.pipelinedLoops = 0;
  for (const LoopStats &loop : pipeliner.stats) out.pipelinedLoops += loop.ii > 0;
  if (stats) report(out, pipeliner, allocation, rounds, *stats);
  return true;
}

}  // namespace tpuc::schedule
