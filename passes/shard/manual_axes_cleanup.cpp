//===- manual_axes_cleanup.cpp - manual axes stated in full, in the mesh's order ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/diagnostics/diagnose.h"
#include "dialects/sdy/axes.h"
#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_MANUALAXESCLEANUPPASS
#include "passes/shard/passes.h.inc"

namespace {

struct ManualAxesCleanup : impl::ManualAxesCleanupPassBase<ManualAxesCleanup> {
  void runOnOperation() override {
    WalkResult walk = getOperation().walk([&](sdy::ManualComputationOp op) {
      if (op->getNumOperands() == 0 && op->getNumResults() == 0 && !op.getBody().front().without_terminator().empty()) {
        diagnose(op, codes::kMalformed) << "expects operands or results of a body that is not empty";
        return WalkResult::interrupt();
      }
      clean(op);
      return WalkResult::advance();
    });
    if (walk.wasInterrupted()) signalPassFailure();
  }

  void clean(sdy::ManualComputationOp op) {
    sdy::MeshAttr mesh;
    for (sdy::TensorShardingPerValueAttr list : {op.getInShardings(), op.getOutShardings()})
      for (sdy::TensorShardingAttr sharding : list.getShardings())
        if (sdy::MeshAttr here = sdy::meshOf(op, sharding.getMeshOrRef()); here && !here.getAxes().empty()) mesh = here;
    if (!mesh) return;
    auto refOf = [&](StringAttr name) { return sdy::AxisRefAttr::get(op.getContext(), name.getValue(), 0, 0); };
    SmallVector<StringAttr> names(op.getManualAxes().getValue());
    llvm::stable_sort(
        names, [&](StringAttr a, StringAttr b) { return sdy::decode(mesh, refOf(a)) < sdy::decode(mesh, refOf(b)); });
    op.setManualAxesAttr(sdy::ManualAxesAttr::get(op.getContext(), names));
    SmallVector<sdy::AxisRefAttr> manual = llvm::map_to_vector(names, refOf);
    op.setInShardingsAttr(complete(op, mesh, op.getInShardings(), manual));
    op.setOutShardingsAttr(complete(op, mesh, op.getOutShardings(), manual));
  }

  // Manual axes that a sharding does not use are replicated.
  static sdy::TensorShardingPerValueAttr complete(Operation *op, sdy::MeshAttr mesh,
                                                  sdy::TensorShardingPerValueAttr list,
                                                  ArrayRef<sdy::AxisRefAttr> manual) {
    SmallVector<sdy::TensorShardingAttr> shardings;
    for (sdy::TensorShardingAttr sharding : list.getShardings()) {
      SmallVector<sdy::AxisRefAttr> used(sharding.getUnreducedAxes()), replicated(sharding.getReplicatedAxes());
      for (sdy::DimensionShardingAttr dim : sharding.getDimShardings()) llvm::append_range(used, dim.getAxes());
      bool shaped = !sharding.getDimShardings().empty() || !replicated.empty() || !used.empty();
      for (sdy::AxisRefAttr axis : manual)
        if (shaped && !llvm::is_contained(used, axis) && !llvm::is_contained(replicated, axis))
          replicated.push_back(axis);
      llvm::stable_sort(replicated, [&](auto a, auto b) { return sdy::decode(mesh, a) < sdy::decode(mesh, b); });
      shardings.push_back(sdy::TensorShardingAttr::get(op->getContext(), sharding.getMeshOrRef(),
                                                       sharding.getDimShardings(), replicated,
                                                       sharding.getUnreducedAxes(), sharding.getReductionOp()));
    }
    return sdy::TensorShardingPerValueAttr::get(op->getContext(), shardings);
  }
};

}  // namespace
}  // namespace tpuc::shard
