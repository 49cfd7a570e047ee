// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scalar computation of a region (a reducer, a comparator, an update) on vregs: every lane computes it for itself.
#pragma once
#include "dialects/kernel/function.h"
#include "passes/lowering/body/vector_ops.h"

namespace tpuc::lowering {

// Whether every op of the block works on single elements that lanes can hold.
bool isLaneRegion(mlir::Block &block);
// The terminator's operands for these arguments, in lane form. `known`: masks that are the same in all lanes, which
// only and, or and select use.
using KnownMasks = llvm::SmallDenseMap<mlir::Value, bool>;
llvm::SmallVector<mlir::Value> emitRegion(Code &c, mlir::Block &block, mlir::ValueRange arguments,
                                          KnownMasks known = KnownMasks());

// The function's results for these lanes.
llvm::SmallVector<mlir::Value> emitFunction(Code &c, kernel::ApplyOp apply, mlir::ValueRange operands);

// Rows of a narrow type share words: the `pack` groups of 8 rows of a packed vreg in lane form, and back.
llvm::SmallVector<mlir::Value> unpackLanes(Code &c, mlir::Type element, mlir::Value packed);
mlir::Value packLanes(Code &c, mlir::Type element, llvm::ArrayRef<mlir::Value> groups);

}  // namespace tpuc::lowering
