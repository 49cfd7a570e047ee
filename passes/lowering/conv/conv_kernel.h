// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A convolution kernel, as plan/conv/conv_plan.h plans it.
#pragma once
#include "passes/lowering/conv/fold.h"
#include "passes/lowering/grid/root_kernel.h"
#include "passes/plan/conv/conv_plan.h"

namespace tpuc::lowering {

class ConvKernel : RootKernel<ConvPlan> {
 public:
  ConvKernel(KernelContext &context, Code &code, stablehlo::ConvolutionOp conv) : RootKernel(context, code, conv) {}
  mlir::LogicalResult run(mlir::Value start, mlir::Value count);

 private:
  // Where in the window and the input features a product of one tile is.
  struct KStep {
    llvm::SmallVector<Linear> tap;  // per axis
    Linear tile;                    // k tiles of the arrays' side
  };

  void emitStep(const Step &step);
  void emitGroup(const Step &step, const Linear &group);
  void stageWeights(const Step &step, const Linear &group, const KStep &k, bool low);
  mlir::Value weightRows(const Linear &row, const Linear &column, const KStep &k, bool low);
  mlir::Value foldedWeightRows(const Linear &row, const Linear &column, const KStep &k, bool low);
  void pushRows(const Linear &group, const KStep &k, bool low);
  void popRows(const Linear &group);
  // The phase that a tap takes, along each dim of rowExtents(); 0 where all are of one phase.
  llvm::SmallVector<Linear> phasesOf(const KStep &k) const;
  Linear firstRow(const KStep &k, llvm::ArrayRef<Linear> phases) const;
  Linear accumulator(const Linear &group, const Linear &flat, int64_t sub) const;
  Linear sharedRow(llvm::ArrayRef<Linear> at) const;
  void storePhases(llvm::ArrayRef<mlir::Value> popped, Point point, int64_t place, int64_t count);
  void popUnits(const Linear &group, llvm::ArrayRef<int64_t> extents, int64_t firstSet, int64_t count);
};

}  // namespace tpuc::lowering
