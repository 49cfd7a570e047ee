//===- passes.h - passes of the shard stage ---------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_SHARD_PASSES_H
#define TPUC_PASSES_SHARD_PASSES_H

#include "dialects/sdy/sdy.h"
#include "dialects/stablehlo/stablehlo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace tpuc::shard {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/shard/passes.h.inc"

// Sharding rules and edges of data flow of the ops of stablehlo and chlo.
void registerModels(mlir::DialectRegistry &registry);

// The passes before and after propagation, and all of it, as --sdy-import-pipeline, --sdy-export-pipeline and
// --sdy-propagation-pipeline.
void buildImportPipeline(mlir::OpPassManager &pm);
void buildExportPipeline(mlir::OpPassManager &pm, bool dedupFully);
void buildPropagationPipeline(mlir::OpPassManager &pm, bool dedupFully);
void registerShardPipelines();

}  // namespace tpuc::shard

#endif  // TPUC_PASSES_SHARD_PASSES_H
