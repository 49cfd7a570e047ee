// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the vector unit takes to compare places with the indices of updates.
#pragma once
#include <cstdint>

#include "runtime/target/target.h"

namespace tpuc::decompose {

// Cycles of all of a target's cores for all places with all updates, so many operations an element of a vreg: to
// compare, to select and to reduce, where nobody says otherwise.
double cyclesOfTally(const target::Target &target, int64_t places, int64_t updates, int64_t operations = 3);
// For each row's own places and updates, where updates lie along lanes.
double cyclesOfTallyByRow(const target::Target &target, int64_t rows, int64_t places, int64_t updates);

}  // namespace tpuc::decompose
