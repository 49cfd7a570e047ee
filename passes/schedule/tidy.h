// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites of the machine program's tree before scheduling: what is the same in every iteration leaves the loop, what
// is computed twice is computed once, addresses are stepped instead of multiplied.
#pragma once
#include <set>

#include "passes/schedule/flow.h"
#include "passes/schedule/liveness.h"
#include "passes/schedule/resources.h"

namespace tpuc::schedule {

// How often and where each register is assigned and read.
struct RegFacts {
  std::vector<int> defs, uses;
  std::vector<char> readBeforeDef;  // somewhere in the order of the code

  bool single(Reg r) const { return r < 0 || defs[r] == 1; }
};
RegFacts collectFacts(const machine::Routine &routine);

// A result that depends on the operands only.
bool isPure(const MInst &inst);

// What a part of the tree does to VMEM and to the registers as a whole.
struct SideEffects {
  std::set<int32_t> stored;     // regions
  bool storesAnywhere = false;  // to any region, or by DMA
  bool calls = false;

  void add(const MInst &inst);
  void add(const machine::Region &nodes);
  bool keeps(int32_t region) const { return region >= 0 && !storesAnywhere && !calls && !stored.count(region); }
};

// Equal computations of values that are assigned once, and equal loads with no store in between (value numbering over
// the scopes of the tree).
void eliminateCommon(machine::Routine &routine);

// Values of each kind that a loop may keep in registers from outside: more would cost it its pipelining or spill.
constexpr ClassCounts kMostInvariants{18, 36, 8};

// Pure instructions with invariant operands move before their loops, as far as registers allow.
void hoistInvariants(machine::Routine &routine);

// In innermost loops with more values from outside than registers, constants are made where they are used.
void sinkConstants(machine::Routine &routine);

// In innermost loops, addresses that a counter is multiplied and added to become counters of their own.
void reduceStrength(machine::Routine &routine);

// Short loops beside straight-line code that could run at the same time become straight-line code themselves.
void unrollShortLoops(machine::Routine &routine, const Resources &resources);

// Constants into immediates.
void foldConstants(machine::Routine &routine);

// All of them.
void tidy(machine::Routine &routine, const Resources &resources);

}  // namespace tpuc::schedule
