// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pieces of arrays that a kernel reads and writes where they lie.
#pragma once
#include "passes/plan/kernels.h"

namespace tpuc::plan {

// A slice of an array from where `starts`, scalars, say; clamped so that it is inside.
struct Window {
  mlir::ValueRange starts;
  mlir::RankedTensorType array;
  llvm::ArrayRef<int64_t> extents;
  int64_t high(size_t dim) const { return array.getDimSize(dim) - extents[dim]; }
};
using PieceOrigins =
    llvm::function_ref<llvm::SmallVector<Origin>(llvm::ArrayRef<Window>, llvm::ArrayRef<Origin> wholes)>;

// Makes of a kernel that reads slices of its arguments in place, or writes updates of them so, one whose arguments and
// results are the pieces, each with its origin in the whole array's buffer, which `originsOf` says. The kernel it was
// stays as it is: `context.op` is another one then, for the caller to erase.
void takePieces(KernelContext &context, PieceOrigins originsOf);

}  // namespace tpuc::plan
