// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fetches in the entry routine: arrays that come into VMEM while kernels run.
#pragma once
#include "dialects/kernel/kernel.h"
#include "passes/lowering/code.h"
#include "passes/plan/memory/buffers.h"

namespace tpuc::lowering {

class Fetches {
 public:
  explicit Fetches(const BufferPlan &plan) : plan_(plan) {}

  // Starts the transfer, into the place that the result has in VMEM. A located diagnostic where it has none, or where
  // too many are under way.
  mlir::LogicalResult start(kernel::FusionOp fetch, mlir::OpBuilder &b);
  // Waits for what `op`, or what it runs, is the first to read.
  void waitFor(mlir::Operation *op, mlir::OpBuilder &b);
  // At the end of the block in which they began.
  void waitForAll(mlir::Block &block, mlir::OpBuilder &b);

 private:
  struct UnderWay {
    mlir::Value array;
    int64_t semaphore;
  };
  void wait(mlir::OpBuilder &b, mlir::Location loc, llvm::function_ref<bool(mlir::Value)> isWanted);

  const BufferPlan &plan_;
  llvm::SmallVector<UnderWay> underWay_;
};

}  // namespace tpuc::lowering
