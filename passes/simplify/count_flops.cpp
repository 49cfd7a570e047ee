//===- count_flops.cpp - notes what the program's own products take -----------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/flops.h"
#include "passes/simplify/passes.h"
#include "passes/simplify/trip_counts.h"

using namespace mlir;

namespace tpuc::simplify {
#define GEN_PASS_DEF_COUNTFLOPSPASS
#include "passes/simplify/passes.h.inc"

namespace {

struct CountFlops : impl::CountFlopsPassBase<CountFlops> {
  void runOnOperation() override {
    TripCounts counts;
    DenseMap<Operation *, double> executions;  // of what lies in a loop
    int64_t number = 0;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto around = op->getParentOfType<stablehlo::WhileOp>();
      double times = around ? executions.lookup(around) : 1;
      if (auto loop = dyn_cast<stablehlo::WhileOp>(op))
        executions[op] = times * static_cast<double>(counts.of(loop).value_or(1));
      double flops = stablehlo::flopsOf(op);
      if (flops > 0)
        op->setLoc(stablehlo::withProduct(op->getLoc(), {number++, flops * times, stablehlo::multipliesBytes(op)}));
    });
  }
};

}  // namespace
}  // namespace tpuc::simplify
