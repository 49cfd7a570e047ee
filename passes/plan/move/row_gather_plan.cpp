// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many tiles of a gather of rows are under way at once, and how cores share them.
#include "passes/plan/move/row_gather_plan.h"

#include "passes/plan/move/index_array.h"

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

SmallVector<int64_t> RowGatherPlan::extents() const {
  SmallVector<int64_t> extents;
  for (int64_t d = 0; d + 2 < array_.rank(); ++d) extents.push_back(array_.extent(d));
  extents.push_back(llvm::divideCeil(array_.rows(), tileRows_));
  return extents;
}

// Parts of the longest dim. Indices are counted as the gather has them.
LogicalResult RowGatherPlan::share() {
  const SmallVector<int64_t> all = extents();
  auto indices = cast<RankedTensorType>(op_.getStartIndices().getType());
  FailureOr<Shares> shares = context_.plan ? givenShares(context_, all)
                                           : equalShares(context_.target, all, llvm::max_element(all) - all.begin(), 1);
  FailureOr<int64_t> parts = plan::indexParts(context_, indices.getNumElements());
  if (failed(shares) || failed(parts)) return failure();
  shares_ = *shares;
  indexParts_ = *parts;
  return success();
}

LogicalResult RowGatherPlan::plan() {
  GivenPlan given(context_);
  const int64_t budget = vmemBudgetWords(context_.target);
  if (context_.plan) {
    slots_ = given.number(kTilesAtOnce, 0);
    if (slots_ < kFewestTiles || slots_ > kMostTiles)
      return given.refuse(Twine(kFewestTiles) + " to " + Twine(kMostTiles) + " tiles at once");
  }
  if (failed(share())) return failure();
  while (place() > budget && slots_ > kFewestTiles && !context_.plan) slots_ /= 2;
  context_.vmemWords = place();
  if (context_.vmemWords > budget) return overVmem(context_, op_, "two tiles of this gather", context_.vmemWords);
  if (context_.plan) return success();
  Choices choices(context_.op->getContext());
  choices.set(kTilesAtOnce, slots_);
  if (indexParts_) choices.set(kIndexParts, indexParts_);
  context_.plan = planOf(context_, shares_, choices);
  return success();
}

}  // namespace tpuc::plan
