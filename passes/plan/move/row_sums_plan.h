// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of a scatter that reduces rows into a table that VMEM holds: updates come in their order, block by block,
// and each is combined with the table's row where that lies. No transfer is of a single row.
//
// Domain: rows of updates, then the table's dims. Columns may be cut in parts: all updates are walked for each part.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "passes/plan/kernels.h"
#include "passes/plan/loop/reducer.h"

namespace tpuc::plan {

// How a table of rows is summed up: of what is reduced.
struct RowSumsShape {
  int64_t columns = 0;  // of the table's last dim, at once
  int64_t rows = 0;     // of updates, in a block
  int64_t copies = 1;   // of the table: rows that follow one another go to different ones
  // The table has no blocks: transfers bring it to its first copy, and take that away.
  bool isMoved = false;

  // Column tiles of a row, of a table of two dims, that loads take eight at a time.
  int64_t stridedTiles(mlir::RankedTensorType table) const;
};

// The shape that takes fewest cycles, and how many; nothing where no table of so many rows fits those words of VMEM.
// `table`: in the order of its dims; `rows`: of updates.
struct RowSumsChoice {
  RowSumsShape shape;
  double cycles = 0;
};
// `mayMove`: the table and the sums are in HBM.
std::optional<RowSumsChoice> chooseRowSums(const timing::MachineModel &model, mlir::RankedTensorType table,
                                           Reducer reducer, int64_t rows, int64_t words, bool mayMove = true);
// Cycles of `rows` rows of a table that transfers bring, each there and back beside its update. In order: those of
// other rows go on meanwhile. One by one: each waits for the one before.
double cyclesOfRowsInOrder(const timing::MachineModel &model, mlir::RankedTensorType table, int64_t rows);
double cyclesOfRowsOneByOne(const timing::MachineModel &model, mlir::RankedTensorType table, int64_t rows);

// Cycles of the best shape, and to move all of VMEM out and in where that has to leave; nothing where no shape fits, or
// lanes have no such elements.
std::optional<double> cyclesOfRowSums(const timing::MachineModel &model, mlir::RankedTensorType table, Reducer reducer,
                                      int64_t rows);
// Whether each sum has to be rounded, in the order of the updates.
bool roundsEach(mlir::Type element, Reducer reducer);

// The one op that a scatter's computation is, if lanes of 32 bits reduce its elements by it.
std::optional<Reducer> reducerOfRows(stablehlo::ScatterOp op);
// Whether the scatter is of whole rows along the first dim, one index each, in two arrays of the same type, reduced as
// `reducerOfRows` says.
bool reducesRows(stablehlo::ScatterOp op);

// Whether a kernel is such a scatter whose table VMEM holds, and that is faster than one row after the other; or its
// plan says so.
bool sumsRows(const KernelContext &context, stablehlo::ScatterOp op);

class RowSumsPlan {
 public:
  RowSumsPlan(KernelContext &context, stablehlo::ScatterOp op);
  // Follows context.plan, or chooses one and sets it; a located diagnostic on failure.
  mlir::LogicalResult plan();

 protected:
  // Rows of a copy of the table. Its elements have words of their own, and it has one row more, for indices out of
  // range.
  int64_t copyRows() const;   // of a table of two dims
  int64_t rowStride() const;  // words of a row, of other tables
  int64_t copyWords() const;

  KernelContext &context_;
  stablehlo::ScatterOp op_;
  Reducer reducer_;
  mlir::RankedTensorType type_;
  int64_t updates_ = 0;  // rows
  RowSumsShape shape_;
  Domain domain_;
  std::unique_ptr<ArrayBlock> before_, read_, written_;  // the table, updates, the result; see `shape_.isMoved`
  std::unique_ptr<Grid> grid_;
  int64_t copyWord_ = 0;  // the first copy's

 private:
  void bind();
  bool isResident() const;
  void take(const RowSumsShape &shape);
  int64_t place();
  mlir::LogicalResult choose();
  mlir::LogicalResult follow();
};

}  // namespace tpuc::plan
