// The steps of the scheduler, in order.
#include "passes/schedule/schedule.h"

#include "passes/schedule/allocate.h"
#include "passes/schedule/cleanup.h"
#include "passes/schedule/emit.h"
#include "passes/schedule/flow.h"
#include "passes/schedule/list_schedule.h"

namespace tpuc::schedule {

bool scheduleRoutine(const machine::Routine &routine, const timing::MachineModel &model, machine::Scheduled &out,
                     std::string &error, const Options &options, Stats *stats) {
  Resources resources(model);
  Allocation allocation;
  allocation.frame.vmemWord = routine.spillVmemWord;
  allocation.frame.smemByte = routine.spillSmemByte;
  Flow flow;
  if (!linearize(routine, nullptr, flow, error)) return false;
  Liveness liveness = computeLiveness(flow);
  removeDead(flow, liveness);
  splitWebs(flow, liveness);
  liveness = computeLiveness(flow);
  // Below the machine's numbers, so that an estimate that is off by a few does not spill.
  scheduleBlocks(flow, liveness, resources, {options.scalars - 2, options.vregs - 2, options.masks - 1});
  if (!allocate(flow, resources, options, allocation, error) || !emit(flow, routine.isEntry, out, error)) {
    error = "routine '" + routine.name + "': " + error;
    return false;
  }
  out.spillVmemWords = allocation.frame.vmemSlots * isa::kSublanes;
  out.spillSmemBytes = allocation.frame.smemSlots * 8;
  out.spilledRegs = allocation.spilledRegs;
  out.pipelinedLoops = 0;
  return true;
}

}  // namespace tpuc::schedule
