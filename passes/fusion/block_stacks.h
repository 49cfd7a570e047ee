// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop over blocks reads and writes: stacks. A stack is an array whose first dim counts the pieces that the
// blocks take.
#pragma once
#include "passes/builders/build.h"
#include "passes/fusion/blocked_dims.h"

namespace tpuc::fusion {

struct BlockStack {
  mlir::Value whole;
  llvm::SmallVector<int64_t> places;  // by dim of the array, where a piece has it; -1: nowhere
  llvm::SmallVector<int64_t> walked;  // the common dims that the first dim counts; none: all blocks read the whole
  // Where a value is a layer that is not taken out of its array of layers: the layer's begin along each dim of that
  // array, null for the layer's own dims; and which common dims these are.
  llvm::SmallVector<mlir::Value> layer;
  CommonDims layerDims;
  bool operator==(const BlockStack &) const = default;
};

// The stack of an array that blocks read, made before their loop; what fills up the last block is zeros.
BlockStack stackOf(builders::Build &build, const BlockedDims &blocks, mlir::Value array, const CommonDims &dims);
// What the block of an iteration (i32) reads of it.
mlir::Value pieceOf(builders::Build &build, const BlockedDims &blocks, const BlockStack &stack, mlir::Value iteration);
// The number of the block along these common dims, which are among those walked, in their order.
mlir::Value numberAlong(builders::Build &build, const BlockedDims &blocks, llvm::ArrayRef<int64_t> dims,
                        mlir::Value iteration);

// The stack of a result whose dims follow one another in `order`: its type, and what the program's users of the result
// get. Replaces them.
mlir::RankedTensorType resultStack(const BlockedDims &blocks, mlir::Value result, const CommonDims &dims,
                                   llvm::ArrayRef<int64_t> order);
void replaceResult(builders::Build &build, const BlockedDims &blocks, mlir::Value result, const CommonDims &dims,
                   llvm::ArrayRef<int64_t> order, mlir::Value stack);

// The one user of a value, where it is a transpose; else null.
stablehlo::TransposeOp transposeOf(mlir::Value v);
// A transpose of what may be a transpose itself: both in one, or none.
mlir::Value reordered(builders::Build &build, mlir::Value v, llvm::ArrayRef<int64_t> order);

}  // namespace tpuc::fusion
