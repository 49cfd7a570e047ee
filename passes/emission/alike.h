// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Routines that differ only in the descriptors of their transfers and in their source lines, which the scheduler does
// not look at: a model's layers have one schedule.
#pragma once
#include "passes/schedule/machine.h"

namespace tpuc::emission {

// What a routine names, by the numbers that stand for it.
struct Names {
  std::vector<int64_t> descriptors;
  std::vector<int32_t> locations;
};
// Numbers a routine's descriptors and locations in the order in which they appear.
Names takeNames(machine::Routine &routine);
void giveNames(const Names &names, machine::Scheduled &scheduled);

// The same for routines that are equal, their names aside.
std::string keyOf(const machine::Routine &routine);

}  // namespace tpuc::emission
