// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dots as products of elements and their sums, which the vector unit makes.
#pragma once
#include "passes/builders/build.h"

namespace tpuc::layout {

// The dims of a dot by number: batches first, then what is summed, the left operand's free dims, the right one's.
// Without the summed ones they are the result's dims.
struct DotDims {
  explicit DotDims(stablehlo::DotGeneralOp dot);

  int64_t all() const { return static_cast<int64_t>(sizes.size()); }
  bool isContracted(int64_t k) const { return k >= batches && k < batches + contracted; }
  // Whether one operand has free dims, and the other none.
  bool hasOneMatrix() const { return (leftEnd > batches + contracted) != (all() > leftEnd); }
  // All of them, the summed ones last.
  llvm::SmallVector<int64_t> summedLast() const;

  int64_t batches = 0, contracted = 0, leftEnd = 0;  // leftEnd: the number behind the left operand's
  llvm::SmallVector<int64_t> sizes;                  // by number
  llvm::SmallVector<int64_t> left, right;            // the number of each dim of an operand
};

// Products of `left` and `right`, whose dims are `dims.left` and `dims.right`, in an index space of the dims `space`,
// and their sums: the dot's result with its dims in the space's order. Sums of f16 and bf16 are in f32.
mlir::Value sumsOf(builders::Build build, const DotDims &dims, mlir::Value left, mlir::Value right,
                   llvm::ArrayRef<int64_t> space, mlir::Type element);
// Replaces the dot by that.
void toSums(stablehlo::DotGeneralOp dot);
// Whether a dot is a vector by rows in several dims, the last of which fills no whole tiles: to be rows of one matrix
// they would move.
bool isRaggedRows(stablehlo::DotGeneralOp dot);

}  // namespace tpuc::layout
