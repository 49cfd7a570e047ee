// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is computed for each element of a product's batch dims by itself, between arrays as large as its result: the
// scores of attention and all that is made of them, in gradients too.
#pragma once
#include "passes/fusion/blocked_dims.h"

namespace tpuc::fusion {

struct BatchRegion : CutRegion {
  llvm::SmallVector<int64_t> extents;  // of the batch dims, the dims in common
  int64_t liveBytes = 0;               // of its large arrays that are needed at once, as lanes hold them
  int64_t movedBytes = 0;              // written and read of those that nothing outside reads
  int64_t keptBytes = 0;               // likewise of large arrays that stay in VMEM without a loop
  int64_t kernels = 0;                 // that it takes, about
};

// The region around a product; nothing where its result is no array of batches, or the region cannot be cut.
//
//  1. From the product's result on, over arrays of just as many elements: the ops that make and read them, as long as
//     they keep the batch dims apart. Others that read or make larger arrays are not of it.
//  2. What stands between these and is smaller: sums of rows, and what is made of them.
//  3. Of all that one turn, which is computed together: what has to wait for something else that is made of it, as a
//     gradient for the loss, is of the next turn, and another region.
//  4. A result that is converted to fewer bits before anything else reads it, with its conversion.
//  5. What others use too and is made of positions, or of smaller arrays by broadcasts, is made again.
// `room`: bytes in which arrays stay between kernels outside of a loop.
std::optional<BatchRegion> batchRegionOf(stablehlo::DotGeneralOp dot, int64_t room);

class BatchBlocks : public BlockedDims {
 public:
  explicit BatchBlocks(const BatchRegion &region);
  // Chooses as many batches as `room` bytes hold, and leaves a block for each core. False where a single core's room
  // holds all of them, or none.
  bool choose(int64_t room, int64_t cores);
  // Bytes of arrays that the loop wants in another order, written and read.
  int64_t copiedBytes() const;

 private:
  const BatchRegion &r_;
};

}  // namespace tpuc::fusion
