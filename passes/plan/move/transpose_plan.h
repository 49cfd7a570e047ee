// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of a transpose that puts another dim along lanes.
//
// The domain is the result's dims in memory order. The source sees it with its own last dim along lanes and the
// result's last dim along sublanes, the result the other way round. As single elements through DMA every one of them
// would cost a granule.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "passes/plan/kernels.h"

namespace tpuc::plan {

class TransposePlan {
 public:
  TransposePlan(KernelContext &context, stablehlo::TransposeOp op) : context_(context), op_(op) {}
  // Chooses a plan and sets it; false where lanes stay, or no block fits VMEM: then transfers do it.
  bool choose();
  // Follows context.plan; a located diagnostic on failure.
  mlir::LogicalResult plan();

 protected:
  static constexpr int64_t kTile = 128;

  KernelContext &context_;
  stablehlo::TransposeOp op_;
  Domain sourceView_, resultView_;
  std::unique_ptr<ArrayBlock> source_, result_;
  DimMap sourceMap_;
  std::unique_ptr<Grid> grid_;

 private:
  bool bind();
  void makeGrid();
  bool isWhole(int64_t k) const;
  int64_t place();

  llvm::SmallVector<int64_t> granule_;  // what each dim is cut in multiples of
};

}  // namespace tpuc::plan
