//===- aggressive_propagate.cpp - shardings from op to op, conflicts resolved ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
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
    PropagationOptions options{keepRules, conservative, noteEdges, noteOrigins};
    if (failed(propagate(getOperation(), strategy, options, runStrategies))) signalPassFailure();
  }
};

}  // namespace
}  // namespace tpuc::shard
