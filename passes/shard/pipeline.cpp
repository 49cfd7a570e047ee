//===- pipeline.cpp - the orders of passes around propagation ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {

void buildImportPipeline(OpPassManager &pm) {
  pm.addPass(createSymbolDCEPass());
  pm.addPass(createLiftInlinedMeshesPass());
  pm.addPass(createRemoveSizeOneAxesPass());
  pm.addPass(createFlattenCallGraphPass());
  pm.addPass(createPropagateShardingFromFuncToCallPass());
  pm.addPass(createConstantOrScalarSplitterPass());
  pm.addPass(createManualAxesCleanupPass());
  pm.addPass(createAddDataFlowEdgesPass());  // before constraints, which must not reach all targets of an edge
  pm.addPass(createAddFuncDataFlowEdgesPass());
  pm.addPass(createApplyShardingConstraintsPass());
  pm.addPass(createShardingGroupImportPass());  // after constraints, which give members their shardings
}

void buildExportPipeline(OpPassManager &pm, bool dedupFully) {
  pm.addPass(createSinkDataFlowEdgesPass());
  pm.addPass(createSinkFuncDataFlowEdgesPass());
  pm.addPass(createPropagateToFuncResultsPass());
  pm.addPass(createRemoveShardingGroupsPass());
  pm.addPass(createShardingConstraintToReshardPass());
  pm.addPass(createUpdateNonDivisibleInputOutputShardingsPass());
  pm.addPass(createCloseShardingsPass());
  pm.addPass(createUnflattenCallGraphPass(UnflattenCallGraphPassOptions{dedupFully}));
  pm.addPass(createInsertFuncCallReshardsPass());
  pm.addPass(createInsertExplicitReshardsPass());
}

void buildPropagationPipeline(OpPassManager &pm, bool dedupFully) {
  buildImportPipeline(pm);
  pm.addPass(createUserPriorityPropagatePass());
  buildExportPipeline(pm, dedupFully);
}

namespace {
struct PropagationPipelineOptions : PassPipelineOptions<PropagationPipelineOptions> {
  Option<bool> dedupFully{*this, "dedup-functions-fully",
                          llvm::cl::desc("one function for all calls of it, however they shard it"),
                          llvm::cl::init(false)};
};
}  // namespace

void registerShardPipelines() {
  PassPipelineRegistration<> importing("sdy-import-pipeline",
                                       "what propagation needs: edges, constraints and groups in their places",
                                       buildImportPipeline);
  PassPipelineRegistration<PropagationPipelineOptions> exporting(
      "sdy-export-pipeline", "closed shardings on ops, arguments and results",
      [](OpPassManager &pm, const PropagationPipelineOptions &options) {
        buildExportPipeline(pm, options.dedupFully);
      });
  PassPipelineRegistration<PropagationPipelineOptions> all(
      "sdy-propagation-pipeline", "a sharding of each value from those that the program states",
      [](OpPassManager &pm, const PropagationPipelineOptions &options) {
        buildPropagationPipeline(pm, options.dedupFully);
      });
}

}  // namespace tpuc::shard
