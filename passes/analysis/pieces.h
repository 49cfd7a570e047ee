// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slices that lie in one piece, as an array of their own would: a kernel reads and writes them where they lie.
//
//   %1 = stablehlo.dynamic_slice %weights, %i, %zero, %zero, sizes = [1, 512, 2048]   // of tensor<24x512x2048xbf16>
#pragma once
#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::analysis {

// One position of the outer dims, any number of a next one outside of the tiles, all of those after it. A row of a
// matrix of 32-bit elements is one too: a word of each tile, for kernels that move blocks.
bool isRow(mlir::RankedTensorType whole, llvm::ArrayRef<int64_t> sizes);
bool isPiece(mlir::RankedTensorType whole, llvm::ArrayRef<int64_t> sizes);

// Whether a kernel's body reads the slice where it lies: a piece of an argument, from where constants or arguments say.
// A kernel that yields the slice copies it.
bool isReadInPlace(stablehlo::DynamicSliceOp op);

// What the body reads of such a slice, or of any: the slice, or the same bytes under the shape that it has them in.
mlir::Value pieceAsRead(mlir::Operation *slice);

// The update whose piece a kernel writes straight to its place in an argument that it yields; null where it yields
// anything else. An update that the body does not compute is a copy.
stablehlo::DynamicUpdateSliceOp writtenInPlace(kernel::FusionOp fusion, unsigned result);
// What it computes there: the update, or what an update of the same bytes is of.
mlir::Value computedPiece(stablehlo::DynamicUpdateSliceOp op);

// Whether the kernel reads or writes pieces of its input `i`, or from where that says.
bool hasPiecesOf(kernel::FusionOp fusion, unsigned i);

}  // namespace tpuc::analysis
