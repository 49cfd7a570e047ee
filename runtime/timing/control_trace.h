// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run tells the timing walk about control flow that depends on data, and how a grid's steps fall to cores.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

namespace tpuc::timing {

// Outcomes in program order. Without it the walk interprets the scalar unit and refuses to guess what came from
// tensors.
struct ControlTrace {
  // For each bz and bnz 1 where it was taken, else 0; for each loop with a register count the count.
  std::vector<int64_t> outcomes;
  // For each grid the traces of its cores, by core.
  std::vector<std::vector<ControlTrace>> grids;
};

// The steps of a grid that a core runs: first, count.
inline std::pair<int64_t, int64_t> gridShare(int64_t steps, int cores, int core) {
  int64_t first = steps * core / cores;
  return {first, steps * (core + 1) / cores - first};
}

}  // namespace tpuc::timing
