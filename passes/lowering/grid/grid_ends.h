// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a grid ends before its dims do: at true sizes of the program, which SMEM has.
#pragma once
#include "passes/lowering/code.h"
#include "passes/plan/grid/grid.h"

namespace tpuc::lowering {

class GridEnds {
 public:
  // The grid ends along those parallel dims along which all results end.
  explicit GridEnds(const Grid &grid);
  // It also ends along a sequential dim.
  void add(int64_t d, const SizeEnd &end);
  bool empty() const { return ends_.empty(); }

  // Code: how many steps are taken along each dim, once.
  void countSteps(Code &code);
  mlir::Value countOf(int64_t d) const { return counts_.lookup(d); }  // null: all of them
  mlir::Value stepsOf(Code &code, llvm::ArrayRef<int64_t> dims) const;
  // The number, among all steps, of the first step behind those of `step` parallel ones. Cores have like shares of the
  // steps that are taken.
  mlir::Value firstOf(Code &code, mlir::Value step) const;

 private:
  const Grid &grid_;
  llvm::SmallDenseMap<int64_t, SizeEnd> ends_;
  llvm::SmallDenseMap<int64_t, mlir::Value> counts_;
};

// How many of a dim's `extent` elements lie before the end.
mlir::Value elementsBefore(Code &code, const SizeEnd &end, int64_t extent);

// How many units of `elements` elements along d the block at `index` has before the end of all results, at least 1. The
// block may have fewer. Null where the results have no end along d.
mlir::Value unitsBefore(const Grid &grid, Code &code, llvm::ArrayRef<Linear> index, int64_t d, int64_t elements);

}  // namespace tpuc::lowering
