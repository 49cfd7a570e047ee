// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the expand stage: composite ops to those that kernels are made of.
#pragma once
#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/stablehlo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace tpuc::expand {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/expand/passes.h.inc"

// What the stage has to know of a target. `floatArrays`: its matrix arrays do not take integers; `side`, `sumRows`: of
// each of `arrays`.
struct ExpandTarget {
  int64_t vmemBytes, arrays, side, sumRows;
  bool floatArrays;
  int64_t latencyBytes;  // that a chip sends in the time that a transfer to another one takes to begin
};
// The stage's passes in order.
void buildExpandPipeline(mlir::OpPassManager &pm, const ExpandTarget &target, llvm::StringRef precision);
}  // namespace tpuc::expand
