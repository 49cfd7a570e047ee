// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that choose the order of dims, and what lies along lanes.
#pragma once
#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/stablehlo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace tpuc::layout {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/layout/passes.h.inc"
}  // namespace tpuc::layout
