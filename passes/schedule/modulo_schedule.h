// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterative modulo scheduling: a time for each instruction of a loop's body, so that iterations can start every `ii`
// cycles.
#pragma once
#include <optional>
#include <vector>

#include "passes/schedule/liveness.h"
#include "passes/schedule/loop_body.h"

namespace tpuc::schedule {

struct ModuloSchedule {
  int ii = 0;
  int stages = 0;
  std::vector<int> time;    // by instruction, of the iteration's start
  std::vector<int> copies;  // by instruction: registers that its result needs in turn, so that each lives long enough
  int unroll = 1;           // of the kernel: the copies' common multiple

  int length() const;  // from an iteration's start to past its last instruction
};

struct ModuloLimits {
  int minIi = 1, maxIi = 0;
  int maxUnroll = 1;
  int64_t iterations = INT32_MAX;  // as far as they are known
  bool powerOfTwo = false;         // of the unrolling, for trip counts that are known at run time only
  ClassCounts registers{};         // that the kernel may use
};

// Nothing if no interval up to maxIi works.
std::optional<ModuloSchedule> moduloSchedule(const LoopBody &body, const std::vector<RegKind> &regs,
                                             const Resources &resources, const ModuloLimits &limits);

}  // namespace tpuc::schedule
