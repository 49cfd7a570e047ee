//===- pipeline.cpp - the shard stage's order ---------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "passes/shard/partition/passes.h"
#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {

void buildShardPipeline(OpPassManager &pm, bool partialSums) {
  pm.addPass(createImportHloShardingsPass());
  buildPropagationPipeline(pm, /*dedupFully=*/false);
  pm.addPass(createPartitionPass({partialSums}));
  pm.addNestedPass<func::FuncOp>(createCSEPass());
  pm.addPass(createHoistCollectivesPass());
  pm.addPass(createCombineAllReducesPass());  // after it, as it makes the last collectives
}

namespace {
struct StageOptions : PassPipelineOptions<StageOptions> {
  Option<bool> partialSums{*this, "partial-sums", llvm::cl::desc("unreduced arguments and results are summands"),
                           llvm::cl::init(false)};
};
}  // namespace

void registerShardStage() {
  registerShardPartitionPasses();
  PassPipelineRegistration<StageOptions> stage(
      "tpuc-shard-stage", "the shard stage",
      [](OpPassManager &pm, const StageOptions &options) { buildShardPipeline(pm, options.partialSums); });
}

}  // namespace tpuc::shard
