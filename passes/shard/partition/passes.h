//===- passes.h - from GSPMD's strings to one device's program ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TPUC_PASSES_SHARD_PARTITION_PASSES_H
#define TPUC_PASSES_SHARD_PARTITION_PASSES_H

#include "dialects/sdy/sdy.h"
#include "dialects/stablehlo/stablehlo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace tpuc::shard {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/shard/partition/passes.h.inc"

// On a partitioned module: what InspectSharding asked for. Each is {asked = its backend_config, rank, sharding = HLO's
// text}.
inline constexpr llvm::StringLiteral kInspectedAttr("tpuc.inspected");

// The stage: propagation, then one device's program. `partialSums`: as PartitionPass has it.
void buildShardPipeline(mlir::OpPassManager &pm, bool partialSums);
void registerShardStage();

}  // namespace tpuc::shard

#endif  // TPUC_PASSES_SHARD_PARTITION_PASSES_H
