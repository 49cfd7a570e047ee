// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of a gather that fetches each window from where its indices say, by transfers.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "passes/plan/move/shares.h"

namespace tpuc::plan {

class GatherPlan {
 public:
  GatherPlan(KernelContext &context, stablehlo::GatherOp op);
  // Follows context.plan, or chooses one and sets it; a located diagnostic on failure.
  mlir::LogicalResult plan();

 protected:
  KernelContext &context_;
  stablehlo::GatherOp op_;
  stablehlo::GatherDimensionNumbersAttr numbers_;
  mlir::RankedTensorType type_;                                       // of the operand
  llvm::SmallVector<int64_t> batchExtents_, batchDims_, offsetDims_;  // of the indices; of the result
  Shares shares_;
  int64_t atOnce_ = 1;      // windows whose indices are in registers before their transfers start
  int64_t indexParts_ = 0;  // see index_array.h

 private:
  int64_t mostAtOnce() const;
  void choose();
  mlir::LogicalResult follow();

  bool isOfRows_;  // a window is one of the places that indices name, with all of the other dims: a transfer or few
};

}  // namespace tpuc::plan
