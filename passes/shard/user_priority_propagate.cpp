//===- user_priority_propagate.cpp - shardings in the order of the program's priorities ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/diagnostics/diagnose.h"
#include "dialects/diagnostics/outer_codes.h"
#include "passes/shard/op_priorities.h"
#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_USERPRIORITYPROPAGATEPASS
#include "passes/shard/passes.h.inc"

namespace {

struct UserPriorityPropagate : impl::UserPriorityPropagatePassBase<UserPriorityPropagate> {
  using UserPriorityPropagatePassBase::UserPriorityPropagatePassBase;

  void runOnOperation() override {
    auto strategies = strategiesOf(strategy);
    if (!strategies) {
      diagnose(getOperation(), codes::kUsage)
          << "expects a strategy of basic, aggressive or basic-then-aggressive, but got " << strategy;
      return signalPassFailure();
    }
    Propagator propagator(getOperation(), {keepRules, conservative, noteEdges, noteOrigins});
    if (failed(propagator.prepare())) return signalPassFailure();
    for (int64_t priority : propagator.priorities()) {
      propagator.admit(priority);
      runOpPriorities ? tpuc::shard::runOpPriorities(propagator, *strategies) : runStrategies(propagator, *strategies);
    }
    propagator.finish();
  }
};

}  // namespace
}  // namespace tpuc::shard
