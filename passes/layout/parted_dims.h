// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops on dims that are parted: which dims of their operands and results go together, and the op on the parts.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "llvm/ADT/SetVector.h"

namespace tpuc::layout {

// A dim of an array.
using Dim = std::pair<mlir::Value, int64_t>;

// Adds the dims of an op's arrays that are parted when `dim` of one of them is. False: the op takes that dim whole.
bool partedWith(mlir::Operation *op, Dim dim, llvm::SetVector<Dim> &dims);

// Dims that are all parted into the same extents.
class PartedDims {
 public:
  PartedDims(const llvm::SetVector<Dim> &dims, llvm::ArrayRef<int64_t> parts) : dims_(dims), parts_(parts) {}

  // What each dim of an array is parted into.
  llvm::SmallVector<llvm::SmallVector<int64_t>> partsOf(mlir::Value v) const;
  llvm::SmallVector<int64_t> shapeOf(mlir::Value v) const;
  // The op on `operands`, which are its own in parts where they are parted. All of its dims that are parted can be.
  mlir::Value made(mlir::OpBuilder &b, mlir::Operation *op, mlir::ValueRange operands) const;

 private:
  llvm::SmallVector<int64_t> numbersOf(mlir::Value v, llvm::ArrayRef<int64_t> dims) const;
  // By dim of `v`: `values`, and `other` for each part of one that is parted.
  llvm::SmallVector<int64_t> spread(mlir::Value v, llvm::ArrayRef<int64_t> values, std::optional<int64_t> other) const;
  mlir::Operation *clone(mlir::OpBuilder &b, mlir::Operation *op, mlir::ValueRange operands) const;
  mlir::Value sliced(mlir::OpBuilder &b, stablehlo::SliceOp op, mlir::ValueRange operands) const;
  mlir::Value padded(mlir::OpBuilder &b, stablehlo::PadOp op, mlir::ValueRange operands) const;
  mlir::Value dotted(mlir::OpBuilder &b, stablehlo::DotGeneralOp op, mlir::ValueRange operands) const;

  const llvm::SetVector<Dim> &dims_;
  llvm::SmallVector<int64_t> parts_;
};

}  // namespace tpuc::layout
