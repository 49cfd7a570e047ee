//===- verifiers.cpp - what shardings and manual computations have to satisfy --------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/sdy/sdy.h"

using namespace mlir;

namespace tpuc::sdy {

// The mesh itself; null where its symbol has none.
static MeshAttr resolveMesh(Operation *op, TensorShardingAttr sharding, SymbolTableCollection &symbols) {
  if (auto mesh = dyn_cast<MeshAttr>(sharding.getMeshOrRef()))
    return mesh;
  auto symbol = cast<FlatSymbolRefAttr>(sharding.getMeshOrRef());
  auto mesh = symbols.lookupNearestSymbolFrom<MeshOp>(op, symbol);
  return mesh ? mesh.getMesh() : MeshAttr();
}

// An axis of the mesh, or a part of one that divides it.
static LogicalResult checkAxis(Operation *op, MeshAttr mesh, AxisRefAttr axis) {
  const MeshAxisAttr *found =
      llvm::find_if(mesh.getAxes(), [&](MeshAxisAttr one) { return one.getName() == axis.getName(); });
  if (found == mesh.getAxes().end())
    return op->emitOpError() << "expects an axis of the mesh, but got \"" << axis.getName() << "\"";
  if (!axis.isSubAxis())
    return success();
  int64_t pre = axis.getPreSize(), size = axis.getSize(), full = found->getSize();
  if (pre < 1 || size < 2 || size >= full || full % pre != 0 || (full / pre) % size != 0)
    return op->emitOpError() << "expects a part of axis \"" << axis.getName() << "\" of size " << full << ", but got ("
                             << pre << ")" << size;
  return success();
}

static LogicalResult checkSharding(Operation *op, TensorShardingAttr sharding, Type type,
                                   SymbolTableCollection &symbols) {
  MeshAttr mesh = resolveMesh(op, sharding, symbols);
  if (!mesh)
    return op->emitOpError() << "expects a mesh, but found no symbol " << sharding.getMeshOrRef();
  auto shaped = dyn_cast<ShapedType>(type);
  size_t rank = shaped && shaped.hasRank() ? shaped.getRank() : 0;
  if (sharding.getDimShardings().size() != rank)
    return op->emitOpError() << "expects shardings of " << rank << " dimensions for " << type << ", but got "
                             << sharding.getDimShardings().size();
  SmallVector<AxisRefAttr> all;
  for (DimensionShardingAttr dim : sharding.getDimShardings())
    llvm::append_range(all, dim.getAxes());
  llvm::append_range(all, sharding.getReplicatedAxes());
  llvm::append_range(all, sharding.getUnreducedAxes());
  for (auto [i, axis] : llvm::enumerate(all)) {
    if (failed(checkAxis(op, mesh, axis)))
      return failure();
    if (llvm::is_contained(ArrayRef(all).take_front(i), axis))
      return op->emitOpError() << "expects each axis once, but got \"" << axis.getName() << "\" twice";
  }
  return success();
}

LogicalResult ShardingConstraintOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return checkSharding(*this, getSharding(), getType(), symbols);
}
LogicalResult ReshardOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return checkSharding(*this, getSharding(), getType(), symbols);
}

LogicalResult ManualComputationOp::verifySymbolUses(SymbolTableCollection &symbols) {
  for (auto [type, sharding] : llvm::zip_equal(getOperandTypes(), getInShardings().getShardings()))
    if (failed(checkSharding(*this, sharding, type, symbols)))
      return failure();
  for (auto [type, sharding] : llvm::zip_equal(getResultTypes(), getOutShardings().getShardings()))
    if (failed(checkSharding(*this, sharding, type, symbols)))
      return failure();
  return success();
}

// As many shardings as values, as many arguments and returned values as the region has.
static LogicalResult checkCounts(Operation *op, Region &body, std::optional<TensorShardingPerValueAttr> in,
                                 std::optional<TensorShardingPerValueAttr> out) {
  auto check = [&](StringRef what, size_t count, size_t expected) -> LogicalResult {
    if (count != expected)
      return op->emitOpError() << "expects " << expected << " " << what << ", but got " << count;
    return success();
  };
  auto terminator = body.front().empty() ? ReturnOp() : dyn_cast<ReturnOp>(body.front().back());
  if (!terminator)
    return op->emitOpError() << "expects a body that ends in sdy.return";
  if (failed(check("arguments of the body", body.getNumArguments(), op->getNumOperands())) ||
      failed(check("values returned by the body", terminator.getNumOperands(), op->getNumResults())))
    return failure();
  if (in && failed(check("in_shardings", in->getShardings().size(), op->getNumOperands())))
    return failure();
  return out ? check("out_shardings", out->getShardings().size(), op->getNumResults()) : success();
}

LogicalResult ManualComputationOp::verify() {
  return checkCounts(*this, getBody(), getInShardings(), getOutShardings());
}

LogicalResult NamedComputationOp::verify() {
  return checkCounts(*this, getBody(), getInShardings(), getOutShardings());
}

} // namespace tpuc::sdy
