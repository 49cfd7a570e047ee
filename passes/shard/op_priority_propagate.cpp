//===- op_priority_propagate.cpp - shardings through ops that only pass them on first ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
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
    auto steps = [&](Propagator &propagator, ArrayRef<Strategy> strategies) {
      runOpPriorities ? tpuc::shard::runOpPriorities(propagator, strategies) : runStrategies(propagator, strategies);
    };
    PropagationOptions options{keepRules, conservative, noteEdges, noteOrigins};
    if (failed(propagate(getOperation(), strategy, options, steps))) signalPassFailure();
  }
};

}  // namespace
}  // namespace tpuc::shard
