// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Short builders of StableHLO ops with inferred types.
#pragma once
#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::builders {

inline mlir::RankedTensorType typeOf(mlir::Value v) { return llvm::cast<mlir::RankedTensorType>(v.getType()); }

struct Build {
  mlir::OpBuilder &b;
  mlir::Location loc;

  mlir::Value zero(mlir::Type element);
  mlir::Value splat(mlir::RankedTensorType type, mlir::Attribute value);
  mlir::Value splat(mlir::RankedTensorType type, int64_t value);  // of integers
  mlir::Value convert(mlir::Value v, mlir::Type element);
  mlir::Value transpose(mlir::Value v, llvm::ArrayRef<int64_t> permutation);
  mlir::Value reshape(mlir::Value v, llvm::ArrayRef<int64_t> shape);
  // [start, limit) by stride in every dim.
  mlir::Value slice(mlir::Value v, llvm::ArrayRef<int64_t> start, llvm::ArrayRef<int64_t> limit,
                    llvm::ArrayRef<int64_t> stride);
  mlir::Value pad(mlir::Value v, mlir::Value value, llvm::ArrayRef<int64_t> low, llvm::ArrayRef<int64_t> high,
                  llvm::ArrayRef<int64_t> interior);
  mlir::Value concatenate(mlir::ValueRange parts, int64_t dim);
  mlir::Value sum(mlir::Value v, llvm::ArrayRef<int64_t> dims);
  // Whether an element of an i1 array is true: a scalar.
  mlir::Value any(mlir::Value mask);
  mlir::Value broadcast(mlir::Value v, llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> dims);
  // Component k of the index vectors along `vectorDim`, without that dim; of indices that have none, themselves.
  mlir::Value component(mlir::Value indices, int64_t vectorDim, int64_t k);
  // Elements at `indices` [batches.., k] of each of `rows` [batches.., n]. A vector [n] takes `indices` of any shape.
  mlir::Value elementsAt(mlir::Value rows, mlir::Value indices);
  // for i in [0, n): state = step(i, state); i is an i32 scalar.
  llvm::SmallVector<mlir::Value> loop(
      int64_t n, mlir::ValueRange init,
      llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value, mlir::ValueRange)> step);
};

}  // namespace tpuc::builders
