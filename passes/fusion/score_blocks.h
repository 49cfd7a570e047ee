// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which part of attention's scores VMEM holds at once: a block. It is some queries of one head, or several heads, and
// always all keys. A loop goes through the blocks, the last dim that it walks fastest.
#pragma once
#include "passes/fusion/scores.h"

namespace tpuc::fusion {

class ScoreBlocks : public BlockedDims {
 public:
  explicit ScoreBlocks(Scores scores) : BlockedDims(scores.dims), s_(std::move(scores)) {}
  const Scores &scores() const { return s_; }

  // Sets the block for `room` bytes of VMEM, which each core has. False: they hold all scores of a single core, or too
  // few queries.
  bool choose(int64_t room, int64_t cores);

  // Bytes through HBM: of scores and probabilities without a loop, and of arrays that the loop wants in another order.
  int64_t scoreBytes() const;
  int64_t copiedBytes() const;

  // The order of the result's dims in which its blocks follow one another. If the program transposes it, any order will
  // do: features lie along lanes.
  llvm::SmallVector<int64_t> resultOrder() const;

 private:
  llvm::SmallVector<int64_t> outerDims() const;  // neither the queries' nor the keys'
  void chooseHeads(int64_t heads, int64_t cores);

  Scores s_;
};

}  // namespace tpuc::fusion
