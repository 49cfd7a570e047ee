// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of bundles as code: encoded instructions, bundle marks, branch targets, locations.
#pragma once
#include <string>

#include "passes/schedule/flow.h"

namespace tpuc::schedule {

// After colouring, registers are numbered through all kinds: scalars, then vregs, then masks.
inline constexpr Reg kFirstVreg = isa::kNumScalars;
inline constexpr Reg kFirstMask = kFirstVreg + isa::kNumVregs;
inline constexpr int kNumPhysical = kFirstMask + isa::kNumMasks;
std::vector<RegKind> physicalKinds();

// Replaces the virtual registers by `physical`, the number within their kind.
void applyColours(Flow &flow, const std::vector<int> &physical);

// `flow` has physical registers and bundles only. False with `error` when an instruction is malformed.
bool emit(const Flow &flow, bool isEntry, machine::Scheduled &out, std::string &error);

}  // namespace tpuc::schedule
