// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a target has no machine for.
#include "compiler/pipeline/check_target.h"

#include "dialects/diagnostics/diagnose.h"
#include "dialects/stablehlo/stablehlo.h"

using namespace mlir;

namespace tpuc {

LogicalResult checkTarget(ModuleOp module, const target::Target &target) {
  if (!target.int8_only()) return success();
  WalkResult walk = module.walk([&](Operation *op) {
    if (!mlir::isa<stablehlo::DotGeneralOp, stablehlo::ConvolutionOp>(op)) return WalkResult::advance();
    for (Type type : op->getOperandTypes())
      if (Type element = getElementTypeOrSelf(type); !element.isInteger(8)) {
        diagnose(op, codes::kNoUnit) << "expects matmuls of 8-bit integers on " << target.name() << ", but got one of "
                                     << element << "; choose a later target";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

}  // namespace tpuc
