// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the plan stage.
#pragma once
#include "dialects/kernel/plan.h"
#include "mlir/Pass/Pass.h"

namespace tpuc::plan {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/plan/passes.h.inc"
}  // namespace tpuc::plan
