//===- aggressive_propagate.cpp - shardings from op to op, conflicts resolved ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/diagnostics/diagnose.h"
#include "dialects/diagnostics/outer_codes.h"
#include "passes/shard/op_priorities.h"
#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_AGGRESSIVEPROPAGATEPASS
#include "passes/shard/passes.h.inc"

namespace {

struct AggressivePropagate : impl::AggressivePropagatePassBase<AggressivePropagate> {
  using AggressivePropagatePassBase::AggressivePropagatePassBase;

  void runOnOperation() override {
    auto strategies = strategiesOf(strategy);
    if (!strategies) {
      diagnose(getOperation(), codes::kUsage)
          << "expects a strategy of basic, aggressive or basic-then-aggressive, but got " << strategy;
      return signalPassFailure();
    }
    Propagator propagator(getOperation(), {keepRules, conservative, noteEdges, noteOrigins});
    if (failed(propagator.prepare())) return signalPassFailure();
    runStrategies(propagator, *strategies);
    propagator.finish();
  }
};

}  // namespace
}  // namespace tpuc::shard
