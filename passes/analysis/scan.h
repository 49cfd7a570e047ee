// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows that end (or begin) at each element and hold all before (after) it: running sums, products, extremes.
#pragma once
#include <optional>

#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::analysis {

struct Scan {
  int64_t dim = 0;
  bool reversed = false;  // from the last element on
};

// The op of a body that is one op on its two arguments, in any order; null of another.
mlir::Operation *onlyOp(mlir::Block &body);
// Whether `initial` is a constant of a type that lanes hold which leaves every x unchanged: 0 for a sum.
bool startsUnchanged(mlir::Operation *op, mlir::Value initial);

// What a reduce_window scans; nullopt where it is another window, or its computation is not one op that its initial
// value leaves unchanged.
std::optional<Scan> scanOf(stablehlo::ReduceWindowOp op);

}  // namespace tpuc::analysis
