// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the lower stage.
#pragma once
#include "dialects/tpu/tpu.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

namespace tpuc::lowering {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/lowering/passes.h.inc"
}  // namespace tpuc::lowering
