//===- user_priority_propagate.cpp - shardings in the order of the program's priorities ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
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
    auto steps = [&](Propagator &propagator, ArrayRef<Strategy> strategies) {
      for (int64_t priority : propagator.priorities()) {
        propagator.admit(priority);
        runOpPriorities ? tpuc::shard::runOpPriorities(propagator, strategies) : runStrategies(propagator, strategies);
      }
    };
    PropagationOptions options{keepRules, conservative, noteEdges, noteOrigins};
    if (failed(propagate(getOperation(), strategy, options, steps))) signalPassFailure();
  }
};

}  // namespace
}  // namespace tpuc::shard
