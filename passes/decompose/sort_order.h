// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices that are the order which a sort has found: its counting operand, sorted.
#pragma once
#include <optional>

#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::decompose {

struct SortOrder {
  stablehlo::SortOp sort;
  mlir::Value numbers;  // the sort's result that they are
  bool isWhole = true;  // false: the first of them
};

// Where `indices`, apart from dims of one element, are the order of a sort of arrays of `shape` along `dim`, or its
// first elements; each place of the dim then has at most one.
std::optional<SortOrder> sortOrderOf(mlir::Value indices, int64_t dim, llvm::ArrayRef<int64_t> shape);

}  // namespace tpuc::decompose
