// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradient of a convolution with respect to its weights, as plan/conv/gradient_plan.h plans
// it.
#pragma once
#include "passes/lowering/conv/fold.h"
#include "passes/lowering/grid/root_kernel.h"
#include "passes/plan/conv/gradient_plan.h"

namespace tpuc::lowering {

mlir::LogicalResult lowerGradientKernel(KernelContext &context, Code &code, stablehlo::ConvolutionOp conv,
                                        mlir::Value start, mlir::Value count);

class GradientKernel : RootKernel<GradientPlan> {
 public:
  GradientKernel(KernelContext &context, Code &code, stablehlo::ConvolutionOp conv) : RootKernel(context, code, conv) {}
  mlir::LogicalResult run(mlir::Value start, mlir::Value count);

 private:
  // Taps and a tile of input features: the weights of one array.
  struct Combination {
    llvm::SmallVector<Linear> tap;  // lead axes of the window, then the last when it is not folded
    int64_t tile = 0, index = 0;
  };
  // Where a group of 8 positions lies within a tile.
  struct GroupPlace {
    int64_t image, row, along;
  };

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
};

}  // namespace tpuc::lowering
