//===- remove_size_one_axes.cpp - shardings without axes of one device ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/sdy/axes.h"
#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_REMOVESIZEONEAXESPASS
#include "passes/shard/passes.h.inc"

namespace {

struct RemoveSizeOneAxes : impl::RemoveSizeOneAxesPassBase<RemoveSizeOneAxes> {
  void runOnOperation() override {
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](sdy::TensorShardingAttr sharding) -> std::pair<Attribute, WalkResult> {
      return {without(sharding), WalkResult::skip()};
    });
    getOperation().walk([&](Operation *op) {
      if (auto manual = dyn_cast<sdy::ManualComputationOp>(op)) dropManualAxes(manual);
      replacer.replaceElementsIn(op, /*replaceAttrs=*/true);
    });
  }

  static bool isOne(sdy::MeshAttr mesh, sdy::AxisRefAttr axis) {
    return !axis.isSubAxis() && sdy::decode(mesh, axis).size == 1;
  }

  Attribute without(sdy::TensorShardingAttr sharding) {
    sdy::MeshAttr mesh = sdy::meshOf(getOperation(), sharding.getMeshOrRef());
    if (!mesh) return sharding;
    auto keep = [&](ArrayRef<sdy::AxisRefAttr> axes) {
      return llvm::filter_to_vector(axes, [&](sdy::AxisRefAttr axis) { return !isOne(mesh, axis); });
    };
    SmallVector<sdy::DimensionShardingAttr> dims;
    for (sdy::DimensionShardingAttr dim : sharding.getDimShardings()) {
      SmallVector<sdy::AxisRefAttr> axes = keep(dim.getAxes());
      auto priority = axes.empty() && dim.getIsClosed() ? std::nullopt : dim.getPriority();
      dims.push_back(sdy::DimensionShardingAttr::get(sharding.getContext(), axes, dim.getIsClosed(), priority));
    }
    return sdy::TensorShardingAttr::get(sharding.getContext(), sharding.getMeshOrRef(), dims,
                                        keep(sharding.getReplicatedAxes()), keep(sharding.getUnreducedAxes()),
                                        sharding.getReductionOp());
  }

  void dropManualAxes(sdy::ManualComputationOp op) {
    for (sdy::TensorShardingPerValueAttr list : {op.getInShardings(), op.getOutShardings()})
      for (sdy::TensorShardingAttr sharding : list.getShardings())
        if (sdy::MeshAttr mesh = sdy::meshOf(op, sharding.getMeshOrRef()); mesh && !mesh.getAxes().empty()) {
          auto kept = llvm::filter_to_vector(op.getManualAxes().getValue(), [&](StringAttr name) {
            return !isOne(mesh, sdy::AxisRefAttr::get(op.getContext(), name.getValue(), 0, 0));
          });
          return op.setManualAxesAttr(sdy::ManualAxesAttr::get(op.getContext(), kept));
        }
  }
};

}  // namespace
}  // namespace tpuc::shard
