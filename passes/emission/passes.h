// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the schedule stage: from tpu.routine to tpu.bundles.
#pragma once
#include "dialects/tpu/tpu.h"
#include "mlir/Pass/Pass.h"

namespace tpuc::emission {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/emission/passes.h.inc"
}  // namespace tpuc::emission
