// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The expand stage's order.
#include "passes/expand/passes.h"

using namespace mlir;

namespace tpuc::expand {

void buildExpandPipeline(OpPassManager &pm, const ExpandTarget &target, StringRef precision) {
  const int64_t vmemBytes = target.vmemBytes;
  pm.addNestedPass<func::FuncOp>(createFlattenBodiesPass());
  pm.addNestedPass<func::FuncOp>(createExpandCollectivesPass({target.latencyBytes}));
  // On the program's own computations.
  pm.addNestedPass<func::FuncOp>(createOrderReductionsPass());
  // First of what changes types, so that everything else sees elements that a lane holds: quantised ones become
  // integers of any width, narrow floats bytes or less.
  pm.addNestedPass<func::FuncOp>(createLegaliseQuantisedPass());
  pm.addNestedPass<func::FuncOp>(createLegaliseNarrowFloatsPass());
  pm.addNestedPass<func::FuncOp>(createLegaliseSubBytePass());
  pm.addNestedPass<func::FuncOp>(createExpandBatchNormPass());
  // Before unit dims go: a system of one column, the columns of a matrix one by one.
  pm.addNestedPass<func::FuncOp>(createExpandLinalgPass());
  pm.addNestedPass<func::FuncOp>(createExpandPicksPass());
  pm.addNestedPass<func::FuncOp>(createExpandTalliesPass());
  pm.addNestedPass<func::FuncOp>(createExpandLookupsPass());
  pm.addNestedPass<func::FuncOp>(createDropUnitDimsPass());
  pm.addNestedPass<func::FuncOp>(createFoldWindowsPass());
  pm.addNestedPass<func::FuncOp>(createUndoSplitsPass());
  pm.addNestedPass<func::FuncOp>(
      createNormaliseConvolutionsPass({vmemBytes, target.arrays, target.sumRows, target.floatArrays}));
  pm.addNestedPass<func::FuncOp>(createOrderConvolutionsPass());
  // What has no kernel becomes dots, which the dots' pass then sees.
  pm.addNestedPass<func::FuncOp>(
      createExpandConvolutionPass({vmemBytes, target.arrays, target.sumRows, target.floatArrays}));
  pm.addNestedPass<func::FuncOp>(createExpandReduceWindowPass({vmemBytes}));
  pm.addNestedPass<func::FuncOp>(createExpandRegionsPass({vmemBytes}));
  pm.addNestedPass<func::FuncOp>(createExpandRngPass());
  pm.addNestedPass<func::FuncOp>(createExpandFftPass());
  // A window over one position left dots with its unit dims, a transform its dims of one element.
  pm.addNestedPass<func::FuncOp>(createDropUnitDimsPass());
  pm.addNestedPass<func::FuncOp>(createExpandBitsPass());
  pm.addNestedPass<func::FuncOp>(createExpandDotPass());
  if (target.floatArrays) pm.addNestedPass<func::FuncOp>(createSplitIntegerDotsPass());
  pm.addNestedPass<func::FuncOp>(createNormaliseSortsPass({vmemBytes}));
  pm.addNestedPass<func::FuncOp>(createIsolateInitialValuesPass());
  // Everything that computes on complex numbers, then on 64-bit elements, is elementwise or a reduction by now.
  pm.addNestedPass<func::FuncOp>(createLegaliseComplexPass());
  pm.addPass(createLegaliseWidePass());
  pm.addNestedPass<func::FuncOp>(createNormaliseDotsPass({vmemBytes, target.side}));
  // Dots are as the matrix unit takes them: what they read and make may still lie otherwise.
  pm.addNestedPass<func::FuncOp>(createChooseLayoutsPass());
  pm.addNestedPass<func::FuncOp>(createOrderArraysPass());
  pm.addNestedPass<func::FuncOp>(createNarrowLoopOperandsPass({precision.str()}));
}

}  // namespace tpuc::expand
