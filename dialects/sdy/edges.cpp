//===- edges.cpp - edges of data flow into and out of computations --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operand and the argument of the body are an edge, a value that the body returns and the result another one. Within
// a manual computation the manual axes are not there.
//===-----------------------------------------------------------------------------===//
#include "dialects/sdy/axes.h"

using namespace mlir;

namespace tpuc::sdy {
namespace {

template <typename OpT>
SmallVector<Value> ownersOf(OpT op) {
  SmallVector<Value> owners(op.getBody().getArguments());
  llvm::append_range(owners, op->getResults());
  return owners;
}

template <typename OpT>
SmallVector<OpOperand *> sourcesOf(OpT op, Value owner) {
  if (auto argument = dyn_cast<BlockArgument>(owner)) return {&op->getOpOperand(argument.getArgNumber())};
  return {&op.getBody().front().getTerminator()->getOpOperand(cast<OpResult>(owner).getResultNumber())};
}

template <typename OpT>
Value ownerFromSource(OpT op, OpOperand &source) {
  if (source.getOwner() == op.getOperation()) return op.getBody().getArgument(source.getOperandNumber());
  return op->getResult(source.getOperandNumber());
}

TensorShardingAttr pick(std::optional<TensorShardingPerValueAttr> all, unsigned index) {
  return all && index < all->getShardings().size() ? all->getShardings()[index] : TensorShardingAttr();
}

bool isManual(ManualAxesAttr manual, AxisRefAttr axis) {
  return llvm::any_of(manual.getValue(), [&](StringAttr name) { return name.getValue() == axis.getName(); });
}

// The axes of a sharding for which `keep` holds.
TensorShardingAttr filter(TensorShardingAttr sharding, llvm::function_ref<bool(AxisRefAttr)> keep) {
  auto pickAxes = [&](ArrayRef<AxisRefAttr> axes) { return llvm::filter_to_vector(axes, keep); };
  SmallVector<DimensionShardingAttr> dims;
  for (DimensionShardingAttr dim : sharding.getDimShardings()) {
    SmallVector<AxisRefAttr> axes = pickAxes(dim.getAxes());
    auto priority = axes.empty() && dim.getIsClosed() ? std::nullopt : dim.getPriority();
    dims.push_back(DimensionShardingAttr::get(sharding.getContext(), axes, dim.getIsClosed(), priority));
  }
  return TensorShardingAttr::get(sharding.getContext(), sharding.getMeshOrRef(), dims,
                                 pickAxes(sharding.getReplicatedAxes()), pickAxes(sharding.getUnreducedAxes()),
                                 sharding.getReductionOp());
}

}  // namespace

SmallVector<Value> ManualComputationOp::getEdgeOwners() { return ownersOf(*this); }
SmallVector<OpOperand *> ManualComputationOp::getEdgeSources(Value owner) { return sourcesOf(*this, owner); }
Value ManualComputationOp::getEdgeOwnerFromSource(OpOperand &source) { return ownerFromSource(*this, source); }

// The sharding of an argument as the body sees it.
TensorShardingAttr ManualComputationOp::getEdgeOwnerSharding(Value owner) {
  if (auto argument = dyn_cast<BlockArgument>(owner))
    return transformTargetSharding(owner, pick(getInShardings(), argument.getArgNumber()), /*afterPropagation=*/true);
  return pick(getOutShardings(), cast<OpResult>(owner).getResultNumber());
}

void ManualComputationOp::setEdgeOwnerShardings(ArrayRef<TensorShardingAttr> shardings) {
  SmallVector<TensorShardingAttr> in, out;
  for (auto [owner, sharding] : llvm::zip_equal(getEdgeOwners(), shardings)) {
    if (isa<BlockArgument>(owner))
      in.push_back(transformTargetSharding(owner, sharding, /*afterPropagation=*/false));
    else
      out.push_back(sharding);
  }
  setInShardingsAttr(TensorShardingPerValueAttr::get(getContext(), in));
  setOutShardingsAttr(TensorShardingPerValueAttr::get(getContext(), out));
}

TensorShardingAttr ManualComputationOp::transformTargetSharding(Value target, TensorShardingAttr sharding,
                                                                bool afterPropagation) {
  if (!sharding) return sharding;
  bool argument = isa<BlockArgument>(target);
  // An argument's sharding lacks the manual axes, a result's has them; the other side is the other way round.
  if (argument == afterPropagation)
    return filter(sharding, [&](AxisRefAttr axis) { return !isManual(getManualAxes(), axis); });
  // The manual axes lead each dimension as the op states them.
  unsigned index = argument ? cast<BlockArgument>(target).getArgNumber() : cast<OpResult>(target).getResultNumber();
  TensorShardingAttr stated = filter(pick(argument ? getInShardings() : getOutShardings(), index),
                                     [&](AxisRefAttr axis) { return isManual(getManualAxes(), axis); });
  MeshAttr mesh = meshOf(*this, sharding.getMeshOrRef());
  SmallVector<DimensionShardingAttr> dims;
  for (auto [dim, manual] : llvm::zip_equal(sharding.getDimShardings(), stated.getDimShardings())) {
    SmallVector<AxisRefAttr> axes(manual.getAxes());
    llvm::append_range(axes, dim.getAxes());
    auto priority = dim.getPriority() ? dim.getPriority() : manual.getPriority();
    dims.push_back(DimensionShardingAttr::get(getContext(), axes, dim.getIsClosed(), priority));
  }
  auto join = [&](ArrayRef<AxisRefAttr> a, ArrayRef<AxisRefAttr> b) {
    SmallVector<AxisRefAttr> both(a);
    llvm::append_range(both, b);
    if (mesh) llvm::stable_sort(both, [&](AxisRefAttr x, AxisRefAttr y) { return decode(mesh, x) < decode(mesh, y); });
    return both;
  };
  return TensorShardingAttr::get(
      getContext(), sharding.getMeshOrRef(), dims, join(stated.getReplicatedAxes(), sharding.getReplicatedAxes()),
      join(stated.getUnreducedAxes(), sharding.getUnreducedAxes()), sharding.getReductionOp());
}

SmallVector<Value> NamedComputationOp::getEdgeOwners() { return ownersOf(*this); }
SmallVector<OpOperand *> NamedComputationOp::getEdgeSources(Value owner) { return sourcesOf(*this, owner); }
Value NamedComputationOp::getEdgeOwnerFromSource(OpOperand &source) { return ownerFromSource(*this, source); }
TensorShardingAttr NamedComputationOp::getEdgeOwnerSharding(Value owner) {
  if (auto argument = dyn_cast<BlockArgument>(owner)) return pick(getInShardings(), argument.getArgNumber());
  return pick(getOutShardings(), cast<OpResult>(owner).getResultNumber());
}

void NamedComputationOp::setEdgeOwnerShardings(ArrayRef<TensorShardingAttr> shardings) {
  Attribute mesh;
  for (TensorShardingAttr sharding : shardings) mesh = sharding ? sharding.getMeshOrRef() : mesh;
  if (!mesh) return;
  SmallVector<TensorShardingAttr> in, out;
  for (auto [owner, sharding] : llvm::zip_equal(getEdgeOwners(), shardings)) {
    auto type = dyn_cast<RankedTensorType>(owner.getType());
    TensorShardingAttr one = sharding ? sharding : fullyOpen(mesh, type ? type.getRank() : 0);
    (isa<BlockArgument>(owner) ? in : out).push_back(one);
  }
  setInShardingsAttr(TensorShardingPerValueAttr::get(getContext(), in));
  setOutShardingsAttr(TensorShardingPerValueAttr::get(getContext(), out));
}

TensorShardingAttr NamedComputationOp::transformTargetSharding(Value, TensorShardingAttr sharding, bool) {
  return sharding;
}

}  // namespace tpuc::sdy
