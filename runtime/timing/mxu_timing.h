// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fast model of one systolic array: when its ports are free and its results there. runtime/timing/wave.h walks the
// same array cell by cell and agrees in every cycle.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "runtime/timing/machine_model.h"

namespace tpuc::timing {

// Cycles of one element type's pushes.
struct PushCycles {
  int64_t port = 0;    // the push port is taken
  int64_t result = 0;  // until a pop can read the groups
  int64_t again = 0;   // until the groups can be pushed to again: the f32 mode's chain starts from the accumulator
  int64_t groups = 1;  // of 8 rows
};

// Times are absolute cycles; calls come in program order.
class MxuTiming {
 public:
  struct Flight {  // rows on their way to accumulator groups
    int64_t first = 0, count = 0;
    int64_t step = 0;   // cycles from one group's results to the next one's
    int64_t ready = 0;  // of the last group
    int64_t again = 0;  // when it can be pushed to again
  };

  explicit MxuTiming(const MachineModel &model);

  // The earliest cycle from `t` in which the instruction can issue.
  int64_t pushAt(int64_t t, isa::Op op, int64_t group) const;
  int64_t popAt(int64_t t, int64_t group) const;
  // Whether the push port waits for weights that are still being staged.
  bool waitsForWeights(int64_t t) const { return t < weightsBy_; }

  void push(int64_t t, isa::Op op, int64_t group);
  // Weights wait in a FIFO until the stage is free; it is taken to be deep enough (four tiles on v1), as code swaps
  // once a tile.
  void stage(int64_t t, isa::Op op);
  // Never stalls: it takes effect once the rows before it have entered and the staged weights are there.
  void swap(int64_t t);

  // Everything that the future depends on, relative to `now` and with groups relative to `base`; the same words mean
  // the same future.
  void save(int64_t now, int64_t base, std::vector<int64_t> &words) const;
  const int64_t *restore(int64_t now, int64_t base, const int64_t *words);
  void shift(int64_t cycles, int64_t groups);

 private:
  const PushCycles &cycles(isa::Op op) const;
  void retire(int64_t now);

  PushCycles bf16_, int8_, f32_;
  int64_t stage_[3];
  int64_t swap_ = 0, weightLatency_ = 0;
  int64_t pushFree_ = 0;
  int64_t stageFree_ = 0;         // all weights so far have left the FIFO
  int64_t staged_ = 0;            // and those of the next swap are in place
  int64_t weightsBy_ = 0;         // pushFree_ is at least this because of weights
  int64_t drained_ = 0;           // results of all pushes so far
  isa::Op last_ = isa::Op::Halt;  // the last push: another type waits for the array to drain
  std::vector<Flight> flights_;   // oldest first; from flights_[head_]
  size_t head_ = 0;
};

// Groups a push adds to: 8 rows each.
inline int64_t pushGroups(isa::Op op) { return mxuRows(op) / isa::kSublanes; }

}  // namespace tpuc::timing
