//===- pipeline.cpp - the simplify stage's order -----------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "passes/simplify/passes.h"

using namespace mlir;

void tpuc::simplify::buildSimplifyPipeline(OpPassManager &pm) {
  // First, so that everything else sees one function.
  pm.addPass(createInlineCallsPass());
  pm.addNestedPass<func::FuncOp>(createCountFlopsPass());
  pm.addNestedPass<func::FuncOp>(createPairTransfersPass());
  pm.addPass(createDropTokensPass());
  // Comparators of custom calls have no calls left; ops of chlo appear before they are legalised.
  pm.addPass(createLegalizeCustomCallsPass());
  // Before anything can find that a check's values have no other use.
  pm.addPass(createExtractChecksPass());
  pm.addNestedPass<func::FuncOp>(createLegalizeChloPass());
  pm.addNestedPass<func::FuncOp>(createSimplifyPass());
  pm.addNestedPass<func::FuncOp>(createUnrollLoopsPass());
  pm.addNestedPass<func::FuncOp>(createCSEPass());
  // Merged values make more operands equal.
  pm.addNestedPass<func::FuncOp>(createSimplifyPass());
}

void tpuc::simplify::registerSimplifyPipeline() {
  PassPipelineRegistration<>("tpuc-simplify-stage", "the simplify stage", buildSimplifyPipeline);
}
