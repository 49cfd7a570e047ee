// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How cores share a gather's windows.
#include "passes/plan/move/gather_plan.h"

#include "passes/plan/move/index_array.h"

using namespace mlir;

namespace tpuc::plan {

constexpr uint64_t kMostAtOnce = 8;  // what registers have room for

GatherPlan::GatherPlan(KernelContext &context, stablehlo::GatherOp op)
    : context_(context),
      op_(op),
      numbers_(op.getDimensionNumbers()),
      type_(cast<RankedTensorType>(op.getOperand().getType())) {
  auto indices = cast<RankedTensorType>(op.getStartIndices().getType()),
       result = cast<RankedTensorType>(op.getResult().getType());
  for (int64_t d = 0; d < indices.getRank(); ++d)
    if (d != numbers_.getIndexVectorDim()) batchExtents_.push_back(indices.getDimSize(d));
  for (int64_t d = 0; d < result.getRank(); ++d)
    (llvm::is_contained(numbers_.getOffsetDims(), d) ? offsetDims_ : batchDims_).push_back(d);
  isOfRows_ = llvm::all_of(llvm::enumerate(op.getSliceSizes()), [&](auto it) {
    const auto d = static_cast<int64_t>(it.index());
    return it.value() == 1 ||
           (it.value() == type_.getDimSize(d) && !llvm::is_contained(numbers_.getStartIndexMap(), d));
  });
}

// Of neighbours along the last dim. Their first one's position is a multiple of them, in each part.
int64_t GatherPlan::mostAtOnce() const {
  if (shares_.blocks.empty()) return 1;
  const uint64_t last = shares_.blocks.back(), most = std::clamp<uint64_t>(llvm::bit_floor(last), 1, kMostAtOnce);
  const bool isCut = shares_.blocks.back() < shares_.extents.back();
  return static_cast<int64_t>(isCut ? std::min(most, last & -last) : most);
}

// Parts of the first dim that has a window for each core: then what the cores write lies apart.
void GatherPlan::choose() {
  const auto cores = static_cast<int64_t>(context_.target.cores());
  const auto *dim = llvm::find_if(batchExtents_, [&](int64_t n) { return n >= cores; });
  shares_ = wholeShares(batchExtents_);
  if (dim == batchExtents_.end()) return;
  const uint64_t each = llvm::divideCeil(*dim, cores);
  const bool areNeighbours = isOfRows_ && dim + 1 == batchExtents_.end();
  const int64_t granule = areNeighbours ? std::clamp<uint64_t>(llvm::bit_floor(each), 1, kMostAtOnce) : 1;
  shares_ = equalShares(context_.target, batchExtents_, dim - batchExtents_.begin(), granule);
}

LogicalResult GatherPlan::follow() {
  GivenPlan given(context_);
  if (!given.has(kTransfers)) return given.refuse("transfers, and nothing else");
  FailureOr<Shares> shares = givenShares(context_, batchExtents_);
  if (succeeded(shares)) shares_ = *shares;
  return shares;
}

LogicalResult GatherPlan::plan() {
  if (!context_.plan)
    choose();
  else if (failed(follow()))
    return failure();
  atOnce_ = isOfRows_ ? mostAtOnce() : 1;
  auto indices = cast<RankedTensorType>(op_.getStartIndices().getType());
  FailureOr<int64_t> parts = plan::indexParts(context_, indices.getNumElements());
  if (failed(parts)) return failure();
  indexParts_ = *parts;
  if (context_.plan) return success();
  Choices choices(context_.op->getContext());
  choices.set(kTransfers);
  if (indexParts_) choices.set(kIndexParts, indexParts_);
  context_.plan = planOf(context_, shares_, choices);
  return success();
}

}  // namespace tpuc::plan
