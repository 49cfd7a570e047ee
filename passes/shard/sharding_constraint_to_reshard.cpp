//===- sharding_constraint_to_reshard.cpp - a reshard for each constraint ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_SHARDINGCONSTRAINTTORESHARDPASS
#include "passes/shard/passes.h.inc"

namespace {

struct ShardingConstraintToReshard : impl::ShardingConstraintToReshardPassBase<ShardingConstraintToReshard> {
  void runOnOperation() override {
    getOperation().walk([](sdy::ShardingConstraintOp op) {
      if (!op.getResult().use_empty()) {  // one without uses was about its input
        OpBuilder builder(op);
        auto reshard = sdy::ReshardOp::create(builder, op.getLoc(), op.getType(), op.getInput(), op.getSharding());
        op.getResult().replaceAllUsesWith(reshard.getResult());
      }
      op.erase();
    });
  }
};

}  // namespace
}  // namespace tpuc::shard
