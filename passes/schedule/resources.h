// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an instruction takes of a bundle's slots and of the units' time, as counters that the list scheduler, the modulo
// scheduler and the verifier share.
#pragma once
#include <array>
#include <vector>

#include "passes/schedule/flow.h"
#include "runtime/timing/machine_model.h"

namespace tpuc::schedule {

// One kind of slot or unit. The matrix units count once an array.
enum ResourceClass : int {
  kScalar,
  kControl,
  kDma,
  kVLoad,
  kVStore,
  kVAlu,
  kEup,
  kXlu,
  kMxuWeight,
  kMxuPush = kMxuWeight + isa::kMaxMxus,
  kMxuPop = kMxuPush + isa::kMaxMxus,
  kNumClasses = kMxuPop + isa::kMaxMxus
};

// What one instruction takes: `cls` for `cycles` cycles, and a slot of `shared` in its bundle (-1 none): transcendental
// instructions stand in vector slots, DMA instructions in scalar ones.
struct Demand {
  int cls;
  int cycles;
  int shared = -1;
};

class Resources {
 public:
  explicit Resources(const timing::MachineModel &model);
  Demand demand(const MInst &inst) const;
  int limit(int cls) const { return limits_[cls]; }
  int latency(const MInst &inst) const { return latency_[static_cast<int>(inst.op)]; }
  // Cycles that an instruction keeps a unit busy after it has issued, whether or not it blocks the next one: weights
  // wait in a FIFO for the array's stage.
  int work(const MInst &inst) const;
  // Cycles between two pushes that add to the same accumulators.
  int chain(const MInst &inst) const { return inst.op == Op::MxuPushF ? chain_ : 1; }

 private:
  std::array<int, kNumClasses> limits_;
  std::array<int, isa::kNumOps> latency_, occupancy_;
  int chain_;
  std::array<int, isa::kNumOps> stage_;  // mxu.ldw.*
};

// Slots taken cycle after cycle, in ascending order of cycles.
class LinearTable {
 public:
  explicit LinearTable(const Resources &resources) : resources_(resources) {
    for (auto &units : busyUntil_) units.fill(0);
    used_.fill(0);
  }
  void nextCycle(int64_t cycle) {
    cycle_ = cycle;
    used_.fill(0);
  }
  bool fits(const Demand &d) const;
  void take(const Demand &d);
  // First cycle at which a unit of this class is free again.
  int64_t freeAt(int cls) const;

 private:
  static constexpr int kMaxUnits = 8;
  const Resources &resources_;
  int64_t cycle_ = 0;
  std::array<int, kNumClasses> used_;
  std::array<std::array<int64_t, kMaxUnits>, kNumClasses> busyUntil_;
};

// The same modulo an initiation interval: the rows of a kernel.
class ModuloTable {
 public:
  ModuloTable(const Resources &resources, int ii)
      : resources_(resources), ii_(ii), used_(static_cast<size_t>(ii) * kNumClasses, 0) {}
  bool fits(const Demand &d, int time) const;
  void take(const Demand &d, int time) { add(d, time, 1); }
  void give(const Demand &d, int time) { add(d, time, -1); }

 private:
  int &at(int row, int cls) { return used_[static_cast<size_t>(row) * kNumClasses + cls]; }
  int at(int row, int cls) const { return used_[static_cast<size_t>(row) * kNumClasses + cls]; }
  void add(const Demand &d, int time, int sign);
  const Resources &resources_;
  int ii_;
  std::vector<int> used_;
};

// Cycles that the busiest class needs for one pass over `insts`: the resource bound of an initiation interval.
int resourceBound(const Resources &resources, const std::vector<MInst> &insts);

}  // namespace tpuc::schedule
