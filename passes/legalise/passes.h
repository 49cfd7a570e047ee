// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that leave no element type which a lane does not hold: narrow, wide, complex and quantised ones.
#pragma once
#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/stablehlo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace tpuc::legalise {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/legalise/passes.h.inc"
}  // namespace tpuc::legalise
