//===- populate_op_sharding_rules.cpp - the sharding rule of each op, as an attribute ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/models.h"
#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_POPULATEOPSHARDINGRULESPASS
#include "passes/shard/passes.h.inc"

namespace {

struct PopulateOpShardingRules : impl::PopulateOpShardingRulesPassBase<PopulateOpShardingRules> {
  using PopulateOpShardingRulesPassBase::PopulateOpShardingRulesPassBase;

  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      auto source = dyn_cast<sdy::ShardingRuleOpInterface>(op);
      if (!source || op->hasAttr("sdy.sharding_rule")) return;
      if (sdy::OpShardingRuleAttr rule = source.getShardingRule(conservative))
        op->setAttr("sdy.sharding_rule", rule);
      else if (auto call = dyn_cast<stablehlo::CustomCallOp>(op); call && !isKnownCall(call))
        call.emitWarning() << "expects a call with a sharding rule, but got '" << call.getCallTargetName()
                           << "': no sharding passes it; give it an sdy.sharding_rule";
    });
  }
};

}  // namespace
}  // namespace tpuc::shard
