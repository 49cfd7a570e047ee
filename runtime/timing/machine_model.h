// What each instruction occupies and when its result is ready on a target: the one cost model that the scheduler, the
// static timing and the executor's counters share.
#pragma once
#include <cstdint>

#include "runtime/isa/isa.h"
#include "runtime/target/target.h"

namespace tpuc::timing {

// Slots of a bundle, by resource. Eup shares VAlu's slots.
struct SlotLimits {
  int scalar, control, dma, vload, vstore, valu, xlu, mxuWeight, mxuPush, mxuPop;  // the last three: one an array
};

class MachineModel {
 public:
  explicit MachineModel(const target::Target &target);
  const target::Target &target() const { return target_; }
  const SlotLimits &slots() const { return slots_; }

  // Cycles from issue until a consumer of the result can issue without a stall.
  int latency(isa::Op op) const { return latency_[static_cast<int>(op)]; }
  // Cycles the unit (array, EUP, XLU) is busy and refuses the next instruction of its kind; 1 for pipelined units.
  int occupancy(isa::Op op) const { return occupancy_[static_cast<int>(op)]; }

 private:
  target::Target target_;
  SlotLimits slots_;
  int latency_[isa::kNumOps];
  int occupancy_[isa::kNumOps];
};

}  // namespace tpuc::timing
