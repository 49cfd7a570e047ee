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

// The stage's passes in order; `floatArrays`: the target's matrix arrays do not take integers.
void buildExpandPipeline(mlir::OpPassManager &pm, int64_t vmemBytes, bool floatArrays, llvm::StringRef precision);
}  // namespace tpuc::expand
