// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of a convolution kernel.
//
//   conv_setup.cpp   the index space, the blocks, the padded and folded copies
//   conv_fold.cpp    which taps lie side by side along k
//   conv_blocks.cpp  block sizes and the use of the arrays, or as a plan says
//   conv_cost.cpp    estimated cycles of these
//
// Between the elements of a dilated input are zeros. Of s results side by side along such an axis each meets elements
// at other taps, every s-th: they are its phases, and a tap takes the rows of one of them.
#pragma once
#include "passes/plan/conv/conv_root.h"
#include "passes/plan/conv/turned_taps.h"

namespace tpuc::plan {

class ConvPlan : protected ConvRoot {
 public:
  ConvPlan(KernelContext &context, stablehlo::ConvolutionOp conv) : ConvRoot(context, conv) {}
  // Follows context.plan, or chooses one and sets it; a located diagnostic on failure.
  mlir::LogicalResult plan();

 protected:
  static constexpr int64_t kPhaseRegion = 1004;
  llvm::SmallVector<int64_t> rowExtents() const;
  int64_t partStart(size_t dim, int64_t part) const;
  int64_t units() const { return llvm::divideCeil(domain_.block[ow_], domain_.unitRows()); }
  // Units rounded up: each phase has as many.
  int64_t wholeUnits() const { return llvm::alignTo(units(), phases(lead_.size())); }
  // Phases of the results along a dim of rowExtents(); 1: all taps take all rows.
  int64_t phases(size_t dim) const;
  // Rows of 8 results at most leave room in a push for those of others: the dim of rowExtents() along which as many as
  // a packed vreg has groups of 8 rows go together; -1: none.
  int64_t sharedDim() const;
  int64_t taps() const;
  int64_t kExtent() const;
  int64_t kTiles() const { return llvm::divideCeil(kExtent(), side_); }

  Domain inputView_, weightView_;
  std::unique_ptr<ArrayBlock> input_, weights_;
  PaddedInput padded_;
  Fold fold_;
  TurnedTaps turnedTaps_;
  FoldRows foldRows_;
  FoldedWeights foldedWeights_;
  int64_t phaseWord_ = 0;  // where popped rows of phases become rows side by side; of one array and column tile each
  bool folds_ = false, foldsRows_ = false;  // the window's last axis lies in lanes; its other axes too
  bool turnsTaps_ = false;                  // both, by the transpose buffer
  bool transposed_ = false;                 // weights are [window.., out, in]
  llvm::SmallVector<int64_t> lead_;         // domain dims of the results' leading dims: batch, space..
  int64_t ci_ = 0, ow_ = 0, co_ = 0;
  int64_t across_ = 1, down_ = 1, groups_ = 1;
  int64_t split_ = -1;   // the dim whose parts go to arrays side by side: an index into rowExtents()
  bool kSplit_ = false;  // results stay in the accumulators over grid steps

 private:
  // Setup.
  mlir::LogicalResult chooseMode();
  void chooseDims();
  double cyclesOfPush() const;
  bool foldsRows() const;
  bool turnsTaps();
  double xluSlots() const;
  double leadStrides() const;
  double cyclesOfTurn(int64_t columns, int64_t rows) const;
  double usualCycles() const;
  double turnedCycles() const;
  int64_t lastPhases() const;
  int64_t granuleOf(size_t dim) const;
  void makeBlocks();
  void makeViews();
  void makeCopies();
  int64_t place();
  int64_t placeTurned();
  int64_t placeWeights(int64_t word);
  int64_t phaseWords() const;

  // Blocks.
  mlir::LogicalResult chooseBlocks();
  mlir::LogicalResult fitBlocks();
  mlir::LogicalResult followBlocks();
  void searchBlocks();
  void searchPositions(bool batchFirst, double &best, llvm::SmallVectorImpl<int64_t> &bestBlock);
  void resetPositions();
  llvm::SmallVector<int64_t> parts(int64_t d) const;
  int64_t rows() const;
  bool overflowsSums(int64_t rows);
  int64_t choosePosition(bool batchFirst) const;
  int64_t chooseCut(int64_t words);
  int64_t cutGranule(int64_t d) const;
  bool areEven() const;
  bool repeats(int64_t cut);
  void chooseArrays();
  void splitRows();
  bool fitsWith(int64_t d, int64_t extent);
  void orderGrid();

  // Cost.
  double cyclesOfBlocks();
  double cost() const;
  double stepCycles() const;
  double tileCycles() const;
  double copyCycles() const;
  double popCycles() const;
};

// The convolution of a kernel.
stablehlo::ConvolutionOp convolutionOf(kernel::FusionOp op);
// Whether it is a gradient with respect to weights: the batch lies along lanes.
bool isWeightGradient(stablehlo::ConvolutionOp conv);
mlir::LogicalResult planConv(KernelContext &context);

}  // namespace tpuc::plan
