// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the passes before the stage plan ask the planner.
#pragma once
#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/stablehlo.h"
#include "runtime/target/target.h"
#include "runtime/timing/machine_model.h"

namespace tpuc::plan {

// Answers by planning a kernel of the op, which nothing else sees. Nothing is said of an op that has none.
class Question {
 public:
  explicit Question(const target::Target &target) : target_(target), model_(target) {}

  // Whether a kernel takes the op: it has a form that one takes (analysis/convolution_form.h), and its smallest blocks
  // and sums have room beside the block of an epilogue that reads an array like the result.
  // A gradient of depthwise weights has one where it is sooner than slices of the input.
  bool hasKernel(stablehlo::ConvolutionOp op) const;
  bool hasKernel(stablehlo::ReduceWindowOp op) const;
  // True for few features only: for others elementwise ops on whole arrays are sooner.
  bool hasKernel(stablehlo::SelectAndScatterOp op) const;
  // Estimated cycles of a kernel of these ops, "dot" or "loop", whose result is the last one's; nothing where it does
  // not fit or has no plan.
  std::optional<double> cyclesOf(llvm::StringRef kind, llvm::ArrayRef<mlir::Operation *> ops) const;
  std::optional<double> cyclesOf(kernel::FusionOp fusion) const;
  // Of a kernel that reads an array and writes another.
  double cyclesToMove(mlir::RankedTensorType from, mlir::RankedTensorType to) const;
  double cyclesToLaunch() const { return static_cast<double>(model_.launchCycles()); }
  // Whether elementwise work around a transpose that puts another dim along lanes is one kernel.
  bool hasKernel(kernel::FusionOp fusion, stablehlo::TransposeOp op) const;
  // Whether a value that a kernel would compute wherever it is repeated, `instructions` for each vreg, is sooner made
  // once by a kernel of its own, written and read: many times sooner, for other units may hide the instructions.
  bool paysAsArray(mlir::RankedTensorType value, mlir::RankedTensorType repeated, int64_t instructions) const;
  // Whether a kernel's smallest blocks have room; yes where they are not known before arrays have their orders.
  bool hasRoom(kernel::FusionOp fusion) const;
  // Whether reshapes, transposes and broadcasts are one kernel.
  bool hasRelayout(kernel::FusionOp fusion) const;
  // Bytes that transfers keep the HBM channel busy with, of a reshape's elements alone; nothing where they are too
  // many.
  std::optional<int64_t> bytesOfCopy(mlir::RankedTensorType from, mlir::RankedTensorType to) const;
  // Bytes of an array that moves in blocks, on one side; 0 where it may lie in VMEM instead.
  int64_t bytesOfBlocks(mlir::RankedTensorType type, bool mayStay) const;
  // In which an array is written to HBM.
  double cyclesToWrite(mlir::RankedTensorType type) const;

 private:
  bool fits(mlir::Operation *op, llvm::StringRef kind) const;
  double cyclesToMove(double bytes) const;
  bool paysAlongLanes(stablehlo::ConvolutionOp gradient) const;
  bool paysAlongLanes(stablehlo::SelectAndScatterOp op) const;

  const target::Target &target_;
  timing::MachineModel model_;
};

}  // namespace tpuc::plan
