// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which way a kernel of one op goes: through VMEM by blocks, or by transfers of the scalar unit.
#include "passes/plan/move/op_plan.h"

#include "passes/analysis/packed_rows.h"
#include "passes/analysis/sorted_rows.h"
#include "passes/plan/grid/grid_plan.h"
#include "passes/plan/move/copy_plan.h"
#include "passes/plan/move/gather_plan.h"
#include "passes/plan/move/held_rows_plan.h"
#include "passes/plan/move/lookup_plan.h"
#include "passes/plan/move/row_gather_plan.h"
#include "passes/plan/move/row_scatter_plan.h"
#include "passes/plan/move/row_sums_plan.h"
#include "passes/plan/move/scatter_plan.h"
#include "passes/plan/move/transpose_plan.h"
#include "passes/plan/sort/sort_plan.h"

using namespace mlir;

namespace tpuc::plan {

// Whether a gather's elements are looked up: that takes less than to fetch them one by one.
static bool looksUp(const KernelContext &context, stablehlo::GatherOp op) {
  if (!isLookup(context.op, op)) return false;
  if (context.plan) return !GivenPlan(context).has(kTransfers);
  auto lookups = cyclesOfLookups(*context.model, typeOf(op.getOperand()), typeOf(op.getResult()));
  return lookups && *lookups <= cyclesOfTransfers(*context.model, op);
}

// Whether the kernel is its transpose alone, which transfers can do too: they compute nothing.
static bool isTransposeAlone(kernel::FusionOp op) { return llvm::hasSingleElement(op.getBlock().without_terminator()); }

LogicalResult planOp(KernelContext &context) {
  for (Operation &op : context.op.getBlock().without_terminator()) {
    // This gather belongs to the scatter, which is planned below.
    if (analysis::bringsInOrder(&op)) continue;
    if (mlir::isa<stablehlo::DynamicSliceOp, stablehlo::DynamicUpdateSliceOp>(op)) return planTransfers(context);
    if (auto gather = dyn_cast<stablehlo::GatherOp>(op)) {
      if (looksUp(context, gather)) return LookupPlan(context, gather).plan();
      if (takesHeldRows(context, gather)) return HeldRowsPlan(context, gather).plan();
      RowGatherPlan rows(context, gather);
      return analysis::gathersPackedRows(gather) && rows.fits() ? rows.plan() : GatherPlan(context, gather).plan();
    }
    if (auto scatter = dyn_cast<stablehlo::ScatterOp>(op)) {
      if (analysis::rowsInOrder(scatter)) return RowScatterPlan(context, scatter).plan();
      if (sumsRows(context, scatter)) return RowSumsPlan(context, scatter).plan();
      return ScatterPlan(context, scatter).plan();
    }
    if (auto sort = dyn_cast<stablehlo::SortOp>(op)) return SortPlan(context, sort).plan();
    if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op)) {
      TransposePlan plan(context, transpose);
      if (plan.choose()) return success();
      if (plan.wordsOverVmem() && !isTransposeAlone(context.op))
        return overVmem(context, transpose, "a block of this transpose", plan.wordsOverVmem());
    }
  }
  return failed(copiesOf(context)) ? failure() : planTransfers(context);
}

}  // namespace tpuc::plan
