// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One core in time: in-order issue of bundles against the scoreboard and the units.
#pragma once
#include <string>
#include <vector>

#include "runtime/timing/decode.h"
#include "runtime/timing/dma_timing.h"
#include "runtime/timing/mxu_timing.h"
#include "runtime/timing/scalar_unit.h"

namespace tpuc::timing {

class CoreTiming {
 public:
  CoreTiming(const DecodedProgram &program, const MachineModel &model, int semaphores, int id, Counters &counters,
             TimingObserver *observer);

  // Issues a bundle: waits for operands and units, then occupies them. Scalar registers are read before the bundle
  // writes them. False with `error()`.
  bool issue(uint32_t bundle, const ScalarUnit &scalar);

  int64_t now() const { return now_; }
  // Cycles in which nothing issues.
  void delay(int64_t cycles, Stall cause);
  // A core from cycle now() of `from` on, with one of `sharers` shares of the HBM channel: idle but for the transfers
  // that `from` has under way, which come first on the channel.
  void reset(const CoreTiming &from, int sharers);
  // Takes the channel over when `core` frees it.
  void shareChannel(const CoreTiming &core) { dma_.keepHbm(core.dma_.hbmFree()); }
  // To cycle `t`, in which the cores of a grid are done; their cycles are counted with them.
  void passTo(int64_t t) { now_ = std::max(now_, t); }

  // The state that the future depends on, relative to now, with the accumulator groups of array i relative to bases[i].
  void save(const int64_t *bases, std::vector<int64_t> &words) const;
  void restore(const std::vector<int64_t> &words);
  // Moves all times on by `cycles`, and each group by its own number.
  void shift(int64_t cycles, const int64_t *groups);
  void advance(int64_t cycles) { now_ += cycles; }

  const std::string &error() const { return error_; }

 private:
  int64_t operandsAt(const DecodedBundle &d, const DecodedBundle &next, Stall &cause) const;
  int64_t unitAt(int64_t t, const UnitOp &op, const ScalarUnit &scalar, Stall &cause);
  bool start(int64_t t, const UnitOp &op, const ScalarUnit &scalar);
  void startRemote(int64_t t, const UnitOp &op);
  void startDma(int64_t t, const UnitOp &op, int64_t semaphore);
  static int64_t valueOf(const UnitOp &op, const ScalarUnit &scalar) {
    return op.reg == isa::kNoReg ? op.imm : scalar.value(op.reg);
  }

  const DecodedProgram &program_;
  const MachineModel &model_;
  Counters &counters_;
  TimingObserver *observer_;
  int id_, sharers_ = 1;
  int64_t groups_;  // of an array's accumulators
  int64_t now_ = 0;
  int64_t ready_[kScoreboard] = {};
  Stall producer_[kScoreboard] = {};
  int64_t eupFree_ = 0;
  std::vector<int64_t> xluFree_;
  std::vector<MxuTiming> mxus_;
  DmaTiming dma_;
  int semaphores_;
  std::string error_;
};

}  // namespace tpuc::timing
