//===- add_data_flow_edges.cpp - an op for each edge of data flow ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_ADDDATAFLOWEDGESPASS
#include "passes/shard/passes.h.inc"

namespace {

void addEdge(sdy::ShardableDataFlowOpInterface op, Value owner) {
  auto type = dyn_cast<ShapedType>(owner.getType());
  if (!type || !type.hasStaticShape()) return;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfterValue(owner);
  auto edge =
      sdy::DataFlowEdgeOp::create(builder, owner.getLoc(), owner.getType(), owner, op.getEdgeOwnerSharding(owner));
  owner.replaceAllUsesExcept(edge, edge);
}

struct AddDataFlowEdges : impl::AddDataFlowEdgesPassBase<AddDataFlowEdges> {
  void runOnOperation() override {
    SmallVector<sdy::ShardableDataFlowOpInterface> ops;
    getOperation().walk([&](sdy::ShardableDataFlowOpInterface op) { ops.push_back(op); });
    for (sdy::ShardableDataFlowOpInterface op : ops)
      for (Value owner : op.getEdgeOwners()) addEdge(op, owner);
  }
};

}  // namespace
}  // namespace tpuc::shard
