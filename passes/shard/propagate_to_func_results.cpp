//===- propagate_to_func_results.cpp - shardings of what a private function returns, on its results ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/sdy/axes.h"
#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_PROPAGATETOFUNCRESULTSPASS
#include "passes/shard/passes.h.inc"

namespace {

struct PropagateToFuncResults : impl::PropagateToFuncResultsPassBase<PropagateToFuncResults> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function.isPrivate() || function.isExternal()) continue;
      for (auto [i, value] : llvm::enumerate(function.front().getTerminator()->getOperands()))
        if (sdy::TensorShardingAttr sharding = sdy::shardingOf(value))
          function.setResultAttr(i, "sdy.sharding", sharding);
    }
  }
};

}  // namespace
}  // namespace tpuc::shard
