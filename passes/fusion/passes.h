// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the fuse stage.
#pragma once
#include "dialects/kernel/kernel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace tpuc::fusion {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/fusion/passes.h.inc"
}  // namespace tpuc::fusion
