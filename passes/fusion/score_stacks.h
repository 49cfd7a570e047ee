// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop over blocks of scores reads and writes: stacks. A stack is an array whose first dim counts the pieces
// that the blocks take.
#pragma once
#include "passes/builders/build.h"
#include "passes/fusion/score_blocks.h"

namespace tpuc::fusion {

struct ScoreStack {
  mlir::Value whole;
  llvm::SmallVector<int64_t> places;  // by dim of the array, where a piece has it; -1: nowhere
  llvm::SmallVector<int64_t> walked;  // the scores' dims that the first dim counts; none: all blocks read the whole
};

// The stack of an array that blocks read, made before their loop; queries that fill up the last block are zeros.
ScoreStack stackOf(builders::Build &build, const ScoreBlocks &blocks, mlir::Value array, const ScoreDims &dims);
// What the block of an iteration (i32) reads of it.
mlir::Value pieceOf(builders::Build &build, const ScoreBlocks &blocks, const ScoreStack &stack, mlir::Value iteration);
// The number of the block along these dims of the scores, which are among those walked, in their order.
mlir::Value numberAlong(builders::Build &build, const ScoreBlocks &blocks, llvm::ArrayRef<int64_t> dims,
                        mlir::Value iteration);

// The stack of results: its type, and what the program's users of the result get. Replaces them.
mlir::RankedTensorType resultStack(const ScoreBlocks &blocks);
void replaceResult(builders::Build &build, const ScoreBlocks &blocks, mlir::Value stack);

// A transpose of what may be a transpose itself: both in one, or none.
mlir::Value reordered(builders::Build &build, mlir::Value v, llvm::ArrayRef<int64_t> order);

}  // namespace tpuc::fusion
