// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of a scan.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "passes/analysis/scan.h"
#include "passes/plan/grid/root_plan.h"

namespace tpuc::plan {

class ScanPlan : protected RootPlan {
 public:
  ScanPlan(KernelContext &context, stablehlo::ReduceWindowOp op, const analysis::Scan &scan)
      : RootPlan(context), op_(op), scan_(scan) {}
  // Follows context.plan, or chooses one and sets it; a located diagnostic on failure.
  mlir::LogicalResult plan();

 protected:
  int64_t vregsOf(int64_t k) const;

  stablehlo::ReduceWindowOp op_;
  analysis::Scan scan_;
  int64_t dim_ = 0;                    // the domain's
  llvm::SmallVector<int64_t> others_;  // dims that are walked around it
  DimMap map_;
  std::unique_ptr<ArrayBlock> input_;
  int64_t carryWord_ = 0;  // where carries lie between a sequence's steps, a vreg for each that other dims have

 private:
  void bind();
  int64_t place();
  mlir::LogicalResult chooseBlocks();
};

}  // namespace tpuc::plan
