// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values that a program computes from sizes and constants alone. Shape operands are such values; whatever comes
// from an argument's elements is not.
#pragma once
#include "passes/simplify/patterns.h"

namespace tpuc::shapes {

class ShapeValues {
 public:
  // Sees `op`, whose operands were seen before: remembers its result where it is a small array of known values.
  void visit(mlir::Operation *op);
  // The elements of `value` in row-major order; null where they depend on data.
  const llvm::SmallVector<simplify::Scalar> *of(mlir::Value value) const;
  // The same as integers of 64 bits; nothing where they depend on data.
  std::optional<llvm::SmallVector<int64_t>> integers(mlir::Value value) const;

 private:
  using Elements = llvm::SmallVector<simplify::Scalar>;
  std::optional<Elements> evaluate(mlir::Operation *op) const;
  std::optional<Elements> elementwise(mlir::Operation *op, int64_t count) const;
  // The result's element at each place comes from the operand's at `from(place)`.
  std::optional<Elements> moved(mlir::Operation *op,
                                llvm::function_ref<llvm::SmallVector<int64_t>(llvm::ArrayRef<int64_t>)> from) const;
  std::optional<Elements> joined(stablehlo::ConcatenateOp op) const;

  llvm::DenseMap<mlir::Value, Elements> known_;
};

}  // namespace tpuc::shapes
