//===- sink_func_data_flow_edges.cpp - shardings of edges of calls, on arguments and calls ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/sdy/axes.h"
#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_SINKFUNCDATAFLOWEDGESPASS
#include "passes/shard/passes.h.inc"

namespace {

struct SinkFuncDataFlowEdges : impl::SinkFuncDataFlowEdgesPassBase<SinkFuncDataFlowEdges> {
  void runOnOperation() override {
    SmallVector<sdy::FuncDataFlowEdgeOp> edges;
    getOperation().walk([&](sdy::FuncDataFlowEdgeOp edge) { edges.push_back(edge); });
    for (sdy::FuncDataFlowEdgeOp edge : edges) {
      if (auto all = edge->getAttrOfType<sdy::TensorShardingPerValueAttr>("sdy.sharding"))
        give(edge.getOperand(), all.getShardings().front());
      edge.getResult().replaceAllUsesWith(edge.getOperand());
      edge.erase();
    }
  }

  static void give(Value value, sdy::TensorShardingAttr sharding) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return cast<func::FuncOp>(argument.getOwner()->getParentOp())
          .setArgAttr(argument.getArgNumber(), "sdy.sharding", sharding);
    Operation *op = value.getDefiningOp();
    SmallVector<sdy::TensorShardingAttr> all;
    for (Value result : op->getResults()) {
      sdy::TensorShardingAttr own = result == value ? sharding : sdy::shardingOf(result);
      auto type = dyn_cast<RankedTensorType>(result.getType());
      all.push_back(own ? own : sdy::fullyOpen(sharding.getMeshOrRef(), type ? type.getRank() : 0));
    }
    op->setAttr("sdy.sharding", sdy::TensorShardingPerValueAttr::get(op->getContext(), all));
  }
};

}  // namespace
}  // namespace tpuc::shard
