// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The door of the scheduler: a routine of structured machine code over virtual registers goes in, bundles over physical
// registers come out.
//
//   0. tidy.h          invariants leave loops, addresses are stepped
//   1. pipeline.h      innermost straight-line loops are software-pipelined (iterative modulo scheduling)
//   2. flow.h          the tree becomes a list of blocks
//   3. list_schedule.h the other blocks become bundles, by critical path under a limit on live registers
//   4. spill.h         values that do not fit into the registers go to memory (furthest next use)
//   5. colour.h        physical registers (linear scan over live ranges with holes)
//   6. emit.h          branch targets, locations
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "passes/schedule/machine.h"
#include "runtime/timing/machine_model.h"

namespace tpuc::schedule {

struct Options {
  bool tidy = true;      // value numbering, invariants out of loops, stepped addresses
  bool pipeline = true;  // software-pipeline innermost loops
  // Registers the allocator may use (tests lower them; s31 is reserved and never counted).
  int scalars = isa::kNumScalars - 1, vregs = isa::kNumVregs, masks = isa::kNumMasks;
  int maxUnroll = 32;  // of a kernel, by modulo variable expansion
};

// What became of one innermost loop.
struct LoopStats {
  int32_t loc = -1;  // of its first instruction
  int instructions = 0;
  int resMii = 0, recMii = 0;
  int ii = 0;  // cycles an iteration in the kernel; 0: not pipelined
  int stages = 0, unroll = 0;
  int plainCycles = 0;  // an iteration of the plain schedule
};

struct Stats {
  std::vector<LoopStats> loops;
  int64_t instructions = 0, bundles = 0;
  int64_t spilledRegs = 0, spillStores = 0, spillLoads = 0;
  int rounds = 0;  // times the routine was scheduled before its registers fitted
};

// False with `error` when the routine is malformed or cannot be allocated.
bool scheduleRoutine(const machine::Routine &routine, const timing::MachineModel &model, machine::Scheduled &out,
                     std::string &error, const Options &options = {}, Stats *stats = nullptr);

// The invariants of a scheduled routine: slots of each bundle, one write of a register in a bundle, registers and
// fields in range, branch targets, s31 untouched; empty when it is sound.
std::string verifyScheduled(const machine::Scheduled &code, const timing::MachineModel &model, bool isEntry);

}  // namespace tpuc::schedule
