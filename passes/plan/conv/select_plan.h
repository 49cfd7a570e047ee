// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of a select_and_scatter.
#pragma once
#include "passes/plan/conv/padded_input.h"
#include "passes/plan/grid/root_plan.h"
#include "passes/plan/loop/reducer.h"

namespace tpuc::plan {

// A select_and_scatter, alone or between a pad of its operand and the slice that takes the pad's positions off again:
// the gradient of a pool that pads. The index space is the operand's without them.
class SelectPlan : protected RootPlan {
 public:
  SelectPlan(KernelContext &context, stablehlo::SelectAndScatterOp op) : RootPlan(context), op_(op) {}
  // Follows context.plan, or chooses one and sets it; a located diagnostic on failure.
  mlir::LogicalResult plan();

 protected:
  static constexpr int64_t kOperandRegion = 1000, kValueRegion = 1001, kChosenRegion = 1002;

  stablehlo::SelectAndScatterOp op_;
  stablehlo::PadOp pad_;  // null: none
  Reducer reducer_ = Reducer::Add;
  mlir::Attribute initial_;
  // Windows along a leading dim whose choices a block has: row k of them is window `first` + k, `step` more for every
  // next block. Choices are made of `count` rows from `begin` on, for the windows `least` to `most`, of which there may
  // not be all.
  struct Windows {
    int64_t first, step, begin, count, least, most;
  };
  Windows windowsOf(int64_t d) const;

  llvm::SmallVector<Axis> axes_;  // of the op, from its operand to its windows
  Domain operandView_, valueView_;
  std::unique_ptr<ArrayBlock> operand_, values_;
  // The operand; the windows' values, along sublanes as far apart as the windows are, along leading dims side by side.
  PaddedInput padded_, apart_;
  int64_t chosen_ = 0;  // words from a value to the number of its window's choice
  llvm::SmallVector<int64_t> lead_;
  int64_t r_ = 0, lanes_ = 0;
  llvm::SmallVector<llvm::SmallVector<int64_t>> taps_;
  // By axis, the positions that windows select among: of the operand, and of what a pad before the op adds to it.
  llvm::SmallVector<std::pair<int64_t, int64_t>> range_;

 private:
  void takePadding();
  void analyse();
  void makeBlocks();
  void coverWindows();
  int64_t place();
  mlir::LogicalResult chooseBlocks();
};

}  // namespace tpuc::plan
