// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random structured routines for the scheduler's property tests.
#pragma once
#include <cstdint>

#include "passes/schedule/machine.h"

namespace tpuc::schedule::reference {

struct RandomOptions {
  int statements = 40;                     // about
  int scalars = 6, vregs = 12, masks = 3;  // alive from the start to the end
  int maxDepth = 3;
  bool calls = false;  // with scalars alive across
};

machine::Routine randomRoutine(uint64_t seed, const RandomOptions &options);

}  // namespace tpuc::schedule::reference
