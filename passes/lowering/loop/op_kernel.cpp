// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of one op.
#include "passes/analysis/sorted_rows.h"
#include "passes/lowering/move/indices.h"

using namespace mlir;

namespace tpuc::lowering {

LogicalResult lowerOpKernel(KernelContext &context, Code &code, Value start, Value count) {
  for (Operation &op : context.op.getBlock().without_terminator()) {
    // A few words of VMEM: they fit.
    if (context.onlyPlans && mlir::isa<stablehlo::DynamicSliceOp, stablehlo::DynamicUpdateSliceOp>(op))
      return success();
    if (auto slice = dyn_cast<stablehlo::DynamicSliceOp>(op)) return lowerDynamicSlice(context, code, slice);
    if (auto update = dyn_cast<stablehlo::DynamicUpdateSliceOp>(op))
      return lowerDynamicUpdateSlice(context, code, update);
    if (analysis::bringsInOrder(&op)) continue;  // the scatter's
    if (auto gather = dyn_cast<stablehlo::GatherOp>(op))
      return isLookup(context, gather) ? lowerLookup(context, code, gather, start, count)
             : context.onlyPlans       ? success()
                                       : lowerGather(context, code, gather);
    if (auto scatter = dyn_cast<stablehlo::ScatterOp>(op)) return lowerScatter(context, code, scatter);
    if (auto sort = dyn_cast<stablehlo::SortOp>(op)) return lowerSort(context, code, sort, start, count);
    if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op);
        transpose && lowerTranspose(context, code, transpose, start, count))
      return success();
  }
  return context.onlyPlans ? success() : lowerCopyKernel(context, code, start, count);
}

}  // namespace tpuc::lowering
