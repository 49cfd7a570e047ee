//===- close_shardings.cpp - shardings that nothing extends any more ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_CLOSESHARDINGSPASS
#include "passes/shard/passes.h.inc"

namespace {

struct CloseShardings : impl::CloseShardingsPassBase<CloseShardings> {
  void runOnOperation() override {
    AttrTypeReplacer replacer;
    replacer.addReplacement([](sdy::TensorShardingAttr sharding) -> std::pair<Attribute, WalkResult> {
      SmallVector<sdy::DimensionShardingAttr> dims;
      for (sdy::DimensionShardingAttr dim : sharding.getDimShardings())
        dims.push_back(
            sdy::DimensionShardingAttr::get(sharding.getContext(), dim.getAxes(), /*is_closed=*/true, std::nullopt));
      return {sdy::TensorShardingAttr::get(sharding.getContext(), sharding.getMeshOrRef(), dims, {},
                                           sharding.getUnreducedAxes(), sharding.getReductionOp()),
              WalkResult::skip()};
    });
    getOperation().walk([&](Operation *op) { replacer.replaceElementsIn(op, /*replaceAttrs=*/true); });
  }
};

}  // namespace
}  // namespace tpuc::shard
