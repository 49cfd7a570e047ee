// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Padding of which it is known that it is zero: a softmax's, once what its maxima are taken of is -inf there. One mask
// does for the maximum, the sum and the product behind them.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/DenseMap.h"

namespace tpuc::shapes {

class PaddedRows {
 public:
  // The padding of `value` along the dimension is -inf. Rows along it have a true element at least.
  void setLow(mlir::Value value, int64_t dim) { low_[value] = dim; }
  // An elementwise op whose operands were seen.
  void visit(mlir::Operation *op);
  // Is the padding along the dimension zero? Where it is NaN, the whole row is: sums along it are what they were.
  bool isZero(mlir::Value value, int64_t dim) const;
  void forget(mlir::Value value);

 private:
  using Dims = llvm::DenseMap<mlir::Value, int64_t>;
  Dims low_, belowMost_, zero_;
};

}  // namespace tpuc::shapes
