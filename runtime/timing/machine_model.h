// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each instruction occupies and when its result is ready on a target: the one cost model that the scheduler, the
// static timing and the executor's counters share.
#pragma once
#include <cstdint>
#include <string>

#include "runtime/isa/isa.h"
#include "runtime/target/target.h"

namespace tpuc::timing {

// Slots of a bundle, by resource. A transcendental takes a VAlu slot as well, a DMA instruction a scalar slot.
struct SlotLimits {
  int scalar, control, dma, vload, vstore, valu, eup, xlu, mxuWeight, mxuPush, mxuPop;  // the last three: one an array
};

// Rows of an operand that one mxu.push.* or mxu.ldw.* takes: 8 f32, 16 bf16, 32 int8. 0 for every other instruction.
int mxuRows(isa::Op op);

class MachineModel {
 public:
  explicit MachineModel(const target::Target &target);
  const target::Target &target() const { return target_; }
  const SlotLimits &slots() const { return slots_; }

  // Cycles from issue until a consumer of the result can issue without a stall. For the matrix unit the consumer is
  //   mxu.ldw.*  -> mxu.swap: 1, weights queue  mxu.swap -> mxu.push.* of the array, weights there
  //   mxu.push.* -> mxu.pop of its last group   mxu.pop  -> its vreg
  int latency(isa::Op op) const { return latency_[static_cast<int>(op)]; }
  // Cycles the unit (array port, EUP, XLU) is busy and refuses the next instruction of its kind; 1 for pipelined units.
  // mxu.swap occupies the push port, from when the rows before it have entered. mxu.ldw.* go into the weight FIFO.
  int occupancy(isa::Op op) const { return occupancy_[static_cast<int>(op)]; }
  // Cycles that a mxu.ldw.* takes to go from the weight FIFO into the array's stage.
  int stageCycles(isa::Op op) const {
    return stageCycles_[op == isa::Op::MxuLdwB ? 0 : op == isa::Op::MxuLdwI ? 1 : 2];
  }
  // Cycles between two f32 pushes to one accumulator group: the second's chains start from the first's results.
  int64_t chainCycles() const { return chainCycles_; }
  // Whether the target has the instruction (int8 pushes need an int8 array, v1 has nothing else).
  bool supports(isa::Op op) const;

  // HBM, for one of `sharers` cores: cycles a transfer keeps its share of the channel.
  int64_t hbmCycles(int64_t bytes, int sharers) const;
  int64_t localCycles(int64_t bytes) const;  // a copy that stays in the core
  int64_t dmaLatency(bool hbm) const { return hbm ? dmaLatency_ : localLatency_; }
  int64_t launchCycles() const { return launchCycles_; }
  // What a transfer costs on the HBM channel: every run rounded up to the granule, both sides where both are HBM.
  int64_t hbmBytes(const isa::DmaDescriptor &d) const;

 private:
  void setLatencies();
  void setMxu();
  target::Target target_;
  SlotLimits slots_;
  int latency_[isa::kNumOps];
  int occupancy_[isa::kNumOps];
  int stageCycles_[3];  // bf16, int8, f32
  int64_t dmaLatency_, localLatency_, launchCycles_, chainCycles_ = 0;
  double hbmBytesPerCycle_, dmaSetup_;
};

// Why a bundle of these instructions asks for more slots than there are; empty when it fits.
std::string checkSlots(const MachineModel &model, const isa::Inst *first, int count);

}  // namespace tpuc::timing
