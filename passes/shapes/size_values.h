// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The integers that a bucketed program computes from sizes and constants, as expressions of its symbols. What
// shape_values.h is for sizes that are known.
#pragma once
#include <unordered_map>

#include "passes/shapes/extent.h"
#include "passes/simplify/patterns.h"

namespace tpuc::shapes {

class SizeValues {
 public:
  using Elements = llvm::SmallVector<Extent>;
  explicit SizeValues(ExtentSpace &space) : space_(space) {}

  // Sees `op`, whose operands were seen before. Booleans are 0 and 1.
  void visit(mlir::Operation *op);
  void set(mlir::Value value, Elements elements) { known_[value.getAsOpaquePointer()] = std::move(elements); }
  // Forgets a value that is erased: another one may come to lie at its address.
  void forget(mlir::Value value) { known_.erase(value.getAsOpaquePointer()); }
  // In row-major order; null where they depend on data. They stay where they are until they are forgotten.
  const Elements *of(mlir::Value value) const;

 private:
  std::optional<Elements> evaluate(mlir::Operation *op);
  std::optional<Elements> elementwise(mlir::Operation *op, int64_t count);
  std::optional<Extent> combine(mlir::Operation *op, llvm::ArrayRef<Extent> operands);
  std::optional<Extent> compare(stablehlo::ComparisonDirection direction, const Extent &a, const Extent &b);
  std::optional<Elements> slice(stablehlo::SliceOp op) const;
  std::optional<Elements> broadcast(mlir::Value operand, llvm::ArrayRef<int64_t> dims,
                                    mlir::RankedTensorType type) const;

  ExtentSpace &space_;
  std::unordered_map<const void *, Elements> known_;
};

}  // namespace tpuc::shapes
