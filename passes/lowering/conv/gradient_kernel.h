// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradient of a convolution with respect to its weights: what its lowering knows, shared by the files that do it.
//
//   gradient_setup.cpp   the index space, the copies, block sizes
//   gradient_kernel.cpp  the code of a grid step
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "passes/lowering/conv/fold.h"
#include "passes/lowering/grid/root_kernel.h"

namespace tpuc::lowering {

mlir::LogicalResult lowerGradientKernel(KernelContext &context, Code &code, stablehlo::ConvolutionOp conv,
                                        mlir::Value start, mlir::Value count);

class GradientKernel : RootKernel {
 public:
  GradientKernel(KernelContext &context, Code &code, stablehlo::ConvolutionOp conv)
      : RootKernel(context, code), conv_(conv) {}
  mlir::LogicalResult run(mlir::Value start, mlir::Value count);

 private:
  static constexpr int64_t kPaddedRegion = 1000, kFoldRegion = 1001, kTurnedRegion = 1002, kSumRegion = 1003;

  // Taps and a tile of input features: the weights of one array.
  struct Combination {
    llvm::SmallVector<Linear> tap;  // lead axes of the window, then the last when it is not folded
    int64_t tile = 0, index = 0;
  };
  // Where a group of 8 positions lies within a tile.
  struct GroupPlace {
    int64_t image, row, along;
  };

  // Setup and blocks.
  mlir::LogicalResult chooseMode();
  void chooseDims();
  void makeBlocks();
  void chooseTiles();
  int64_t place();
  mlir::LogicalResult chooseBlocks();
  int64_t chooseCut(bool tooBig, bool overflow, bool tooFew, bool idle) const;

  // Code.
  llvm::SmallVector<Combination> combinations() const;
  GroupPlace placeOfGroup(int64_t group) const {
    return {group / (groups_ * rows_), group / groups_ % rows_, group % groups_};
  }
  Linear leadPosition(size_t i, llvm::ArrayRef<Linear> at, const GroupPlace &group) const;
  mlir::Value fetchRows(const Combination &k, llvm::ArrayRef<Linear> at, int64_t group, int64_t column);
  void emitTurn(llvm::ArrayRef<Linear> index);
  mlir::Value fetchPositions(llvm::ArrayRef<Linear> index, llvm::ArrayRef<Linear> at, const GroupPlace &group);
  mlir::Value unpackUnit(mlir::Value packed, const Linear &part);
  mlir::Value keepPositions(mlir::Value v, llvm::ArrayRef<Linear> index, llvm::ArrayRef<Linear> at,
                            const GroupPlace &group);
  void stageTile(llvm::ArrayRef<Combination> set, llvm::ArrayRef<Linear> at, bool low);
  void pushTile(size_t arrays, int64_t setIndex, const Linear &flat, bool low);
  void emitSet(llvm::ArrayRef<Combination> set, int64_t setIndex);
  void emitSums(llvm::ArrayRef<Combination> all);
  void emitSumTile(const Combination &k, int64_t array, int64_t setIndex, int64_t column, const Linear &tile);
  void emitResults();
  void emitStep(const Step &step);
  void zero(int64_t word, int64_t words, int64_t region);

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

  stablehlo::ConvolutionOp conv_;
  MxuMode mode_;
  Domain xView_, dyView_;
  std::unique_ptr<ArrayBlock> x_, dy_;
  PaddedInput padded_;
  Fold fold_;
  bool folds_ = false;
  llvm::SmallVector<int64_t> taps_,
      lead_;  // domain dims: the result's leading dims; the batch and dy's leading positions
  int64_t ci_ = 0, co_ = 0;
  int64_t side_ = 128, arrays_ = 1;
  // A tile of positions: images x rows x groups of 8 along a row; a row may take several tiles.
  int64_t images_ = 1, rows_ = 1, groups_ = 1, perRow_ = 1;
  int64_t turned_ = 0, turnedWords_ = 0, sums_ = 0, sumWords_ = 0;
};

}  // namespace tpuc::lowering
