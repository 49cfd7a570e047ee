// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of a scatter of rows in ascending order (passes/analysis/sorted_rows.h): groups of rows, of which some are
// fetched while one before them is combined.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "passes/plan/move/rows.h"

namespace tpuc::plan {

// Bytes of VMEM that a scatter of rows into `table`, whose dims lie in their order, takes at least: with one at once.
int64_t leastRowScatterBytes(mlir::RankedTensorType table);

class RowScatterPlan {
 public:
  RowScatterPlan(KernelContext &context, stablehlo::ScatterOp op);
  // Follows context.plan, or chooses one and sets it; a located diagnostic on failure.
  mlir::LogicalResult plan();

 protected:
  KernelContext &context_;
  stablehlo::ScatterOp op_;
  stablehlo::GatherOp gather_;  // that brings the updates
  Rows table_, updates_;
  int64_t rows_, group_;                                 // of which so many are combined at once
  int64_t slots_;                                        // groups in VMEM: all but one are fetched or written
  int64_t partRows_ = 0, numbersBytes_ = 0;              // rows whose numbers SMEM holds at once; bytes of all numbers
  int64_t update_ = 0, old_ = 0, made_ = 0, spare_ = 0;  // words: a group in each slot

 private:
  int64_t place();
};

}  // namespace tpuc::plan
