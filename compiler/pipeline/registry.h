//===- registry.h - every dialect and pass of tpuc -----------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_COMPILER_PIPELINE_REGISTRY_H
#define TPUC_COMPILER_PIPELINE_REGISTRY_H

namespace mlir {
class DialectRegistry;
}  // namespace mlir

namespace tpuc {

// Dialects that a stage may hold, and the interfaces that passes ask of them.
void registerAllDialects(mlir::DialectRegistry &registry);
// Passes of tpuc, and those of upstream that the pipeline uses.
void registerAllPasses();

}  // namespace tpuc

#endif  // TPUC_COMPILER_PIPELINE_REGISTRY_H
