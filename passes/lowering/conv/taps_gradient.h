// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradient of a convolution's weights from taps of turned images, as plan/conv/taps_gradient.h plans it.
#pragma once
#include "passes/lowering/grid/root_kernel.h"
#include "passes/plan/conv/taps_gradient.h"

namespace tpuc::lowering {

class TapsGradientKernel : RootKernel<TapsGradientPlan> {
 public:
  TapsGradientKernel(KernelContext &context, Code &code, stablehlo::ConvolutionOp conv)
      : RootKernel(context, code, conv) {}
  mlir::LogicalResult run(mlir::Value start, mlir::Value count);

 private:
  Position positionOf(const Position &at, int64_t part, int64_t row) const;
  mlir::Value keepPositions(mlir::Value v, const Step &step, const Position &at, int64_t image, int64_t group);
  mlir::Value gradientRows(const Step &step, const Position &at, const Linear &tile, int64_t group);
  void stageGradient(const Step &step, const Linear &group, const Position &at, bool low);
  void pushTaps(const Linear &group, const Position &at, bool low);
  void emitGroup(const Step &step, const Linear &group);
  void emitSums();
  void emitResults();
  void emitStep(const Step &step);
};

}  // namespace tpuc::lowering
