// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradient of a convolution's weights whose input is a turned image (PaddedInput::isTurned): taps side by side
// along sublanes, positions along lanes (turned_taps.h), are rows that the arrays take as they lie, and so are dy's
// positions as their weights. Nothing is transposed.
#pragma once
#include "passes/plan/conv/gradient_plan.h"
#include "passes/plan/conv/turned_taps.h"

namespace tpuc::plan {

class TapsGradientPlan : public GradientPlan {
 public:
  TapsGradientPlan(KernelContext &context, stablehlo::ConvolutionOp conv) : GradientPlan(context, conv) {}
  // Whether it is one of these; those of planes all are.
  static bool takes(const target::Target &target, stablehlo::ConvolutionOp conv);

 protected:
  static constexpr int64_t kPlanesRegion = 1004;

  // Units of rows (tap, feature) that a push takes, of the arrays' columns dy's tiles.
  int64_t rowUnits() const { return llvm::divideCeil(turnedTaps_.columns(), mode_.pack); }
  int64_t outGroups() const { return llvm::divideCeil(outTiles(), side_ / 128); }
  int64_t rowsOfSums() const { return rowUnits() * mode_.pack * 8; }
  // Rows of positions: sets of images side by side, dy's leading positions, tiles. Of large arrays several rows, along
  // the last leading dim, are contracted at once.
  llvm::SmallVector<int64_t> extents() const;
  int64_t rowsAtOnce() const;
  int64_t parts() const;

  TurnedTaps turnedTaps_;
  llvm::SmallVector<int64_t> split_;  // equal parts of extents() for the arrays

  int64_t place() override;
  int64_t accumulatorRows() const override { return outGroups() * rowsOfSums(); }
  double stepCycles() const override;
};

}  // namespace tpuc::plan
