//===- op_priority_propagate.cpp - shardings through ops that only pass them on first ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/diagnostics/diagnose.h"
#include "dialects/diagnostics/outer_codes.h"
#include "passes/shard/op_priorities.h"
#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_OPPRIORITYPROPAGATEPASS
#include "passes/shard/passes.h.inc"

namespace {

struct OpPriorityPropagate : impl::OpPriorityPropagatePassBase<OpPriorityPropagate> {
  using OpPriorityPropagatePassBase::OpPriorityPropagatePassBase;

  void runOnOperation() override {
    auto strategies = strategiesOf(strategy);
    if (!strategies) {
      diagnose(getOperation(), codes::kUsage)
          << "expects a strategy of basic, aggressive or basic-then-aggressive, but got " << strategy;
      return signalPassFailure();
    }
    Propagator propagator(getOperation(), {keepRules, conservative, noteEdges, noteOrigins});
    if (failed(propagator.prepare())) return signalPassFailure();
    runOpPriorities ? tpuc::shard::runOpPriorities(propagator, *strategies) : runStrategies(propagator, *strategies);
    propagator.finish();
  }
};

}  // namespace
}  // namespace tpuc::shard
