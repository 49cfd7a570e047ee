//===- count_loops.cpp - says of loops how often they run -------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/kernel/counts.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/simplify/passes.h"
#include "passes/simplify/trip_counts.h"

using namespace mlir;

namespace tpuc::simplify {
#define GEN_PASS_DEF_COUNTLOOPSPASS
#include "passes/simplify/passes.h.inc"

namespace {

struct CountLoops : impl::CountLoopsPassBase<CountLoops> {
  void runOnOperation() override {
    TripCounts counts;
    getOperation().walk([&](stablehlo::WhileOp loop) {
      // The condition of a counted loop never runs, so it has nothing to do but tell.
      const bool tells = llvm::all_of(loop.getCond().getOps(), [](Operation &op) { return isMemoryEffectFree(&op); });
      if (loop->hasAttr(kernel::kTripCountAttr) || !tells) return;
      if (std::optional<int64_t> trips = counts.of(loop); trips && *trips <= kernel::kMostTrips)
        loop->setAttr(kernel::kTripCountAttr, IntegerAttr::get(IntegerType::get(&getContext(), 64), *trips));
    });
  }
};

}  // namespace
}  // namespace tpuc::simplify
