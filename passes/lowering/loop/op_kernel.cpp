// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of one op.
#include "passes/analysis/sorted_rows.h"
#include "passes/lowering/move/indices.h"
#include "passes/plan/grid/grid_plan.h"

using namespace mlir;

namespace tpuc::lowering {

// Whether the scalar unit moves everything by transfers, which are few words of VMEM at most; planned, or asked for.
static bool isOfTransfers(const KernelContext &context) {
  return context.onlyPlans || plan::GivenPlan(context).has(plan::kTransfers);
}

LogicalResult lowerOpKernel(KernelContext &context, Code &code, Value start, Value count) {
  auto transfers = [&](llvm::function_ref<LogicalResult()> emit) {
    if (context.onlyPlans) return planTransfers(context);
    if (!isOfTransfers(context)) return plan::GivenPlan(context).refuse("transfers, and nothing else");
    return emit();
  };
  for (Operation &op : context.op.getBlock().without_terminator()) {
    if (auto slice = dyn_cast<stablehlo::DynamicSliceOp>(op))
      return transfers([&] { return lowerDynamicSlice(context, code, slice); });
    if (auto update = dyn_cast<stablehlo::DynamicUpdateSliceOp>(op))
      return transfers([&] { return lowerDynamicUpdateSlice(context, code, update); });
    if (analysis::bringsInOrder(&op)) continue;  // the scatter's
    if (auto gather = dyn_cast<stablehlo::GatherOp>(op)) {
      if (isLookup(context, gather)) return lowerLookup(context, code, gather, start, count);
      return transfers([&] { return lowerGather(context, code, gather); });
    }
    if (auto scatter = dyn_cast<stablehlo::ScatterOp>(op)) 
      return analysis::rowsInOrder(scatter) ? lowerRowScatter(context, code, scatter)
                                            : lowerScatter(context, code, scatter);
    if (auto sort = dyn_cast<stablehlo::SortOp>(op)) return lowerSort(context, code, sort, start, count);
    auto transpose = dyn_cast<stablehlo::TransposeOp>(op);
    if (!transpose || (context.plan && isOfTransfers(context))) continue;
    FailureOr<bool> lowered = lowerTranspose(context, code, transpose, start, count);
    if (failed(lowered)) return failure();
    if (*lowered) return success();
  }
  return transfers([&] { return lowerCopyKernel(context, code, start, count); });
}

}  // namespace tpuc::lowering
