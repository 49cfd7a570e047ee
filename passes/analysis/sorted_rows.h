// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scatters of whole rows in ascending order of the rows that they name, so that equal rows follow one another and
// different ones do not wait for each other:
//
//   %keys, %from = stablehlo.sort(%rows, %positions)         // stable; what is out of range comes last, as row N
//   %in_order = stablehlo.gather(%updates, %from)
//   stablehlo.scatter(%table, %keys, %in_order) {kernel.sorted_rows}
#pragma once
#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::analysis {

inline constexpr llvm::StringLiteral kSortedRowsAttr("kernel.sorted_rows");

// The gather that brings the rows of such a scatter in order, and does nothing else; null for other scatters.
inline stablehlo::GatherOp rowsInOrder(stablehlo::ScatterOp op) {
  auto gather =
      op->hasAttr(kSortedRowsAttr) ? op.getUpdates()[0].getDefiningOp<stablehlo::GatherOp>() : stablehlo::GatherOp();
  return gather && gather->hasOneUse() && gather->getBlock() == op->getBlock() ? gather : stablehlo::GatherOp();
}

// Whether it is such a gather.
inline bool bringsInOrder(mlir::Operation *op) {
  if (!mlir::isa<stablehlo::GatherOp>(op) || !op->hasOneUse()) return false;
  auto scatter = mlir::dyn_cast<stablehlo::ScatterOp>(*op->user_begin());
  return scatter && rowsInOrder(scatter) == op;
}

}  // namespace tpuc::analysis
