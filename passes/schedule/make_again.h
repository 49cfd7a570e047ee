// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop keeps in registers from outside, made in it again.
#pragma once
#include <optional>

#include "passes/schedule/loop_body.h"

namespace tpuc::schedule {

// By register, the vector constants of a routine that are assigned once.
using Constants = std::vector<std::optional<MInst>>;
Constants constantsOf(const machine::Routine &routine);

// `insts`, a loop's body, with constants and loads of its own instead of `invariants` (sorted): constants, and what
// `before`, the straight code up to the loop, has loaded for it. As many as the units have room for in an interval of
// `ii` cycles, those first that are read least. Nothing where there are none.
std::optional<std::vector<MInst>> makeAgain(const std::vector<MInst> &insts, const std::vector<MInst> &before,
                                            const std::vector<Reg> &invariants, const Constants &constants, int ii,
                                            const Resources &resources, Flow &flow);

}  // namespace tpuc::schedule
