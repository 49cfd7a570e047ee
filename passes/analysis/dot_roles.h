// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which operand of a dot streams through the matrix unit, which one is its weights, and along which dims.
#pragma once
#include <optional>

#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::analysis {

// The streaming operand's rows are m, its lanes k; the result's lanes are n, a free dim of the other operand, the
// weights.
struct DotRoles {
  bool swapped = false;            // the right operand streams
  int64_t m = -1, n = -1;          // the minor free dim of each side, a dim of its operand; -1: it has none
  int64_t k = -1;                  // the contraction along lanes, an index into the contracting dims; -1: there is none
  bool rowsTransposed = false;     // the streaming operand lies with m along lanes: transposed on the way in
  bool weightsTransposed = false;  // the weights lie with k along lanes: the array takes them transposed
};

// `lhsLanes`, `rhsLanes`: the operand's dim that lies along lanes, -1 for none. `order`: the result's dims in physical
// order. Nothing when the matrix unit can't take the operands as they lie.
std::optional<DotRoles> dotRoles(stablehlo::DotGeneralOp dot, int64_t lhsLanes, int64_t rhsLanes,
                                 llvm::ArrayRef<int64_t> order);

// Bytes of the largest array's part that a grid step holds at least, for a dot that has roles. A dim under any array's
// tile that is neither rows nor lanes of the matrix unit there is held whole everywhere.
int64_t smallestDotBlock(stablehlo::DotGeneralOp dot, int64_t lhsLanes, int64_t rhsLanes, llvm::ArrayRef<int64_t> order,
                         int64_t side);

// Rows of sums that a grid step holds at least, in all systolic arrays together: of all of the batch that lies under
// the result's tile.
int64_t smallestDotSums(stablehlo::DotGeneralOp dot, int64_t lhsLanes, int64_t rhsLanes, llvm::ArrayRef<int64_t> order);

// The dims of operand `rhs` (or the left one) that are neither batching nor contracting.
llvm::SmallVector<int64_t> freeDims(stablehlo::DotGeneralOp dot, bool rhs);

// The dot's precision, by operand, of one whose operands are exchanged if `swaps`.
mlir::ArrayAttr precisionOf(stablehlo::DotGeneralOp dot, bool swaps);
// Whether an algorithm is the same with the operands swapped.
bool takesEitherWay(stablehlo::DotAlgorithmAttr algorithm);

}  // namespace tpuc::analysis
