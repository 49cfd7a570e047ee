// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of a scatter of windows, one after the other.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "passes/plan/grid/grid_plan.h"

namespace tpuc::plan {

class ScatterPlan {
 public:
  ScatterPlan(KernelContext &context, stablehlo::ScatterOp op);
  // Follows context.plan, or chooses one and sets it; a located diagnostic on failure.
  mlir::LogicalResult plan();

 protected:
  // Refuses an update computation that lanes do not have.
  mlir::LogicalResult refuseRegion();

  KernelContext &context_;
  stablehlo::ScatterOp op_;
  stablehlo::ScatterDimensionNumbersAttr numbers_;
  llvm::SmallVector<int64_t> windowDims_, batchDims_, batchExtents_;  // of the updates
  llvm::SmallVector<int64_t> operandDim_;                             // of each window dim
  llvm::SmallVector<int64_t> loopDims_, held_;  // window dims walked one by one, and those in VMEM
  llvm::SmallVector<int64_t> heldExtents_;
  bool replaces_ = false;   // updates take the place of what was there
  size_t count_ = 0;        // of operands
  int64_t indexParts_ = 0;  // see index_array.h

 private:
  void readDims();
  mlir::LogicalResult check();
  mlir::LogicalResult choose();
  mlir::LogicalResult follow();
  mlir::LogicalResult write(Choices &choices);
  void loopOver();
  int64_t place();
};

}  // namespace tpuc::plan
