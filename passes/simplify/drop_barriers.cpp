//===- drop_barriers.cpp - removes optimization barriers --------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/simplify/passes.h"

using namespace mlir;

namespace tpuc::simplify {
#define GEN_PASS_DEF_DROPBARRIERSPASS
#include "passes/simplify/passes.h.inc"

namespace {

struct DropBarriers : impl::DropBarriersPassBase<DropBarriers> {
  void runOnOperation() override {
    getOperation().walk([](stablehlo::OptimizationBarrierOp barrier) {
      barrier.replaceAllUsesWith(barrier.getOperand());
      barrier.erase();
    });
  }
};

}  // namespace
}  // namespace tpuc::simplify
