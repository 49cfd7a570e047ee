// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of a gather of rows from a table that VMEM holds: the table comes once, and each row of the result is loaded
// from where it lies there. No transfer is of a single row.
//
// Domain: rows of the result, then the table's rows and columns. Columns may be cut in parts: all rows are walked for
// each part.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "passes/plan/kernels.h"

namespace tpuc::plan {

// Cycles to take `rows` rows of the table so, and to move all of VMEM out and in where that has to leave; nothing where
// VMEM does not hold a part of the columns.
std::optional<double> cyclesOfHeldRows(const timing::MachineModel &model, mlir::RankedTensorType table, int64_t rows);
// Cycles of as many transfers, of a row each.
double cyclesOfRowTransfers(const timing::MachineModel &model, mlir::RankedTensorType table, int64_t rows);

// Whether a kernel is a gather of whole rows of a matrix, an index each, from a table that VMEM holds sooner than
// transfers bring them; or its plan says so.
bool takesHeldRows(const KernelContext &context, stablehlo::GatherOp op);

class HeldRowsPlan {
 public:
  HeldRowsPlan(KernelContext &context, stablehlo::GatherOp op);
  // Follows context.plan, or chooses one and sets it; a located diagnostic on failure.
  mlir::LogicalResult plan();

 protected:
  // Rows of the copy of a table whose rows share words: in the copy each row has words of its own.
  int64_t copyRows() const;

  KernelContext &context_;
  stablehlo::GatherOp op_;
  mlir::RankedTensorType type_;  // of the table
  int64_t count_ = 0;            // rows of the result
  int64_t rows_ = 0;             // of those, in a block
  int64_t columns_ = 0;          // at once
  Domain domain_;
  std::unique_ptr<ArrayBlock> table_, written_;
  std::unique_ptr<Grid> grid_;
  int64_t copyWord_ = 0;

 private:
  void bind();
  int64_t place();
  mlir::LogicalResult choose();
};

}  // namespace tpuc::plan
