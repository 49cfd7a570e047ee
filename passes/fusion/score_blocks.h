// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which part of attention's scores VMEM holds at once: a block. It is some queries of one head, or several heads, and
// always all keys. A loop goes through the blocks, the last dim that it walks fastest.
#pragma once
#include "passes/fusion/scores.h"

namespace tpuc::fusion {

class ScoreBlocks {
 public:
  explicit ScoreBlocks(Scores scores) : s_(std::move(scores)) {}
  const Scores &scores() const { return s_; }

  // Sets the block for `room` bytes of VMEM. False: they hold all scores, or too few queries.
  bool choose(int64_t room);

  int64_t count() const;  // of blocks
  // How many blocks there are along a dim of the scores, and what a block has of it.
  int64_t countAlong(int64_t dim) const { return llvm::divideCeil(s_.dims[dim], block_[dim]); }
  int64_t sizeAlong(int64_t dim) const { return block_[dim]; }
  bool isWalked(int64_t dim) const { return dim != kOwn && countAlong(dim) > 1; }
  llvm::SmallVector<int64_t> walked() const;

  // Bytes through HBM: of scores and probabilities without a loop, and of arrays that the loop wants in another order.
  int64_t scoreBytes() const;
  int64_t copiedBytes() const;

  // Of an array whose dims are `dims` of the scores: how many elements of dim i a block has, and which dims it keeps,
  // which are those of more than one element.
  int64_t extent(mlir::RankedTensorType type, const ScoreDims &dims, int64_t i) const {
    return dims[i] == kOwn ? type.getDimSize(i) : block_[dims[i]];
  }
  llvm::SmallVector<int64_t> kept(mlir::RankedTensorType type, const ScoreDims &dims) const;
  mlir::RankedTensorType blockType(mlir::RankedTensorType type, const ScoreDims &dims) const;
  // By dim of such an array, where its block has it; -1: nowhere.
  llvm::SmallVector<int64_t> places(mlir::RankedTensorType type, const ScoreDims &dims) const;

  // The order of an array's dims in which its blocks follow one another: what loops walk stands first.
  llvm::SmallVector<int64_t> stackOrder(const ScoreDims &dims, bool queriesFirst = false) const;
  // Likewise of the result. If the program transposes it, any order will do: features lie along lanes.
  llvm::SmallVector<int64_t> resultOrder() const;
  // The program's own transpose of the result; null where others use it.
  stablehlo::TransposeOp resultTranspose() const;

 private:
  llvm::SmallVector<int64_t> outerDims() const;  // neither the queries' nor the keys'
  void chooseHeads(int64_t heads);

  Scores s_;
  llvm::SmallVector<int64_t> block_;  // by dim of the scores
};

}  // namespace tpuc::fusion
