// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans of convolutions whose batch lies along lanes: few features, many images. At each position the rows under the
// window, (tap, feature), are one operand of the arrays as they lie, and the weights, or the results' gradient, the
// other.
//
//   batch_lanes_plan.cpp      the convolution: the window's rows are staged, rows of weights [out, (tap, in)] pushed
//   batch_lanes_gradient.cpp  the gradient of its weights: [out, batch] is staged, the window's rows are pushed
#pragma once
#include "passes/plan/conv/conv_root.h"
#include "passes/plan/conv/padded_input.h"

namespace tpuc::plan {

// The rows under a window: runs of rows at one distance in the padded copy, each held as whole groups of 8.
struct WindowRuns {
  int64_t rows = 1;                  // of a run
  int64_t stride = 1;                // words from one to the next
  bool joins = true;                 // the last axis' taps are in one run
  llvm::SmallVector<int64_t> words;  // from the window's first row to that of each run
  llvm::SmallVector<int64_t> apart;  // per axis of the window: runs from one tap to the next; 0 where they join

  // The runs of a copy that is laid out.
  static WindowRuns of(const PaddedInput &copy);
  int64_t held() const { return llvm::alignTo(rows, 8); }
  int64_t groups() const { return static_cast<int64_t>(words.size()) * held() / 8; }
  int64_t allRows() const { return groups() * 8; }
  // Words from the window's first row to that of group `g`; the rows that it has.
  int64_t wordOf(int64_t g) const { return words[g * 8 / held()] + g * 8 % held() * stride; }
  int64_t rowsOf(int64_t g) const { return std::min<int64_t>(rows - g * 8 % held(), 8); }
  // The number of the first row of a tap.
  Linear rowOf(llvm::ArrayRef<Linear> tap, int64_t features) const;
};

// Input [space.., in, batch], or of one feature [space.., in, last, batch]; weights [window.., in, out]; result
// [space.., out, batch].
class BatchLanesPlan : protected ConvRoot {
 public:
  BatchLanesPlan(KernelContext &context, stablehlo::ConvolutionOp conv) : ConvRoot(context, conv) {}
  // Follows context.plan, or chooses one and sets it; a located diagnostic on failure.
  mlir::LogicalResult plan();

 protected:
  static constexpr int64_t kPaddedRegion = 1000, kRowsRegion = 1001, kTurnedRegion = 1002;

  int64_t halves() const { return side_ / 128; }
  int64_t kTiles() const { return llvm::divideCeil(runs_.allRows(), side_); }
  int64_t outUnits() const { return llvm::divideCeil(domain_.dims[co_], 8 * mode_.pack); }
  int64_t outGroups() const { return outUnits() * mode_.pack; }
  int64_t columns() const { return llvm::divideCeil(domain_.block[b_], side_); }
  // Positions of a block, along the leading dims and the last; what an array takes of them; where its part begins. A
  // last part that would be shorter begins earlier.
  llvm::SmallVector<int64_t> extents() const;
  llvm::SmallVector<int64_t> shares() const;
  int64_t partStart(size_t dim, int64_t part) const;

  std::unique_ptr<ArrayBlock> input_, weights_;
  PaddedInput padded_;
  WindowRuns runs_;
  llvm::SmallVector<int64_t> lead_;
  int64_t ow_ = 0, co_ = 0, b_ = 0;
  int64_t parts_ = 1, split_ = -1;  // arrays, and the dim of extents() whose parts they take
  int64_t chunk_ = 1;               // positions of the last dim whose sums an array holds at once
  int64_t rows_ = 0, turned_ = 0;   // words of VMEM: the weights' rows, and turned ones, as they are pushed

 private:
  void chooseDims();
  void makeBlocks();
  int64_t place();
  void chooseParts();
  bool choosesChunk();
  int64_t chooseCut() const;
  mlir::LogicalResult chooseBlocks();
  mlir::LogicalResult followBlocks();
};

// Input [space.., in, batch], or of one feature [space.., in, last, batch]; gradient [space.., out, batch] as the
// op's weights; result [window.., in, out].
class BatchLanesGradientPlan : protected ConvRoot {
 public:
  BatchLanesGradientPlan(KernelContext &context, stablehlo::ConvolutionOp conv) : ConvRoot(context, conv) {}
  // Follows context.plan, or chooses one and sets it; a located diagnostic on failure.
  mlir::LogicalResult plan();

 protected:
  static constexpr int64_t kPaddedRegion = 1000, kSumRegion = 1001;

  int64_t halves() const { return side_ / 128; }
  int64_t columns() const { return llvm::divideCeil(domain_.block[b_], side_); }
  int64_t rowUnits() const { return llvm::divideCeil(runs_.groups(), mode_.pack); }
  llvm::SmallVector<int64_t> extents() const;  // positions of a block, along the leading dims and the last
  int64_t parts() const;

  Domain xView_, dyView_;
  std::unique_ptr<ArrayBlock> x_, dy_;
  PaddedInput padded_;
  WindowRuns runs_;
  llvm::SmallVector<int64_t> taps_, lead_;
  int64_t ci_ = 0, co_ = 0, b_ = 0;
  // Arrays take parts of the positions, equal ones along each dim of extents(); `shares_` arrays take a part each, and
  // the window's rows in turn.
  llvm::SmallVector<int64_t> split_;
  int64_t shares_ = 1;
  int64_t sums_ = 0;  // word of VMEM

 private:
  void chooseDims();
  void makeBlocks();
  int64_t place();
  void chooseArrays();
  bool overflowsSums() const;
  int64_t featureUnit() const;
  bool cut(bool idle, bool tooBig);
  mlir::LogicalResult chooseBlocks();
  mlir::LogicalResult followBlocks();
};

}  // namespace tpuc::plan
