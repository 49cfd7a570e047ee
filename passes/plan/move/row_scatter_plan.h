// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of a scatter of rows in ascending order (passes/analysis/sorted_rows.h): groups of rows, of which one is
// fetched while the one before it is combined.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "passes/plan/kernels.h"

namespace tpuc::plan {

// How rows lie in HBM and, one after the other, in VMEM.
struct Rows {
  Origin origin;
  Array array;
  int64_t perWord = 1;  // rows that share words
  int64_t words = 0;    // of a row
  Rows(const Origin &origin, const Array &array);
  int64_t slotWords() const { return llvm::alignTo(words, 8); }
  // One transfer's run of bytes, and how many of them a tile's bytes apart.
  int64_t run() const { return array.rank() == 1 ? 4 : array.rank() == 2 ? isa::kWordBytes : words * isa::kWordBytes; }
  llvm::SmallVector<int64_t> counts() const {
    return array.rank() == 2 && words > 1 ? llvm::SmallVector<int64_t>{words} : llvm::SmallVector<int64_t>();
  }
};

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
  int64_t partRows_ = 0, numbersBytes_ = 0;              // rows whose numbers SMEM holds at once; bytes of all numbers
  int64_t update_ = 0, old_ = 0, made_ = 0, spare_ = 0;  // words: two slots of a group each

 private:
  int64_t place();
};

}  // namespace tpuc::plan
