// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What VMEM holds of a scatter's windows. Updates that replace what was there need none of it: transfers move them.
#include "passes/plan/move/scatter_plan.h"

#include "passes/plan/lanes.h"
#include "passes/plan/move/index_array.h"

using namespace mlir;

namespace tpuc::plan {

constexpr StringRef kHeldDims = "held";  // of a plan: of a window's dims, the last ones that are in VMEM

ScatterPlan::ScatterPlan(KernelContext &context, stablehlo::ScatterOp op)
    : context_(context), op_(op), numbers_(op.getScatterDimensionNumbers()) {
  readDims();
  held_ = llvm::to_vector(llvm::seq<int64_t>(0, windowDims_.size()));
}

void ScatterPlan::readDims() {
  count_ = op_.getInputs().size();
  auto updates = cast<RankedTensorType>(op_.getUpdates()[0].getType());
  auto operand = cast<RankedTensorType>(op_.getInputs()[0].getType());
  auto indices = cast<RankedTensorType>(op_.getScatterIndices().getType());
  for (int64_t d = 0; d < updates.getRank(); ++d)
    (llvm::is_contained(numbers_.getUpdateWindowDims(), d) ? windowDims_ : batchDims_).push_back(d);
  for (int64_t d = 0; d < indices.getRank(); ++d)
    if (d != numbers_.getIndexVectorDim()) batchExtents_.push_back(indices.getDimSize(d));
  for (int64_t d = 0; d < operand.getRank(); ++d)
    if (!llvm::is_contained(numbers_.getInsertedWindowDims(), d) &&
        !llvm::is_contained(numbers_.getInputBatchingDims(), d))
      operandDim_.push_back(d);
  Block &body = op_.getUpdateComputation().front();
  replaces_ = llvm::all_of(llvm::enumerate(body.getTerminator()->getOperands()),
                           [&](auto it) { return it.value() == body.getArgument(count_ + it.index()); });
}

LogicalResult ScatterPlan::refuseRegion() {
  return diagnose(op_, codes::kNoLowering) << "expects an update computation of ops that the instruction set has for "
                                              "these types; cast to f32 or i32 around the scatter";
}

LogicalResult ScatterPlan::check() {
  if (replaces_) return success();
  if (!isOfLanes(op_.getUpdateComputation().front())) return refuseRegion();
  auto widthOf = [](Value v) { return Array(cast<RankedTensorType>(v.getType()), {}).pack; };
  if (llvm::any_of(op_.getInputs(), [&](Value v) { return widthOf(v) != widthOf(op_.getInputs()[0]); }))
    return diagnose(op_, codes::kNoLowering)
           << "expects operands of one width where a scatter combines elements; scatter them one by one";
  return success();
}

void ScatterPlan::loopOver() {
  loopDims_.push_back(held_.front());
  held_.erase(held_.begin());
}

// Windows of all operands and of their updates; the first free word.
int64_t ScatterPlan::place() {
  auto updates = cast<RankedTensorType>(op_.getUpdates()[0].getType());
  heldExtents_ = llvm::map_to_vector(held_, [&](int64_t w) { return updates.getDimSize(windowDims_[w]); });
  int64_t words = context_.firstWord;
  for (size_t i = 0; i < count_; ++i) {
    Type element = cast<RankedTensorType>(op_.getInputs()[i].getType()).getElementType();
    Array window(RankedTensorType::get(heldExtents_, element), llvm::to_vector(llvm::seq<int64_t>(0, held_.size())));
    words += 2 * llvm::alignTo(window.hbmBytes() / isa::kWordBytes, 8);
  }
  return context_.vmemWords = words;
}

static constexpr char kWhat[] = "the updates of one index";

// The longest leading window dims become loops until the others fit.
LogicalResult ScatterPlan::choose() {
  Choices choices(context_.op->getContext());
  if (replaces_) {
    choices.set(kTransfers);
    return write(choices);
  }
  while (place() > vmemBudgetWords(context_.target)) {
    if (held_.empty()) return overVmem(context_, op_, kWhat, context_.vmemWords);
    loopOver();
  }
  choices.set(kHeldDims, static_cast<int64_t>(held_.size()));
  return write(choices);
}

LogicalResult ScatterPlan::write(Choices &choices) {
  if (indexParts_) choices.set(kIndexParts, indexParts_);
  context_.plan = planOf(context_, choices);
  return success();
}

LogicalResult ScatterPlan::follow() {
  GivenPlan given(context_);
  if (replaces_) return given.has(kTransfers) ? success() : given.refuse("transfers, and nothing else");
  const int64_t held = given.number(kHeldDims, -1);
  if (held < 0 || held > static_cast<int64_t>(held_.size()))
    return given.refuse("so many of a window's " + Twine(held_.size()) + " dims in VMEM");
  while (static_cast<int64_t>(held_.size()) > held) loopOver();
  if (place() > vmemBudgetWords(context_.target)) return overVmem(context_, op_, kWhat, context_.vmemWords);
  return success();
}

LogicalResult ScatterPlan::plan() {
  if (failed(check())) return failure();
  auto indices = cast<RankedTensorType>(op_.getScatterIndices().getType());
  FailureOr<int64_t> parts = plan::indexParts(context_, indices.getNumElements());
  if (failed(parts)) return failure();
  indexParts_ = *parts;
  return context_.plan ? follow() : choose();
}

}  // namespace tpuc::plan
