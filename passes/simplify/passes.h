//===- passes.h - passes of the simplify stage --------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_PASSES_SIMPLIFY_PASSES_H
#define TPUC_PASSES_SIMPLIFY_PASSES_H

#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/check.h"
#include "dialects/stablehlo/chlo.h"
#include "dialects/stablehlo/stablehlo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace tpuc::simplify {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/simplify/passes.h.inc"

// The stage: one function without calls, checks as results, chlo legalised, simplified, common subexpressions merged.
void buildSimplifyPipeline(mlir::OpPassManager &pm);
// The same as --tpuc-simplify-stage.
void registerSimplifyPipeline();

}  // namespace tpuc::simplify

#endif  // TPUC_PASSES_SIMPLIFY_PASSES_H
