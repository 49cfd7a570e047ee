// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of a gather of rows that share words (passes/analysis/packed_rows.h): tiles of the result, whose rows' words
// are fetched while those of tiles before are put together.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "passes/plan/move/rows.h"
#include "passes/plan/move/shares.h"

namespace tpuc::plan {

class RowGatherPlan {
 public:
  RowGatherPlan(KernelContext &context, stablehlo::GatherOp op);
  // Whether arrays lie with their dims in order, and VMEM holds a few tiles.
  bool fits();
  // Follows context.plan, or chooses one and sets it; a located diagnostic on failure.
  mlir::LogicalResult plan();

 protected:
  KernelContext &context_;
  stablehlo::GatherOp op_;
  Rows table_;
  Array array_;                     // the result
  int64_t tileRows_;                // of the result's tiles
  int64_t slots_;                   // tiles that are under way at once
  int64_t fetched_ = 0, made_ = 0;  // words: rows of each slot; its tiles
  Shares shares_;                   // of the result's leading dims and tiles of rows
  int64_t indexParts_ = 0;          // see index_array.h

 private:
  int64_t place();
  llvm::SmallVector<int64_t> extents() const;
  mlir::LogicalResult share();
};

}  // namespace tpuc::plan
