// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows that slide over an array: their axes, and where the padded copy of an input block that they read lies in
// VMEM.
//
// The copy has a row of 32-bit lanes for every position of the padded, dilated input, so that any shift along an axis
// is a shift of the word address: [lead axes.., lane tile, position along sublanes].
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "passes/plan/grid/arrays.h"

namespace tpuc::plan {

struct Axis {
  int64_t in = 1, out = 1, window = 1, stride = 1, low = 0;
  int64_t baseDilation = 1, dilation = 1;
  bool reversed = false;
  // Positions of the padded input under `n` results.
  int64_t span(int64_t n) const { return (n - 1) * stride + (window - 1) * dilation + 1; }
  // Results side by side of which each meets elements of the input at other taps, for between these lie zeros.
  int64_t phases() const { return stride == 1 && out > 1 && out >= baseDilation ? baseDilation : 1; }
  bool isTrivial() const { return window == 1 && stride == 1 && low == 0 && baseDilation == 1 && in == out; }
};
llvm::SmallVector<Axis> axesOf(stablehlo::ConvolutionOp op);

// A scalar as a lane has it in a copy: floats as f32, integers with their sign.
uint32_t laneBits(mlir::Attribute scalar, mlir::Type type);

// Row-major positions of a window, an index per axis.
llvm::SmallVector<llvm::SmallVector<int64_t>> windowPositions(llvm::ArrayRef<int64_t> window);

struct PaddedInput {
  ArrayBlock *block = nullptr;
  const Domain *domain = nullptr;       // the grid's
  llvm::SmallVector<Axis> lead;         // of the leading physical dims
  llvm::SmallVector<int64_t> leadDims;  // domain dims of their results
  Axis last;                            // of the dim along sublanes, held whole
  int64_t lanes = 1, lanesDim = -1;     // extent along lanes, the domain dim that cuts it
  int64_t tilesMultiple = 1;            // lane tiles, zeros beyond the array's
  uint32_t fill = 0;                    // bits of the padding
  bool intToFloat = false;
  bool hasGaps = true;    // rows between those of an array that is dilated along a leading axis
  bool isTurned = false;  // the array has its lanes' dim along sublanes, 8 of it at most, and the last axis along lanes
  // Turned too, with the axis before the last along sublanes and the lanes' dim before both: planes of an image's
  // features. Blocks hold them whole.
  bool isPlanes = false;
  // More than one: rows of the copy for each position, which the array has along sublanes, the last axis before them;
  // the batch lies along lanes.
  int64_t features = 1;
  bool isBlock = false;  // the block is read where it lies: it is such a copy already
  int64_t reach = 0;     // results along the last axis whose reads stay within a row; 0: those there are

  // Geometry, in words.
  int64_t word = 0, words = 0, pitch = 0, tileWords = 0, tiles = 1, region = -1;
  llvm::SmallVector<int64_t> held, leadWords;

  // The lanes of `operand` are domain dim `lanes`; the copy's alias class is `where`.
  void bind(ArrayBlock &operand, const Domain &grid, int64_t lanesOfGrid, int64_t where) {
    block = &operand;
    domain = &grid;
    lanes = grid.dims[lanesOfGrid];
    lanesDim = lanesOfGrid;
    region = where;
  }
  // The map of the array's dims, with leading ones `lead`; the space as the array sees it, which lacks dim `other`.
  DimMap mapOf(llvm::ArrayRef<int64_t> lead, int64_t lanes) const;
  void setView(Domain &view, int64_t lanes, int64_t other) const;
  // Rows along a leading axis: those of a block, how far the next block's lie, where the array's first lies and how far
  // the second from it.
  struct Rows {
    int64_t held, step, low, dilation;
  };
  Rows rowsOf(size_t axis) const;
  void setHalos();  // of the block, for the domain's current blocks
  // Whether windows, for the domain's current blocks, meet nothing but elements of a block that has rows of 32-bit
  // lanes itself.
  bool meetsBlockOnly() const;
  void layOut();
  // Of a row, what stores write and loads take: the others are features of nobody.
  int64_t heldLanes() const { return std::min<int64_t>(lanes, 128); }
  // Word of position x of the padded row `rows` of lane tile `tile`.
  Linear wordOf(llvm::ArrayRef<Linear> rows, const Linear &tile, const Linear &x) const;
};

}  // namespace tpuc::plan
