//===- registration.cpp - the dialects that a StableHLO program may hold --------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/check.h"
#include "dialects/stablehlo/chlo.h"
#include "dialects/stablehlo/interpreter.h"
#include "dialects/stablehlo/stablehlo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/Quant.h"

void tpuc::registerStablehloDialects(mlir::DialectRegistry &registry) {
  registry.insert<stablehlo::StablehloDialect, chlo::ChloDialect, check::CheckDialect, interpreter::InterpreterDialect,
                  mlir::func::FuncDialect, mlir::quant::QuantDialect>();
}
