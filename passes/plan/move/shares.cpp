// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/plan/move/shares.h"

using namespace mlir;

namespace tpuc::plan {

std::optional<size_t> Shares::dim() const {
  for (size_t d = 0; d < extents.size(); ++d)
    if (blocks[d] < extents[d]) return d;
  return std::nullopt;
}

int64_t Shares::parts() const {
  const std::optional<size_t> d = dim();
  return d ? llvm::divideCeil(extents[*d], blocks[*d]) : 1;
}

Shares wholeShares(ArrayRef<int64_t> extents) { return {llvm::to_vector(extents), llvm::to_vector(extents)}; }

Shares equalShares(const target::Target &target, ArrayRef<int64_t> extents, size_t dim, int64_t granule) {
  Shares shares = wholeShares(extents);
  const int64_t each = llvm::divideCeil(extents[dim], static_cast<int64_t>(target.cores()));
  shares.blocks[dim] = std::min<int64_t>(llvm::alignTo(each, granule), extents[dim]);
  return shares;
}

FailureOr<Shares> givenShares(const KernelContext &context, ArrayRef<int64_t> extents) {
  const kernel::PlanAttr plan = context.plan;
  if (plan.getExtents().empty()) return wholeShares(extents);
  GivenPlan given(context);
  if (plan.getExtents() != extents || plan.getParallel().size() != extents.size())
    return given.refuse("a grid of the windows' dims, all parallel");
  const Shares shares{llvm::to_vector(extents), llvm::to_vector(plan.getBlocks())};
  if (llvm::count_if(llvm::zip(shares.blocks, extents), [](auto it) { return std::get<0>(it) < std::get<1>(it); }) > 1)
    return given.refuse("parts of one dim of the windows, not of two");
  return shares;
}

kernel::PlanAttr planOf(const KernelContext &context, const Shares &shares, const Choices &choices) {
  const kernel::PlanAttr plan = planOf(context, choices);
  if (shares.parts() == 1) return plan;
  const auto dims = llvm::to_vector(llvm::seq<int64_t>(0, shares.extents.size()));
  return kernel::PlanAttr::get(plan.getContext(), shares.extents, shares.blocks, dims, {}, {}, {}, plan.getChoices(),
                               plan.getWords(), plan.getBudget());
}

}  // namespace tpuc::plan
