//===- basic_propagate.cpp - shardings from op to op, as far as nothing conflicts ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/op_priorities.h"
#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_BASICPROPAGATEPASS
#include "passes/shard/passes.h.inc"

namespace {

struct BasicPropagate : impl::BasicPropagatePassBase<BasicPropagate> {
  using BasicPropagatePassBase::BasicPropagatePassBase;

  void runOnOperation() override {
    Propagator propagator(getOperation(), {keepRules, conservative, noteEdges, noteOrigins});
    if (failed(propagator.prepare())) return signalPassFailure();
    propagator.run(Strategy::Basic, [](Operation *) { return Direction::BOTH; });
    propagator.finish();
  }
};

}  // namespace
}  // namespace tpuc::shard
