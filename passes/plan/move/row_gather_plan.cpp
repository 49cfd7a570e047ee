// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many tiles of a gather of rows are under way at once.
#include "passes/plan/move/row_gather_plan.h"

#include "passes/plan/grid/grid_plan.h"

using namespace mlir;

namespace tpuc::plan {

constexpr StringRef kTilesAtOnce = "tiles_at_once";  // of a plan
// What hides a transfer's latency behind rows of a word; of longer ones two or three would do.
constexpr int64_t kMostTiles = 8, kFewestTiles = 2;

RowGatherPlan::RowGatherPlan(KernelContext &context, stablehlo::GatherOp op)
    : context_(context),
      op_(op),
      table_(operandOrigin(context, op.getOperand()), operandArray(context, op.getOperand())),
      array_(resultArray(context, 0)),
      tileRows_(8 * table_.perWord),
      slots_(kMostTiles) {}

int64_t RowGatherPlan::place() {
  fetched_ = llvm::alignTo(context_.firstWord, 8);
  made_ = fetched_ + slots_ * tileRows_ * table_.slotWords();
  return made_ + slots_ * 8 * table_.words;
}

bool RowGatherPlan::fits() {
  const int64_t chosen = std::exchange(slots_, kFewestTiles), least = place();
  slots_ = chosen;
  return llvm::is_sorted(table_.array.order) && llvm::is_sorted(array_.order) &&
         table_.perWord * table_.slotWords() <= kFarthestSublane && least <= vmemBudgetWords(context_.target);
}

LogicalResult RowGatherPlan::plan() {
  GivenPlan given(context_);
  const int64_t budget = vmemBudgetWords(context_.target);
  if (context_.plan) {
    slots_ = given.number(kTilesAtOnce, 0);
    if (slots_ < kFewestTiles || slots_ > kMostTiles)
      return given.refuse(Twine(kFewestTiles) + " to " + Twine(kMostTiles) + " tiles at once");
  }
  while (place() > budget && slots_ > kFewestTiles && !context_.plan) slots_ /= 2;
  context_.vmemWords = place();
  if (context_.vmemWords > budget) return overVmem(context_, op_, "two tiles of this gather", context_.vmemWords);
  if (context_.plan) return success();
  Choices choices(context_.op->getContext());
  choices.set(kTilesAtOnce, slots_);
  context_.plan = planOf(context_, choices);
  return success();
}

}  // namespace tpuc::plan
