// The expand stage's order.
#include "passes/expand/passes.h"

using namespace mlir;

namespace tpuc::expand {

void buildExpandPipeline(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createDropUnitDimsPass());
  // Convolutions become dots, which the dots' pass then sees.
  pm.addNestedPass<func::FuncOp>(createExpandConvolutionPass());
  pm.addNestedPass<func::FuncOp>(createExpandReduceWindowPass());
  pm.addNestedPass<func::FuncOp>(createNormaliseDotsPass());
}

}  // namespace tpuc::expand
