//===- registry.cpp - every dialect and pass of tpuc ---------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "compiler/pipeline/registry.h"

#include "dialects/stablehlo/stablehlo.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace tpuc {

void registerAllDialects(mlir::DialectRegistry &registry) { registerStablehloDialects(registry); }

void registerAllPasses() { mlir::registerTransformsPasses(); }

} // namespace tpuc
