// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pipeline/expand.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/decompose/passes.h"
#include "passes/layout/passes.h"
#include "passes/legalise/passes.h"

using namespace mlir;

namespace tpuc {

void buildExpandPipeline(OpPassManager &pm, const ExpandTarget &target, StringRef precision) {
  const int64_t vmemBytes = target.vmemBytes;
  pm.addNestedPass<func::FuncOp>(decompose::createFlattenBodiesPass());
  pm.addNestedPass<func::FuncOp>(decompose::createProductsAfterLoopsPass());
  pm.addNestedPass<func::FuncOp>(decompose::createProductsBeforeLoopsPass({target.hbmBytes / 64}));
  pm.addNestedPass<func::FuncOp>(decompose::createExpandCollectivesPass({target.latencyBytes}));
  // On the program's own computations.
  pm.addNestedPass<func::FuncOp>(decompose::createOrderReductionsPass());
  // First of what changes types, so that everything else sees elements that a lane holds: quantised ones become
  // integers of any width, narrow floats bytes or less.
  pm.addNestedPass<func::FuncOp>(legalise::createLegaliseQuantisedPass());
  pm.addNestedPass<func::FuncOp>(legalise::createLegaliseNarrowFloatsPass());
  pm.addNestedPass<func::FuncOp>(legalise::createLegaliseSubBytePass());
  pm.addNestedPass<func::FuncOp>(decompose::createExpandBatchNormPass());
  // Before unit dims go: a system of one column, the columns of a matrix one by one.
  pm.addNestedPass<func::FuncOp>(decompose::createExpandLinalgPass());
  pm.addNestedPass<func::FuncOp>(decompose::createFindBatchesPass());
  pm.addNestedPass<func::FuncOp>(decompose::createCarryGathersPass());
  pm.addNestedPass<func::FuncOp>(decompose::createScatterBySortPass({target.name, target.sets}));
  // Before indices are looked at that are known: of a product's, each dim's are.
  pm.addNestedPass<func::FuncOp>(decompose::createSplitGathersPass({target.name, target.sets}));
  pm.addNestedPass<func::FuncOp>(decompose::createExpandKnownIndicesPass());
  pm.addNestedPass<func::FuncOp>(decompose::createExpandPicksPass());
  pm.addNestedPass<func::FuncOp>(decompose::createCountPlacesPass({target.name, target.sets}));
  pm.addNestedPass<func::FuncOp>(decompose::createExpandTalliesPass({target.name, target.sets}));
  pm.addNestedPass<func::FuncOp>(decompose::createExpandRowUpdatesPass({target.name, target.sets}));
  pm.addNestedPass<func::FuncOp>(decompose::createExpandLookupsPass({target.name, target.sets}));
  pm.addNestedPass<func::FuncOp>(layout::createFindPatchesPass());
  pm.addNestedPass<func::FuncOp>(decompose::createExpandFiltersPass());
  // Before heads are looked for: of what is joined with a batch there are none.
  pm.addNestedPass<func::FuncOp>(layout::createUndoJoinsPass());
  pm.addNestedPass<func::FuncOp>(layout::createFindHeadsPass({target.side}));
  pm.addNestedPass<func::FuncOp>(layout::createDropUnitDimsPass());
  pm.addNestedPass<func::FuncOp>(layout::createFoldWindowsPass({target.name, target.sets}));
  pm.addNestedPass<func::FuncOp>(layout::createUndoSplitsPass());
  pm.addNestedPass<func::FuncOp>(layout::createMergeGroupsPass({target.name, target.sets}));
  pm.addNestedPass<func::FuncOp>(layout::createSwapGradientsPass({target.name, target.sets}));
  pm.addNestedPass<func::FuncOp>(layout::createNormaliseConvolutionsPass({target.name, target.sets}));
  pm.addNestedPass<func::FuncOp>(layout::createBatchRowsPass({target.name, target.sets}));
  pm.addNestedPass<func::FuncOp>(layout::createOrderConvolutionsPass());
  // What has no kernel becomes dots, which the dots' pass then sees.
  pm.addNestedPass<func::FuncOp>(decompose::createExpandConvolutionPass({target.name, target.sets}));
  pm.addNestedPass<func::FuncOp>(decompose::createExpandReduceWindowPass({target.name, target.sets}));
  pm.addNestedPass<func::FuncOp>(decompose::createExpandRegionsPass({target.name, target.sets}));
  pm.addNestedPass<func::FuncOp>(decompose::createExpandRngPass());
  pm.addNestedPass<func::FuncOp>(decompose::createExpandFftPass());
  // A window over one position left dots with its unit dims, a transform its dims of one element.
  pm.addNestedPass<func::FuncOp>(layout::createDropUnitDimsPass());
  pm.addNestedPass<func::FuncOp>(layout::createDropIndexDimsPass());
  pm.addNestedPass<func::FuncOp>(legalise::createExpandBitsPass());
  pm.addNestedPass<func::FuncOp>(decompose::createExpandDotPass());
  if (target.floatArrays) pm.addNestedPass<func::FuncOp>(legalise::createSplitIntegerDotsPass());
  pm.addNestedPass<func::FuncOp>(decompose::createNormaliseSortsPass({vmemBytes}));
  pm.addNestedPass<func::FuncOp>(decompose::createIsolateInitialValuesPass());
  // Everything that computes on complex numbers, then on 64-bit elements, is elementwise or a reduction by now.
  pm.addNestedPass<func::FuncOp>(legalise::createLegaliseComplexPass());
  pm.addPass(legalise::createLegaliseWidePass());
  pm.addNestedPass<func::FuncOp>(layout::createTransposeProductsPass({target.side}));
  pm.addNestedPass<func::FuncOp>(layout::createSwapDotOperandsPass());
  pm.addNestedPass<func::FuncOp>(layout::createTurnForMatricesPass({target.name, target.sets}));
  pm.addNestedPass<func::FuncOp>(layout::createNormaliseDotsPass({vmemBytes, target.side, target.name, target.sets}));
  // Dots are as the matrix unit takes them: what they read and make may still lie otherwise.
  pm.addNestedPass<func::FuncOp>(layout::createChooseLayoutsPass({target.side}));
  pm.addNestedPass<func::FuncOp>(layout::createOrderArraysPass({target.side}));
  pm.addNestedPass<func::FuncOp>(legalise::createSlicePackedPass());
  pm.addNestedPass<func::FuncOp>(legalise::createNarrowLoopOperandsPass({precision.str()}));
  pm.addNestedPass<func::FuncOp>(legalise::createRoundInDotsPass({precision.str(), target.longRows}));
}

}  // namespace tpuc
