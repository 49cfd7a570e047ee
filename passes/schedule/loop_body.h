// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An innermost loop's body, prepared for modulo scheduling: one assignment of a register an iteration, induction
// variables that addresses absorb, and the dependences within and between iterations.
#pragma once
#include <vector>

#include "passes/schedule/dependence.h"
#include "passes/schedule/flow.h"
#include "passes/schedule/resources.h"

namespace tpuc::schedule {

// A use of an induction variable whose instruction has an immediate added to it: it can read a later or earlier value
// when the immediate makes up for the steps between.
struct AbsorbedUse {
  int add = -1;        // instruction that steps the variable; -1: this instruction absorbs none
  int slot = 0;        // operand
  bool after = false;  // reads the stepped value of its own iteration
};

struct LoopBody {
  std::vector<MInst> insts;
  std::vector<AbsorbedUse> absorbed;  // by instruction
  std::vector<int64_t> step;          // by instruction: what it adds to a variable that is absorbed everywhere, else 0
  std::vector<std::pair<Reg, Reg>> copies;  // before the loop, first = second
  Graph graph;

  // Who reads what an instruction assigns: `distance` 1 in the next iteration.
  struct Use {
    int node, distance;
  };
  std::vector<std::vector<Use>> uses;  // by assigning instruction; without absorbed uses
  std::vector<Reg> invariants;         // read, never assigned
};

// `independent`: no two accesses of one region in different iterations overlap, nor what they push and pop with
// different parts.
LoopBody prepareLoop(std::vector<MInst> insts, bool independent, Flow &flow, const Resources &resources);

// Lower bound of the initiation interval by the graph's cycles; at most `limit`.
int recurrenceBound(const Graph &graph, int limit);

}  // namespace tpuc::schedule
