//===- propagate_sharding_from_func_to_call.cpp - shardings of a function's results for its calls ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/sdy/axes.h"
#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_PROPAGATESHARDINGFROMFUNCTOCALLPASS
#include "passes/shard/passes.h.inc"

namespace {

struct PropagateShardingFromFuncToCall
    : impl::PropagateShardingFromFuncToCallPassBase<PropagateShardingFromFuncToCall> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    getOperation().walk([&](func::CallOp call) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (!callee || call->hasAttr("sdy.sharding")) return;
      SmallVector<sdy::TensorShardingAttr> shardings;
      Attribute mesh;
      for (unsigned i = 0; i < call.getNumResults(); ++i) {
        shardings.push_back(callee.getResultAttrOfType<sdy::TensorShardingAttr>(i, "sdy.sharding"));
        mesh = shardings.back() && !mesh ? shardings.back().getMeshOrRef() : mesh;
      }
      if (!mesh) return;
      for (auto [sharding, type] : llvm::zip_equal(shardings, call.getResultTypes())) {
        auto shaped = dyn_cast<RankedTensorType>(type);
        sharding = sharding ? sharding : sdy::fullyOpen(mesh, shaped ? shaped.getRank() : 0);
      }
      call->setAttr("sdy.sharding", sdy::TensorShardingPerValueAttr::get(call.getContext(), shardings));
    });
  }
};

}  // namespace
}  // namespace tpuc::shard
