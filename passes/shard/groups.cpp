//===- groups.cpp - sharding groups ------------------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/groups.h"

using namespace mlir;

namespace tpuc::shard {

std::map<int64_t, SmallVector<sdy::ShardingGroupOp>> groupsOf(ModuleOp module) {
  std::map<int64_t, SmallVector<sdy::ShardingGroupOp>> groups;
  module.walk([&](sdy::ShardingGroupOp op) { groups[op.getGroupId()].push_back(op); });
  return groups;
}

static bool isFullyOpen(sdy::TensorShardingAttr sharding) {
  return llvm::all_of(sharding.getDimShardings(),
                      [](auto dim) { return dim.getAxes().empty() && !dim.getIsClosed(); }) &&
         sharding.getReplicatedAxes().empty() && sharding.getUnreducedAxes().empty();
}

// A constraint that says nothing yet, in place of the member.
static void constrain(sdy::ShardingGroupOp op, Attribute mesh) {
  Value member = op.getInput();
  OpBuilder builder(op.getContext());
  builder.setInsertionPointAfterValue(member);
  int64_t rank = cast<RankedTensorType>(member.getType()).getRank();
  auto constraint =
      sdy::ShardingConstraintOp::create(builder, member.getLoc(), member.getType(), member, sdy::fullyOpen(mesh, rank));
  member.replaceAllUsesExcept(constraint, constraint);
}

void reconcileGroups(ModuleOp module) {
  for (auto &[id, group] : groupsOf(module)) {
    sdy::TensorShardingAttr first;
    bool differ = false;
    for (sdy::ShardingGroupOp op : group) {
      sdy::TensorShardingAttr sharding = sdy::shardingOf(op.getInput());
      if (!sharding || isFullyOpen(sharding)) continue;
      differ |= first && first != sharding;
      first = first ? first : sharding;
    }
    if (!differ) continue;
    Value member = group.front().getInput();
    Operation *holder = member.getDefiningOp() ? member.getDefiningOp() : member.getParentBlock()->getParentOp();
    emitWarning(holder->getLoc()) << "expects one sharding for the members of sharding group " << id
                                  << ", but they differ; each gets a constraint";
    for (sdy::ShardingGroupOp op : group) constrain(op, first.getMeshOrRef());
  }
}

}  // namespace tpuc::shard
