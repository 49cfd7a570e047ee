// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// map and select_and_scatter as elementwise ops on whole arrays.
#include "dialects/diagnostics/diagnose.h"
#include "passes/analysis/target_option.h"
#include "passes/builders/build.h"
#include "passes/builders/inline_region.h"
#include "passes/decompose/passes.h"
#include "passes/decompose/select_and_scatter.h"
#include "passes/plan/question.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace analysis;
using namespace builders;
#define GEN_PASS_DEF_EXPANDREGIONSPASS
#include "passes/decompose/passes.h.inc"
namespace {

struct ExpandRegions : impl::ExpandRegionsPassBase<ExpandRegions> {
  using ExpandRegionsPassBase::ExpandRegionsPassBase;

  LogicalResult expand(Operation *op) {
    for (Region &region : op->getRegions())
      if (!isElementwiseRegion(region.front()))
        return diagnose(op, codes::kRegionOfArrays) << "expects a computation on single elements in '" << op->getName()
                                                    << "', but got one on arrays; write it elementwise";
    OpBuilder b(op);
    auto type = typeOf(op->getResult(0));
    auto select = dyn_cast<stablehlo::SelectAndScatterOp>(op);
    if (select && typeOf(select.getSource()).getNumElements() == 0) {
      op->getResult(0).replaceAllUsesWith(Build{b, op->getLoc()}.broadcast(select.getInitValue(), type.getShape(), {}));
      op->erase();
    } else if (select) {
      expandSelectAndScatter(select);
    } else {
      op->replaceAllUsesWith(inlineElementwise(b, op->getRegion(0).front(), op->getOperands()));
      op->erase();
    }
    return success();
  }

  void runOnOperation() override {
    target::Target machine;
    if (failed(loadTarget(getOperation(), target, sets, machine))) return signalPassFailure();
    const plan::Question question(machine);
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (mlir::isa<stablehlo::MapOp, stablehlo::SelectAndScatterOp>(op)) ops.push_back(op);
    });
    for (Operation *op : ops)
      if (auto select = dyn_cast<stablehlo::SelectAndScatterOp>(op); select && question.hasKernel(select))
        continue;
      else if (failed(expand(op)))
        return signalPassFailure();
  }
};

}  // namespace
}  // namespace tpuc::decompose
