// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shapes stage's order.
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "passes/shapes/passes.h"
#include "passes/simplify/passes.h"

using namespace mlir;

void tpuc::shapes::buildShapesPipeline(OpPassManager &pm, const RefineShapesPassOptions &options) {
  // First, so that everything else sees one function: a size is an argument of the functions that JAX outlines.
  pm.addPass(simplify::createInlineCallsPass());
  pm.addPass(createNameDimsPass());
  pm.addPass(createRefineShapesPass(options));
}

void tpuc::shapes::buildBucketPipeline(OpPassManager &pm, ArrayRef<std::string> ranges) {
  pm.addPass(simplify::createInlineCallsPass());
  pm.addPass(createNameDimsPass());
  BucketShapesPassOptions options;
  options.sizes.assign(ranges.begin(), ranges.end());
  pm.addPass(createBucketShapesPass(options));
}

void tpuc::shapes::registerShapesPipeline() {
  PassPipelineRegistration<>("tpuc-shapes-stage", "the shapes stage, of a program whose sizes are known",
                             [](OpPassManager &pm) { buildShapesPipeline(pm, {}); });
}
