// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dims that several arrays have in common, cut in blocks: a loop goes through the blocks, the last dim that it walks
// fastest.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tpuc::fusion {

// Says for each dim of a value which common dim it is; kOwn: none of them.
inline constexpr int64_t kOwn = -1;
using CommonDims = llvm::SmallVector<int64_t, 4>;

// Ops that compute block by block what they compute as a whole.
struct CutRegion {
  llvm::SetVector<mlir::Operation *> ops;                 // each behind what it uses
  llvm::DenseMap<mlir::Value, CommonDims> dimsOf;         // of their results
  llvm::MapVector<mlir::OpOperand *, CommonDims> arrays;  // what they read from outside, in the order of the ops
  llvm::SmallVector<mlir::Value> results;                 // what is read outside: each has all dims that are walked
};

class BlockedDims {
 public:
  int64_t count() const;  // of blocks
  // Whether cores that share the blocks have about as many each: few wait in the last round.
  bool sharesEvenly(int64_t cores) const {
    constexpr int64_t kLeast = 90;  // percent of the rounds' blocks
    return 100 * count() >= kLeast * cores * static_cast<int64_t>(llvm::divideCeil(count(), cores));
  }
  // How many blocks there are along a common dim, and what a block has of it.
  int64_t countAlong(int64_t dim) const { return llvm::divideCeil(extents_[dim], block_[dim]); }
  int64_t sizeAlong(int64_t dim) const { return block_[dim]; }
  bool isWalked(int64_t dim) const { return dim != kOwn && countAlong(dim) > 1; }
  llvm::SmallVector<int64_t> walked() const;

  // How many elements of dim i a block of an array with such dims has. And which dims the block keeps: those of more
  // than one element.
  int64_t extent(mlir::RankedTensorType type, const CommonDims &dims, int64_t i) const {
    return dims[i] == kOwn ? type.getDimSize(i) : block_[dims[i]];
  }
  llvm::SmallVector<int64_t> kept(mlir::RankedTensorType type, const CommonDims &dims) const;
  mlir::RankedTensorType blockType(mlir::RankedTensorType type, const CommonDims &dims) const;
  // For each dim of such an array where its block has it; -1: nowhere.
  llvm::SmallVector<int64_t> places(mlir::RankedTensorType type, const CommonDims &dims) const;

  // The order of an array's dims in which its blocks follow one another: what the loop may walk stands first.
  llvm::SmallVector<int64_t> stackOrder(const CommonDims &dims) const { return orderBy(dims, first_); }

 protected:
  explicit BlockedDims(llvm::ArrayRef<int64_t> extents) : extents_(extents), block_(extents) {}
  static llvm::SmallVector<int64_t> orderBy(const CommonDims &dims, llvm::ArrayRef<int64_t> first);

  llvm::SmallVector<int64_t> extents_, block_;  // by common dim
  llvm::SmallVector<int64_t> first_;            // common dims that stacks begin with, in the order of the walk
};

}  // namespace tpuc::fusion
