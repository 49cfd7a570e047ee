// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention as programs write it: a product, what is computed on its result row by row (scale, mask, softmax), and a
// product that contracts the rows. `dot(softmax(dot(q, k)), v)`.
#pragma once
#include "passes/fusion/blocked_dims.h"

namespace tpuc::fusion {

// The products and what stands between them; their dims in common are those of the probabilities.
struct Scores : CutRegion {
  stablehlo::DotGeneralOp first, last;
  bool isRight = false;             // the probabilities are the right operand of `last`
  llvm::SmallVector<int64_t> dims;  // of the probabilities
  int64_t m = -1, n = -1;           // of these the queries', which are cut, and the keys', which `last` contracts

  mlir::Value scores() const { return at(first)->getResult(0); }
  mlir::Value probabilities() const { return at(last)->getOperand(isRight ? 1 : 0); }
  mlir::Value result() const { return at(last)->getResult(0); }

 private:
  static mlir::Operation *at(stablehlo::DotGeneralOp op) { return op; }
};

// The scores whose probabilities `last` multiplies; nullopt where something between the products has other users, is
// not computed row by row, or where no dim of the scores is the queries' alone.
std::optional<Scores> scoresOf(stablehlo::DotGeneralOp last);

}  // namespace tpuc::fusion
