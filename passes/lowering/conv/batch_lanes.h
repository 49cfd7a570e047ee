// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions whose batch lies along lanes, and their gradients, as plan/conv/batch_lanes_plan.h plans them.
#pragma once
#include "passes/lowering/conv/window.h"
#include "passes/lowering/grid/root_kernel.h"
#include "passes/plan/conv/batch_lanes_plan.h"

namespace tpuc::lowering {

class BatchLanesKernel : RootKernel<BatchLanesPlan> {
 public:
  BatchLanesKernel(KernelContext &context, Code &code, stablehlo::ConvolutionOp conv)
      : RootKernel(context, code, conv) {}
  mlir::LogicalResult run(mlir::Value start, mlir::Value count);

 private:
  // A column of images of the arrays' side, and the first position of the last dim.
  struct Chunk {
    Linear column, first;
  };

  void emitStep(const Step &step);
  void copyWeights();
  void turnWeights();
  Linear turnedWord(bool low, int64_t unit, const Linear &tile) const;
  void emitChunk(const Chunk &chunk);
  void stageWindow(const Chunk &chunk, const Position &at, int64_t kTile, bool low);
  mlir::Value windowRows(const Linear &first, int64_t group);
  void pushWeights(const Linear &flat, int64_t kTile, bool low);
  void popChunk(const Chunk &chunk, llvm::ArrayRef<int64_t> extents);
};

class BatchLanesGradientKernel : RootKernel<BatchLanesGradientPlan> {
 public:
  BatchLanesGradientKernel(KernelContext &context, Code &code, stablehlo::ConvolutionOp conv)
      : RootKernel(context, code, conv) {}
  mlir::LogicalResult run(mlir::Value start, mlir::Value count);

 private:
  void emitStep(const Step &step);
  void emitColumn(const Step &step, const Linear &column);
  llvm::SmallVector<Linear> positionOf(const Position &at, int64_t part) const;
  void stageGradient(const Step &step, const Linear &column, const Position &at, bool low);
  mlir::Value gradientRows(const Linear &word, int64_t unit, bool low);
  void pushWindow(const Linear &column, const Position &at, bool low);
  void emitSums();
  void emitResults();
};

}  // namespace tpuc::lowering
