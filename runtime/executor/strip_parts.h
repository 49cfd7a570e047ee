// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of a run of lane-by-lane instructions that share no value: an unrolled loop's iterations, for example. Code
// walks over the lanes of one after the other. Words of VMEM lie 512 bytes apart and vregs of it 4096, so lines of many
// of them at the same lanes meet in one set of L1, and a load waits for a store to another word with the same low bits.
#pragma once
#include <cstdint>
#include <vector>

#include "runtime/executor/live_registers.h"
#include "runtime/executor/strips.h"

namespace tpuc::exec {

struct StripPart {
  std::vector<int> insts;  // of the run, ascending; what makes a constant is in each part that uses it
  LiveRegisters leaves;    // of the registers that are needed after the run, those that this part leaves
};

// In an order in which they give what the run does, as long as no two of them meet in VMEM by registers of which
// nothing is known (StripProgram::Root).
std::vector<StripPart> partsOf(const StripProgram &run);

}  // namespace tpuc::exec
