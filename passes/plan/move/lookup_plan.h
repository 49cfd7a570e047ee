// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of gathers of single elements of a vector that VMEM holds.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "passes/plan/grid/root_plan.h"

namespace tpuc::plan {

class LookupPlan : protected RootPlan {
 public:
  LookupPlan(KernelContext &context, stablehlo::GatherOp op)
      : RootPlan(context), op_(op), size_(typeOf(op.getOperand()).getDimSize(0)), rows_(llvm::divideCeil(size_, 128)) {}
  // Follows context.plan, or chooses one and sets it; a located diagnostic on failure.
  mlir::LogicalResult plan();

 protected:
  stablehlo::GatherOp op_;
  int64_t size_, rows_, tableWord_ = 0;  // of the vector: elements, rows of 128, where they lie in VMEM
  DimMap map_;
  llvm::SmallVector<int64_t> walked_;
  std::unique_ptr<ArrayBlock> indices_;

 private:
  void bind();
  int64_t place();
  mlir::LogicalResult chooseBlocks();
};

// Whether a gather's elements are a vector's that VMEM holds, an index for each of the result.
bool isLookup(kernel::FusionOp fusion, stablehlo::GatherOp op);

}  // namespace tpuc::plan
