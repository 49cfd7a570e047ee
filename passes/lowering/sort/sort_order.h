// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code of a comparator (plan/sort/sort_order.h): an element's keys, and which of two elements comes first.
#pragma once
#include "passes/lowering/body/region.h"
#include "passes/plan/sort/sort_order.h"

namespace tpuc::lowering {

// Key k of an element, given its operands' lanes as `keptType` has them; i1 as 0 and 1.
mlir::Value keyOf(Code &c, const SortOrder &order, int64_t k, mlir::ArrayRef<mlir::Value> operands);
// Whether the comparator says that the element with keys `a` comes before the one with `b`.
mlir::Value comparesBefore(Code &c, const SortOrder &order, mlir::ArrayRef<mlir::Value> a,
                           mlir::ArrayRef<mlir::Value> b);

// An f32 in total order as an integer, and back.
mlir::Value mirrorNegative(Code &c, mlir::Value v);

}  // namespace tpuc::lowering
