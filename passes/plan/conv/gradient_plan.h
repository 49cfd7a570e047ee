// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of a convolution's gradient with respect to its weights.
#pragma once
#include "passes/plan/conv/conv_root.h"
#include "passes/plan/conv/fold.h"

namespace tpuc::plan {

class GradientPlan : protected ConvRoot {
 public:
  GradientPlan(KernelContext &context, stablehlo::ConvolutionOp conv) : ConvRoot(context, conv) {}
  virtual ~GradientPlan() = default;
  // Follows context.plan, or chooses one and sets it; a located diagnostic on failure.
  mlir::LogicalResult plan();

 protected:
  static constexpr int64_t kPaddedRegion = 1000, kFoldRegion = 1001, kTurnedRegion = 1002, kSumRegion = 1003;

  int64_t lanesOfX() const { return folds_ ? domain_.dims[ci_] * padded_.last.window : domain_.block[ci_]; }
  int64_t xTiles() const { return llvm::divideCeil(lanesOfX(), side_); }
  int64_t outTiles() const { return llvm::divideCeil(domain_.block[co_], 128); }
  int64_t outRows() const {
    return llvm::alignTo(std::min<int64_t>(domain_.block[co_], domain_.dims[co_]), 8 * mode_.pack);
  }
  llvm::SmallVector<int64_t> tileExtents() const;
  int64_t tilesOfPositions() const;
  int64_t tapsApart() const;  // combinations of taps
  int64_t sumRows() const { return xTiles() * side_; }

  Domain xView_, dyView_;
  std::unique_ptr<ArrayBlock> x_, dy_;
  PaddedInput padded_;
  Fold fold_;
  bool folds_ = false;
  // Domain dims: the result's leading dims; the batch and dy's leading positions.
  llvm::SmallVector<int64_t> taps_, lead_;
  int64_t ci_ = 0, co_ = 0;
  // A tile of positions: images x rows x groups of 8 along a row; a row may take several tiles.
  int64_t images_ = 1, rows_ = 1, groups_ = 1, perRow_ = 1;
  int64_t turned_ = 0, turnedWords_ = 0, sums_ = 0, sumWords_ = 0;  // words of VMEM, and how many

  // Lays blocks and copies out in VMEM; the words they take.
  virtual int64_t place();
  // Rows of each array's accumulators that the sums of all taps take.
  virtual int64_t accumulatorRows() const;
  // Cycles of the arrays, the cross-lane unit and the copies, in a step of the blocks that are placed.
  virtual double stepCycles() const;

 private:
  void chooseDims();
  void makeBlocks();
  void chooseTiles();
  mlir::LogicalResult chooseBlocks();
  bool overflows() const;
  bool fitLeads();
  double cost() const;
};

}  // namespace tpuc::plan
