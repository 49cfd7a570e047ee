//===- sink_data_flow_edges.cpp - shardings of edges into the ops that own them -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_SINKDATAFLOWEDGESPASS
#include "passes/shard/passes.h.inc"

namespace {

sdy::DataFlowEdgeOp edgeOf(Value owner) {
  return owner.hasOneUse() ? dyn_cast<sdy::DataFlowEdgeOp>(*owner.user_begin()) : sdy::DataFlowEdgeOp();
}

// All shardings of an op's edges at once, then the edges go.
void sink(sdy::ShardableDataFlowOpInterface op) {
  SmallVector<sdy::TensorShardingAttr> shardings;
  SmallVector<sdy::DataFlowEdgeOp> edges;
  for (Value owner : op.getEdgeOwners()) {
    sdy::DataFlowEdgeOp edge = edgeOf(owner);
    shardings.push_back(edge ? edge.getShardingAttr() : op.getEdgeOwnerSharding(owner));
    if (edge) edges.push_back(edge);
  }
  if (edges.empty()) return;
  op.setEdgeOwnerShardings(shardings);
  for (sdy::DataFlowEdgeOp edge : edges) {
    edge.getResult().replaceAllUsesWith(edge.getInput());
    edge.erase();
  }
}

struct SinkDataFlowEdges : impl::SinkDataFlowEdgesPassBase<SinkDataFlowEdges> {
  void runOnOperation() override {
    SmallVector<sdy::ShardableDataFlowOpInterface> ops;
    getOperation().walk([&](sdy::ShardableDataFlowOpInterface op) { ops.push_back(op); });
    for (sdy::ShardableDataFlowOpInterface op : ops) sink(op);
  }
};

}  // namespace
}  // namespace tpuc::shard
