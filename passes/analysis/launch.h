// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch holds besides its kernels' grids: transfers of whole arrays, waits for them, and counted loops with
// their counters.
#pragma once
#include "dialects/kernel/fetch.h"
#include "dialects/tpu/tpu.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace tpuc::analysis {

// A fetch or a copy of an array of this chip, or the wait for one.
inline bool isLaunchTransfer(mlir::Operation *op) {
  auto holdsArrays = [](llvm::StringRef space) { return space == "hbm" || space == "vmem"; };
  if (auto dma = mlir::dyn_cast<tpu::DmaStartOp>(op))
    return !dma.getChip() && holdsArrays(dma.getSrcSpace()) && holdsArrays(dma.getDstSpace());
  auto wait = mlir::dyn_cast<tpu::InstOp>(op);
  if (!wait || wait.getMnemonic() != "dma.wait" || wait->getNumOperands()) return false;
  auto fields = wait.getFieldsAttr();
  auto field = fields ? fields.getAs<mlir::IntegerAttr>("imm") : mlir::IntegerAttr();
  const int64_t semaphore = field ? field.getInt() : 0;
  return semaphore == 0 ||
         (semaphore >= kernel::kFetchSemaphores && semaphore < kernel::kFetchSemaphores + kernel::kFetches);
}

// A load or a store of a loop's counter in SMEM, where kernels find it.
inline bool isCounterAccess(mlir::Operation *op) {
  auto access = mlir::dyn_cast<tpu::InstOp>(op);
  return access && (access.getMnemonic() == "s.stw" || access.getMnemonic() == "s.ldw");
}
// What steps it.
inline bool isOfCounters(mlir::Operation *op) {
  return isCounterAccess(op) || mlir::isa_and_nonnull<mlir::arith::ArithDialect>(op->getDialect());
}

// Whether it is known how often the loop runs, and it carries nothing on.
inline bool isCountedLoop(mlir::Operation *op) {
  auto loop = mlir::dyn_cast<mlir::scf::ForOp>(op);
  return loop && loop.getNumResults() == 0 && mlir::getConstantIntValue(loop.getLowerBound()) &&
         mlir::getConstantIntValue(loop.getUpperBound()) && mlir::getConstantIntValue(loop.getStep());
}

}  // namespace tpuc::analysis
