//===- add_func_data_flow_edges.cpp - an op for each argument of a called function and each result of a call ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/sdy/axes.h"
#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_ADDFUNCDATAFLOWEDGESPASS
#include "passes/shard/passes.h.inc"

namespace {

void addEdge(Value value, sdy::TensorShardingAttr sharding) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape()) return;
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  auto edge = sdy::FuncDataFlowEdgeOp::create(builder, value.getLoc(), value.getType(), value);
  value.replaceAllUsesExcept(edge, edge);
  if (sharding) edge->setAttr("sdy.sharding", sdy::TensorShardingPerValueAttr::get(value.getContext(), {sharding}));
}

struct AddFuncDataFlowEdges : impl::AddFuncDataFlowEdgesPassBase<AddFuncDataFlowEdges> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<func::CallOp> calls;
    getOperation().walk([&](func::CallOp call) { calls.push_back(call); });
    llvm::DenseSet<Operation *> done;
    for (func::CallOp call : calls) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (callee && !callee.isExternal() && done.insert(callee).second)
        for (BlockArgument argument : callee.getArguments()) addEdge(argument, sdy::shardingOf(argument));
      for (Value result : call.getResults()) addEdge(result, sdy::shardingOf(result));
    }
  }
};

}  // namespace
}  // namespace tpuc::shard
