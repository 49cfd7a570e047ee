// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows over padded dimensions, as reductions and convolutions have them.
#pragma once
#include "passes/shapes/padder.h"

namespace tpuc::shapes {

// One dimension of windows.
struct Window {
  Extent size, low, high;
  int64_t stride = 1, baseDilation = 1, dilation = 1;

  bool isTrivial() const {
    return size.asNumber() == 1 && stride == 1 && baseDilation == 1 && low.asNumber() == 0 && high.asNumber() == 0;
  }
};

inline Extent number(int64_t value) { return Extent::number(value); }
int64_t elementOr(std::optional<llvm::ArrayRef<int64_t>> list, size_t i, int64_t otherwise);
// Low and high of each dimension; zeros where an op names none.
llvm::SmallVector<int64_t> flat(std::optional<mlir::DenseIntElementsAttr> padding, size_t rank);

// Whether its size or padding is known only when the program runs.
bool isOpen(const Window &window);
// Of a dimension with that many true elements.
Extent numWindows(const Extent &extent, const Window &window, Padder &padder);
// The high padding with which the static op has at least `want` windows.
int64_t highFor(int64_t want, int64_t size, int64_t windowSize, int64_t low, const Window &window);

mlir::LogicalResult padConvolution(mlir::Operation *op, Padder &padder);
mlir::LogicalResult padDynamicConvolution(mlir::Operation *op, Padder &padder);

}  // namespace tpuc::shapes
