// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of a gather of single elements from a table in VMEM. The table is a vector, or an array: then each row of
// the result takes elements of the row of the same number.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "passes/plan/grid/root_plan.h"

namespace tpuc::plan {

class LookupPlan : protected RootPlan {
 public:
  LookupPlan(KernelContext &context, stablehlo::GatherOp op)
      : RootPlan(context),
        op_(op),
        size_(typeOf(op.getOperand()).getShape().back()),
        rows_(llvm::divideCeil(size_, 128)) {}
  // Follows context.plan, or chooses one and sets it; a located diagnostic on failure.
  mlir::LogicalResult plan();

 protected:
  stablehlo::GatherOp op_;
  bool isOfRows() { return typeOf(op_.getOperand()).getRank() > 1; }

  int64_t size_, rows_, tableWord_ = 0;  // of the vector, or a row: elements, 128 each, where a vector lies in VMEM
  DimMap map_;
  llvm::SmallVector<int64_t> walked_;
  std::unique_ptr<ArrayBlock> indices_, table_;  // of rows: their block, whole along lanes

 private:
  void bind();
  int64_t place();
  mlir::LogicalResult chooseBlocks();
};

// Estimated cycles to look up the elements of `result` in `table`, a vector or rows; nothing where VMEM does not hold
// the table.
std::optional<double> cyclesOfLookups(const timing::MachineModel &model, mlir::RankedTensorType table,
                                      mlir::RankedTensorType result);
// Estimated cycles to fetch a gather's windows one by one.
double cyclesOfTransfers(const timing::MachineModel &model, stablehlo::GatherOp op);

// Whether a gather's elements are a vector's that VMEM holds, an index for each of the result; or those of rows: dims
// but the last are batches of operand, indices and result alike.
bool isLookup(kernel::FusionOp fusion, stablehlo::GatherOp op);

}  // namespace tpuc::plan
