// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of a depthwise convolution's gradient with respect to its weights.
#pragma once
#include "passes/plan/conv/padded_input.h"
#include "passes/plan/grid/root_plan.h"

namespace tpuc::plan {

// Its index space is [taps.., batch, positions.., 1, features]; it is seen as the forward convolution, as a gradient on
// the matrix unit is (gradient_plan.h).
class DepthwiseGradientPlan : protected RootPlan {
 public:
  DepthwiseGradientPlan(KernelContext &context, stablehlo::ConvolutionOp conv) : RootPlan(context), conv_(conv) {}
  // Follows context.plan, or chooses one and sets it; a located diagnostic on failure.
  mlir::LogicalResult plan();

 protected:
  static constexpr int64_t kPaddedRegion = 1000, kSumRegion = 1001;

  int64_t tiles() const { return llvm::divideCeil(domain_.block[lanes_], 128); }

  stablehlo::ConvolutionOp conv_;
  Domain xView_, dyView_;
  std::unique_ptr<ArrayBlock> x_, dy_;
  PaddedInput padded_;
  // Domain dims: the result's leading dims; the batch and dy's leading positions.
  llvm::SmallVector<int64_t> tapDims_, lead_;
  int64_t row_ = 0, lanes_ = 0;
  llvm::SmallVector<llvm::SmallVector<int64_t>> taps_;
  int64_t sums_ = 0;  // word of the sums: [tap, tile] vregs

 private:
  int64_t addDim(int64_t extent);
  void analyse();
  void makeBlocks();
  int64_t place();
  bool fitLeads();
  mlir::LogicalResult chooseBlocks();
};

}  // namespace tpuc::plan
