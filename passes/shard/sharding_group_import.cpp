//===- sharding_group_import.cpp - groups that share a member become one ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include <map>

#include "dialects/diagnostics/diagnose.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_SHARDINGGROUPIMPORTPASS
#include "passes/shard/passes.h.inc"

namespace {

struct ShardingGroupImport : impl::ShardingGroupImportPassBase<ShardingGroupImport> {
  void runOnOperation() override {
    SmallVector<sdy::ShardingGroupOp> ops;
    llvm::EquivalenceClasses<int64_t> classes;
    llvm::DenseMap<Value, int64_t> groupOf;
    getOperation().walk([&](sdy::ShardingGroupOp op) {
      ops.push_back(op);
      int64_t id = op.getGroupId();
      classes.insert(id);
      auto [known, isNew] = groupOf.try_emplace(op.getInput(), id);
      if (!isNew) classes.unionSets(known->second, id);
    });
    if (failed(checkBlocks(ops, classes))) return signalPassFailure();
    renumber(ops, classes);
  }

  // A member within a manual computation has its group there. One sharding is for arrays of one rank.
  static LogicalResult checkBlocks(ArrayRef<sdy::ShardingGroupOp> ops, llvm::EquivalenceClasses<int64_t> &classes) {
    llvm::DenseMap<int64_t, sdy::ManualComputationOp> homes;
    llvm::DenseMap<int64_t, int64_t> ranks;
    for (sdy::ShardingGroupOp op : ops) {
      auto home = op->getParentOfType<sdy::ManualComputationOp>();
      auto [known, isNew] = homes.try_emplace(classes.getLeaderValue(op.getGroupId()), home);
      if (!isNew && known->second != home)
        return diagnose(op, codes::kMalformed)
               << "expects the members of a group within one manual computation, or all outside";
      auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
      int64_t rank = type ? type.getRank() : -1;
      auto [other, isFirst] = ranks.try_emplace(classes.getLeaderValue(op.getGroupId()), rank);
      if (rank < 0 || other->second != rank)
        return diagnose(op, codes::kMalformed) << "expects the members of a group to have one rank, but got "
                                               << op.getInput().getType() << " beside one of " << other->second;
    }
    return success();
  }

  // 0, 1, ... in the order of the smallest numbers.
  static void renumber(ArrayRef<sdy::ShardingGroupOp> ops, llvm::EquivalenceClasses<int64_t> &classes) {
    std::map<int64_t, int64_t> smallest;  // of each leader
    for (sdy::ShardingGroupOp op : ops) {
      auto [known, isNew] = smallest.try_emplace(classes.getLeaderValue(op.getGroupId()), op.getGroupId());
      known->second = std::min<int64_t>(known->second, op.getGroupId());
    }
    std::map<int64_t, int64_t> order;  // smallest to number
    for (auto &[leader, id] : smallest) order[id] = 0;
    int64_t next = 0;
    for (auto &[id, number] : order) number = next++;
    llvm::DenseSet<std::pair<Value, int64_t>> seen;
    for (sdy::ShardingGroupOp op : ops) {
      int64_t number = order[smallest[classes.getLeaderValue(op.getGroupId())]];
      if (!seen.insert({op.getInput(), number}).second)
        op.erase();
      else
        op.setGroupId(number);
    }
  }
};

}  // namespace
}  // namespace tpuc::shard
