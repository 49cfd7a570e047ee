//===- insert_func_call_reshards.cpp - reshards where a call states another sharding than its function ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_INSERTFUNCCALLRESHARDSPASS
#include "passes/shard/passes.h.inc"

namespace {

struct InsertFuncCallReshards : impl::InsertFuncCallReshardsPassBase<InsertFuncCallReshards> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    getOperation().walk([&](func::CallOp call) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      auto stated = call->getAttrOfType<sdy::TensorShardingPerValueAttr>("sdy.sharding");
      if (!callee || !stated) return;
      SmallVector<sdy::TensorShardingAttr> shardings(stated.getShardings());
      OpBuilder builder(call->getContext());
      builder.setInsertionPointAfter(call);
      for (auto [i, result] : llvm::enumerate(call.getResults())) {
        auto given = callee.getResultAttrOfType<sdy::TensorShardingAttr>(i, "sdy.sharding");
        if (!given || given == shardings[i] || !isa<RankedTensorType>(result.getType())) continue;
        if (!result.use_empty()) {
          auto reshard = sdy::ReshardOp::create(builder, call.getLoc(), result.getType(), result, shardings[i]);
          result.replaceAllUsesExcept(reshard.getResult(), reshard);
        }
        shardings[i] = given;
      }
      call->setAttr("sdy.sharding", sdy::TensorShardingPerValueAttr::get(call->getContext(), shardings));
    });
  }
};

}  // namespace
}  // namespace tpuc::shard
