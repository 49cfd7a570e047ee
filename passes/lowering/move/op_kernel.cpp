// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of one op, and of transposes with elementwise work around them.
#include "passes/lowering/move/op_kernel.h"

#include "passes/analysis/sorted_rows.h"
#include "passes/plan/grid/grid_plan.h"
#include "passes/plan/move/held_rows_plan.h"
#include "passes/plan/move/lookup_plan.h"
#include "passes/plan/move/row_sums_plan.h"

using namespace mlir;

namespace tpuc::lowering {

// Lowers a kernel whose elements the scalar unit moves by transfers. It takes few words of VMEM.
static LogicalResult lowerTransfers(KernelContext &context, Code &code, Value start, Value count) {
  if (failed(planTransfers(context))) return failure();
  for (Operation &op : context.op.getBlock().without_terminator()) {
    if (auto slice = dyn_cast<stablehlo::DynamicSliceOp>(op)) return lowerDynamicSlice(context, code, slice);
    if (auto update = dyn_cast<stablehlo::DynamicUpdateSliceOp>(op))
      return lowerDynamicUpdateSlice(context, code, update);
    if (auto gather = dyn_cast<stablehlo::GatherOp>(op)) return lowerGather(context, code, gather, start, count);
  }
  return lowerCopyKernel(context, code, start, count);
}

LogicalResult lowerOpKernel(KernelContext &context, Code &code, Value start, Value count) {
  const bool isOfTransfers = plan::GivenPlan(context).has(plan::kTransfers);
  for (Operation &op : context.op.getBlock().without_terminator()) {
    // This gather belongs to the scatter, which is lowered below.
    if (analysis::bringsInOrder(&op)) continue;
    if (auto scatter = dyn_cast<stablehlo::ScatterOp>(op)) {
      if (analysis::rowsInOrder(scatter)) return lowerRowScatter(context, code, scatter);
      if (sumsRows(context, scatter)) return lowerRowSums(context, code, scatter, start, count);
      return lowerScatter(context, code, scatter);
    }
    if (auto sort = dyn_cast<stablehlo::SortOp>(op)) return lowerSort(context, code, sort, start, count);
    auto gather = dyn_cast<stablehlo::GatherOp>(op);
    if (gather && takesHeldRows(context, gather)) return lowerHeldRows(context, code, gather, start, count);
    if (gather && !isOfTransfers && isLookup(context.op, gather))
      return lowerLookup(context, code, gather, start, count);
    if (gather && !isOfTransfers) return lowerRowGather(context, code, gather, start, count);
    if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op); transpose && !isOfTransfers)
      return lowerTranspose(context, code, transpose, start, count);
  }
  return lowerTransfers(context, code, start, count);
}

}  // namespace tpuc::lowering
