// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many rows a scatter of rows takes at once.
#include "passes/plan/move/row_scatter_plan.h"

#include "passes/analysis/sorted_rows.h"
#include "passes/plan/grid/grid_plan.h"
#include "passes/plan/move/index_array.h"

using namespace mlir;

namespace tpuc::plan {

constexpr StringRef kRowsAtOnce = "rows_at_once", kGroups = "groups";  // of a plan
constexpr int64_t kMostRows = 8;                                       // at once
constexpr int64_t kMostSlots = 8, kFewestSlots = 2;
constexpr int64_t kPart = 8192;  // rows whose numbers SMEM holds

RowScatterPlan::RowScatterPlan(KernelContext &context, stablehlo::ScatterOp op)
    : context_(context),
      op_(op),
      gather_(analysis::rowsInOrder(op)),
      table_(context.results[0], resultArray(context, 0)),
      updates_(operandOrigin(context, gather_.getOperand()), operandArray(context, gather_.getOperand())),
      rows_(cast<RankedTensorType>(op.getUpdates()[0].getType()).getDimSize(0)),
      group_(kMostRows),
      slots_(kMostSlots) {}

// Slots of a group's updates, old contents and sums, and a word for each row that does not go back.
int64_t RowScatterPlan::place() {
  int64_t slots = slots_ * group_ * table_.slotWords();
  update_ = llvm::alignTo(context_.firstWord, 8);
  old_ = update_ + slots;
  made_ = old_ + slots;
  spare_ = made_ + slots;
  return context_.vmemWords = spare_ + slots_ * group_;
}

int64_t leastRowScatterBytes(RankedTensorType table) {
  const Rows rows({}, Array(table));
  return kFewestSlots * (3 * rows.slotWords() + 1) * isa::kWordBytes;
}

LogicalResult RowScatterPlan::plan() {
  GivenPlan given(context_);
  const int64_t budget = vmemBudgetWords(context_.target);
  if (context_.plan) {
    group_ = given.number(kRowsAtOnce, 0);
    if (group_ < 1 || group_ > kMostRows) return given.refuse("1 to " + Twine(kMostRows) + " rows at once");
    slots_ = given.number(kGroups, 0);
    if (slots_ < kFewestSlots || slots_ > kMostSlots)
      return given.refuse(Twine(kFewestSlots) + " to " + Twine(kMostSlots) + " groups");
  }
  while (place() > budget && slots_ > kFewestSlots && !context_.plan) slots_ /= 2;
  while (place() > budget && group_ > 1 && !context_.plan) group_ /= 2;
  if (context_.vmemWords > budget) return overVmem(context_, op_, "a row of this scatter", context_.vmemWords);
  if (!context_.plan) {
    Choices choices(context_.op->getContext());
    choices.set(kRowsAtOnce, group_);
    choices.set(kGroups, slots_);
    context_.plan = planOf(context_, choices);
  }
  numbersBytes_ = operandArray(context_, op_.getScatterIndices()).hbmBytes();
  partRows_ = std::min({kPart, numbersBytes_ / 4, smemBudget(context_.target) / 8 / kMostRows * kMostRows});
  context_.smemBytes = std::max<int64_t>(context_.smemBytes, 8 * partRows_);
  return success();
}

}  // namespace tpuc::plan
