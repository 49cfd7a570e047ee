// Outcomes of control flow that depend on data, in program order: what a timing model cannot know from the code.
#pragma once
#include <cstdint>
#include <vector>

namespace tpuc::exec {

struct ControlTrace {
  // Of each bz and bnz: 1 taken, 0 not; of each loop with a register count: the count.
  std::vector<int64_t> outcomes;
  // Of each grid: the traces of its cores, by core. Core i of n runs steps [count * i / n, count * (i + 1) / n).
  std::vector<std::vector<ControlTrace>> grids;
};

}  // namespace tpuc::exec
