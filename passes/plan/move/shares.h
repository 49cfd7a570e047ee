// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the cores share the windows that their scalar units move by transfers.
#pragma once
#include "passes/plan/grid/grid_plan.h"

namespace tpuc::plan {

// One dim of the windows is cut, and each core starts the transfers of its parts. In a plan: a grid of the windows'
// dims. A plan without a grid leaves all windows to one core.
struct Shares {
  llvm::SmallVector<int64_t> extents, blocks;  // of the windows' dims; what one part has of each
  std::optional<size_t> dim() const;           // that is cut
  int64_t parts() const;
};

// All windows of one core; a part of `dim` for each of the target's cores, a multiple of `granule`.
Shares wholeShares(llvm::ArrayRef<int64_t> extents);
Shares equalShares(const target::Target &target, llvm::ArrayRef<int64_t> extents, size_t dim, int64_t granule);
// Of the plan that a kernel comes with.
mlir::FailureOr<Shares> givenShares(const KernelContext &context, llvm::ArrayRef<int64_t> extents);
kernel::PlanAttr planOf(const KernelContext &context, const Shares &shares, const Choices &choices);

}  // namespace tpuc::plan
