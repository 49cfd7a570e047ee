//===- remove_sharding_groups.cpp - no sharding groups any more ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_REMOVESHARDINGGROUPSPASS
#include "passes/shard/passes.h.inc"

namespace {

struct RemoveShardingGroups : impl::RemoveShardingGroupsPassBase<RemoveShardingGroups> {
  void runOnOperation() override {
    getOperation().walk([](sdy::ShardingGroupOp op) { op.erase(); });
  }
};

}  // namespace
}  // namespace tpuc::shard
