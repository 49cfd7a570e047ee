// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which routines' control flow a run has to record for the walk.
#pragma once
#include <set>

#include "runtime/isa/executable.h"

namespace tpuc::timing {

// First bundles of routines that take nothing from tensors into the scalar unit, so that the walk finds their way by
// itself: no v.tos, no transfer to SMEM, no calls; that routines hand each other nothing of tensors in SMEM is taken
// for granted. Of others a run records every outcome.
std::set<uint32_t> routinesWithoutData(const isa::Executable &exe);

}  // namespace tpuc::timing
