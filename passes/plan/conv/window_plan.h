// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of a window on the vector unit: pooling (reduce_window) and depthwise convolutions.
#pragma once
#include "passes/analysis/scan.h"
#include "passes/plan/conv/padded_input.h"
#include "passes/plan/grid/root_plan.h"
#include "passes/plan/loop/reducer.h"

namespace tpuc::plan {

class WindowPlan : protected RootPlan {
 public:
  explicit WindowPlan(KernelContext &context) : RootPlan(context) {}
  // Follows context.plan, or chooses one and sets it; a located diagnostic on failure.
  mlir::LogicalResult plan();

 protected:
  int64_t taps() const { return taps_.size(); }

  stablehlo::ConvolutionOp conv_;     // depthwise, or
  stablehlo::ReduceWindowOp window_;  // a reduction by `reducer_` from `initial_`
  Reducer reducer_ = Reducer::Add;
  mlir::Attribute initial_;
  Domain inputView_, weightView_;
  std::unique_ptr<ArrayBlock> input_, weights_;
  PaddedInput padded_;
  llvm::SmallVector<int64_t> lead_;
  int64_t r_ = 0, lanes_ = 0;
  llvm::SmallVector<llvm::SmallVector<int64_t>> taps_;  // positions of the window, per axis

 private:
  void analyse();
  void makeBlocks();
  int64_t place();
  mlir::LogicalResult chooseBlocks();
};

// What a kernel of windows is around: `select`, else a scan by `window`, else any other window.
struct WindowRoot {
  stablehlo::SelectAndScatterOp select;
  stablehlo::ReduceWindowOp window;
  std::optional<analysis::Scan> scan;
};
WindowRoot windowRootOf(kernel::FusionOp op);
mlir::LogicalResult planWindow(KernelContext &context);

}  // namespace tpuc::plan
