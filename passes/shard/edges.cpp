//===- edges.cpp - edges of data flow through loops, branches and barriers -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results own the edges. Of a loop: the operand and the value that the body returns are sources; the result and the
// arguments of both regions are targets. Of a branch: what each branch returns is a source. Of a barrier: the operand
// is.
//===-----------------------------------------------------------------------------===//
#include "dialects/sdy/axes.h"
#include "passes/shard/models.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;

SmallVector<OpOperand *> sourcesOf(hlo::WhileOp op, unsigned number) {
  return {&op->getOpOperand(number), &op.getBody().front().getTerminator()->getOpOperand(number)};
}
template <typename OpT>
SmallVector<OpOperand *> sourcesOf(OpT op, unsigned number) {
  SmallVector<OpOperand *> sources;
  for (Region &branch : op->getRegions()) sources.push_back(&branch.front().getTerminator()->getOpOperand(number));
  return sources;
}
SmallVector<OpOperand *> sourcesOf(hlo::OptimizationBarrierOp op, unsigned number) {
  return {&op->getOpOperand(number)};
}

template <typename OpT>
struct EdgeModel : sdy::ShardableDataFlowOpInterface::ExternalModel<EdgeModel<OpT>, OpT> {
  SmallVector<Value> getEdgeOwners(Operation *op) const { return SmallVector<Value>(op->getResults()); }
  SmallVector<OpOperand *> getEdgeSources(Operation *op, Value owner) const {
    return sourcesOf(cast<OpT>(op), cast<OpResult>(owner).getResultNumber());
  }
  SmallVector<Value> getNonEdgeOwnerTargets(Operation *op, Value owner) const {
    SmallVector<Value> targets;
    for (Region &region : op->getRegions())
      if (region.getNumArguments() == op->getNumResults())
        targets.push_back(region.getArgument(cast<OpResult>(owner).getResultNumber()));
    return targets;
  }
  Value getEdgeOwnerFromTarget(Operation *op, Value target) const {
    if (auto argument = dyn_cast<BlockArgument>(target)) return op->getResult(argument.getArgNumber());
    return target;
  }
  Value getEdgeOwnerFromSource(Operation *op, OpOperand &source) const {
    if (source.getOwner() == op && !isa<hlo::WhileOp, hlo::OptimizationBarrierOp>(op))
      return {};  // what a branch is chosen by
    return op->getResult(source.getOperandNumber());
  }
  sdy::TensorShardingAttr getEdgeOwnerSharding(Operation *op, Value owner) const {
    auto all = op->getAttrOfType<sdy::TensorShardingPerValueAttr>("sdy.sharding");
    unsigned number = cast<OpResult>(owner).getResultNumber();
    return all && number < all.getShardings().size() ? all.getShardings()[number] : sdy::TensorShardingAttr();
  }
  void setEdgeOwnerShardings(Operation *op, ArrayRef<sdy::TensorShardingAttr> shardings) const {
    Attribute mesh;
    for (sdy::TensorShardingAttr one : shardings) mesh = one && !mesh ? one.getMeshOrRef() : mesh;
    if (!mesh) return;
    SmallVector<sdy::TensorShardingAttr> all;
    for (auto [result, one] : llvm::zip_equal(op->getResults(), shardings)) {
      auto type = dyn_cast<RankedTensorType>(result.getType());
      all.push_back(one ? one : sdy::fullyOpen(mesh, type ? type.getRank() : 0));
    }
    op->setAttr("sdy.sharding", sdy::TensorShardingPerValueAttr::get(op->getContext(), all));
  }
  sdy::TensorShardingAttr transformTargetSharding(Operation *, Value, sdy::TensorShardingAttr sharding, bool) const {
    return sharding;
  }
};

}  // namespace

void attachEdges(MLIRContext *context) {
  hlo::WhileOp::attachInterface<EdgeModel<hlo::WhileOp>>(*context);
  hlo::CaseOp::attachInterface<EdgeModel<hlo::CaseOp>>(*context);
  hlo::IfOp::attachInterface<EdgeModel<hlo::IfOp>>(*context);
  hlo::OptimizationBarrierOp::attachInterface<EdgeModel<hlo::OptimizationBarrierOp>>(*context);
}

}  // namespace tpuc::shard
