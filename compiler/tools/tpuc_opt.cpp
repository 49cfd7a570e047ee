//===- tpuc_opt.cpp - runs passes on a module, for tests and for people who work on passes --------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "compiler/pipeline/registry.h"
#include "compiler/pipeline/search_plans.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tpuc::registerAllDialects(registry);
  // Modules of other compilers have casts of shapes between their ops of StableHLO.
  registry.insert<mlir::tensor::TensorDialect>();
  tpuc::registerAllPasses();
  tpuc::registerSearchPlansPass();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "tpuc-opt: passes of tpuc\n", registry));
}
