// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of one interface, each for other sizes, as one executable with an entry each.
#pragma once
#include "runtime/isa/executable.h"

namespace tpuc::encoder {

// Adds `from`, which has one entry, to `to`. What is the same there already is not there twice: constants, arguments,
// descriptors, routines.
void addEntry(isa::Executable &to, const isa::Executable &from);

}  // namespace tpuc::encoder
