// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What lookups take: elements as words, and indices that stay inside.
#pragma once
#include "passes/builders/build.h"

namespace tpuc::decompose {

// Elements that a lookup moves, some of them as bits of a word.
bool isKnownElement(mlir::Type element);

// Elements below 32 bits as words, and back.
class Words {
 public:
  Words(mlir::OpBuilder &b, mlir::Location loc, mlir::Type element) : b_(b), build_{b, loc}, element_(element) {}
  mlir::Value of(mlir::Value v);
  mlir::Value back(mlir::Value v);

 private:
  bool isNarrow() const { return element_.isIntOrFloat() && element_.getIntOrFloatBitWidth() < 32; }
  mlir::Type bits() const;
  mlir::Value bitcast(mlir::Value v, mlir::Type type);

  mlir::OpBuilder &b_;
  builders::Build build_;
  mlir::Type element_;
};

// Sizes without dims of one element; the last one stays.
llvm::SmallVector<int64_t> longSizes(llvm::ArrayRef<int64_t> sizes);
// Indices from 0 to `high`, what is outside moved there.
mlir::Value clampedIndex(builders::Build &build, mlir::Value index, int64_t high);
// Component k of index vectors, clamped, as i32: in the shape of the indices without that dim.
mlir::Value startOf(builders::Build &build, mlir::Value indices, int64_t vectorDim, int64_t k, int64_t high);

}  // namespace tpuc::decompose
