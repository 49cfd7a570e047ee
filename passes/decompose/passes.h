// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that make composite ops of plain ones: linear algebra, fft, rng, sorts, windows, regions.
#pragma once
#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/stablehlo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace tpuc::decompose {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/decompose/passes.h.inc"
}  // namespace tpuc::decompose
