//===- collectives.cpp - what ops between two shardings have to satisfy ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each verifier computes the result's sharding from the operand's and the axes, and compares with what the op states.
//===-----------------------------------------------------------------------------===//
#include "dialects/sdy/checks.h"

using namespace mlir;

namespace tpuc::sdy {
namespace {

std::string textOf(MeshAttr mesh, ArrayRef<Axis> axes) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "{";
  llvm::interleaveComma(axes, out, [&](Axis axis) {
    AxisRefAttr ref = encode(mesh, axis);
    out << '"' << ref.getName() << '"';
    if (ref.isSubAxis()) out << ":(" << ref.getPreSize() << ")" << ref.getSize();
  });
  out << "}";
  return text;
}

class CollectiveVerifier {
 public:
  explicit CollectiveVerifier(CollectiveOpInterface op)
      : op(op), out(op.getOutSharding()), in(shardingOf(op.getTensor())) {}

  // The two shardings alone.
  LogicalResult shardings() {
    auto emit = [&] { return op->emitOpError(); };
    if (failed(checkSharding(op, out, op.getTensor().getType(), emit)) || failed(checkFree(op, out, emit)))
      return failure();
    mesh = meshOf(op, out.getMeshOrRef());
    auto shaped = dyn_cast<ShapedType>(op.getTensor().getType());
    int64_t rank = shaped && shaped.hasRank() ? shaped.getRank() : 0;
    if (!in && !op.allowMissingInputSharding()) return op->emitOpError() << "expects an operand with a sharding";
    if (in && in.getDimShardings().size() != static_cast<size_t>(rank))
      return op->emitOpError() << "expects an operand with shardings of " << rank << " dimensions";
    dims.resize(rank), results.resize(rank);
    if (in && !op.allowDifferentMeshes() && meshOf(op, in.getMeshOrRef()) != mesh)
      return op->emitOpError() << "expects the operand's mesh, but got another one";
    for (int64_t dim = 0; dim < rank; ++dim) {
      results[dim] = decode(mesh, out.getDimShardings()[dim].getAxes());
      if (in && meshOf(op, in.getMeshOrRef()))
        dims[dim] = decode(meshOf(op, in.getMeshOrRef()), in.getDimShardings()[dim].getAxes());
    }
    if (in) unreduced = decode(mesh, in.getUnreducedAxes());
    return success();
  }

  // One list a dimension.
  LogicalResult lists(ListOfAxisRefListsAttr attribute) {
    auto emit = [&] { return op->emitOpError(); };
    if (attribute.getValue().size() != dims.size())
      return op->emitOpError() << "expects axes of " << dims.size() << " dimensions, but got those of "
                               << attribute.getValue().size();
    SmallVector<AxisRefAttr> all;
    for (AxisRefListAttr list : attribute.getValue()) {
      if (failed(checkAxes(mesh, list.getValue(), emit))) return failure();
      llvm::append_range(all, list.getValue());
      axes.push_back(decode(mesh, list.getValue()));
    }
    if (all.empty()) return op->emitOpError() << "expects at least one axis";
    return checkApart(mesh, all, emit);
  }

  LogicalResult list(AxisRefListAttr attribute) {
    auto emit = [&] { return op->emitOpError(); };
    if (attribute.getValue().empty()) return op->emitOpError() << "expects at least one axis";
    if (failed(checkAxes(mesh, attribute.getValue(), emit))) return failure();
    axes.push_back(decode(mesh, attribute.getValue()));
    return checkSorted(mesh, attribute.getValue(), emit);
  }

  LogicalResult takeFromEnd(int64_t dim, ArrayRef<Axis> suffix) {
    auto rest = withoutSuffix(dims[dim], suffix);
    if (!rest)
      return op->emitOpError() << "expects dimension " << dim << " to end in " << textOf(mesh, suffix)
                               << ", but it has " << textOf(mesh, dims[dim]);
    dims[dim] = *rest;
    return success();
  }
  void append(int64_t dim, ArrayRef<Axis> more) {
    for (Axis axis : more) appendAxis(dims[dim], axis);
  }

  LogicalResult compare() {
    for (auto [dim, expected, got] : llvm::enumerate(dims, results))
      if (expected != got)
        return op->emitOpError() << "expects " << textOf(mesh, expected) << " in dimension " << dim
                                 << " of out_sharding, but got " << textOf(mesh, got);
    return success();
  }

  // The unreduced axes of the result, whole or in parts.
  LogicalResult compareUnreduced(Axes expected) {
    Axes got = decode(mesh, out.getUnreducedAxes());
    llvm::sort(expected);
    Axes merged;
    for (Axis axis : expected) appendAxis(merged, axis);
    if (merged != got)
      return op->emitOpError() << "expects unreduced " << textOf(mesh, merged) << " in out_sharding, but got "
                               << textOf(mesh, got);
    return success();
  }

  // Checks that none of the axes shards or is unreduced in `sharding`.
  LogicalResult apartFrom(StringRef what, ArrayRef<Axes> lists, ArrayRef<Axis> ours) {
    for (const Axes &list : lists)
      for (Axis a : list)
        for (Axis b : ours)
          if (overlap(a, b))
            return op->emitOpError() << "expects axes apart from " << what << ", but got " << textOf(mesh, b);
    return success();
  }

  // Unreduced axes are exactly what a reduction has to take.
  Axes without(ArrayRef<Axis> from, ArrayRef<Axis> taken) {
    Axes rest;
    for (Axis axis : from) {
      bool gone = llvm::any_of(taken, [&](Axis one) { return one == axis; });
      if (!gone) rest.push_back(axis);
    }
    return rest;
  }

  CollectiveOpInterface op;
  TensorShardingAttr out, in;
  MeshAttr mesh;
  SmallVector<Axes> dims, results, axes;
  Axes unreduced;
};

}  // namespace

LogicalResult AllGatherOp::verifySymbolUses(SymbolTableCollection &) {
  CollectiveVerifier check(*this);
  if (failed(check.shardings()) || failed(check.lists(getGatheringAxes()))) return failure();
  for (auto [dim, axes] : llvm::enumerate(check.axes))
    if (failed(check.takeFromEnd(dim, axes))) return failure();
  return check.compare();
}

LogicalResult AllSliceOp::verifySymbolUses(SymbolTableCollection &) {
  CollectiveVerifier check(*this);
  if (failed(check.shardings()) || failed(check.lists(getSlicingAxes()))) return failure();
  for (auto [dim, axes] : llvm::enumerate(check.axes)) check.append(dim, axes);
  return check.compare();
}

LogicalResult AllToAllOp::verifySymbolUses(SymbolTableCollection &) {
  CollectiveVerifier check(*this);
  if (failed(check.shardings())) return failure();
  if (getParams().getValue().empty()) return emitOpError() << "expects at least one move";
  int64_t rank = check.dims.size(), last = -1;
  llvm::SmallBitVector used(rank);
  for (AllToAllParamAttr param : getParams().getValue()) {
    if (failed(checkAxes(check.mesh, param.getAxes(), [&] { return emitOpError(); }))) return failure();
    if (param.getAxes().empty()) return emitOpError() << "expects at least one axis";
    for (int64_t dim : {param.getSrcDim(), param.getTgtDim()}) {
      if (dim < 0 || dim >= rank)
        return emitOpError() << "expects dimensions from 0 to " << rank - 1 << ", but got " << dim;
      if (used.test(dim)) return emitOpError() << "expects each dimension once, but got " << dim << " twice";
      used.set(dim);
    }
    if (param.getSrcDim() < last)
      return emitOpError() << "expects source dimensions in order, but got " << param.getSrcDim() << " after " << last;
    last = param.getSrcDim();
    Axes axes = decode(check.mesh, param.getAxes());
    if (failed(check.takeFromEnd(param.getSrcDim(), axes))) return failure();
    check.append(param.getTgtDim(), axes);
  }
  return check.compare();
}

LogicalResult AllReduceOp::verifySymbolUses(SymbolTableCollection &) {
  CollectiveVerifier check(*this);
  if (failed(check.shardings()) || failed(check.list(getReductionAxes())) || failed(check.compare())) return failure();
  if (failed(check.apartFrom("those that shard the operand", check.dims, check.axes[0]))) return failure();
  if (check.in && failed(check.apartFrom("the operand's replicated ones",
                                         {decode(check.mesh, check.in.getReplicatedAxes())}, check.axes[0])))
    return failure();
  return check.apartFrom("the result's unreduced ones", {decode(check.mesh, check.out.getUnreducedAxes())},
                         check.axes[0]);
}

LogicalResult ReduceScatterOp::verifySymbolUses(SymbolTableCollection &) {
  CollectiveVerifier check(*this);
  if (failed(check.shardings()) || failed(check.lists(getReduceScatterAxes()))) return failure();
  Axes taken;
  for (auto [dim, axes] : llvm::enumerate(check.axes)) {
    if (failed(check.apartFrom("those that shard the operand", check.dims, axes))) return failure();
    llvm::append_range(taken, axes);
  }
  for (auto [dim, axes] : llvm::enumerate(check.axes)) check.append(dim, axes);
  if (failed(check.compare())) return failure();
  return check.apartFrom("the result's unreduced ones", {decode(check.mesh, check.out.getUnreducedAxes())}, taken);
}

LogicalResult CollectivePermuteOp::verifySymbolUses(SymbolTableCollection &) {
  CollectiveVerifier check(*this);
  if (failed(check.shardings())) return failure();
  MeshAttr from = meshOf(*this, check.in.getMeshOrRef());
  if (from && from.getAxes() != check.mesh.getAxes())
    return emitOpError() << "expects meshes of the same axes, but got " << from << " and " << check.mesh;
  if (check.in.getMeshOrRef() != check.out.getMeshOrRef() && from == check.mesh)
    return emitOpError() << "expects one name of a mesh, or other device ids";
  for (auto [dim, before, after] : llvm::enumerate(check.dims, check.results))
    if (shardedSize(before) != shardedSize(after))
      return emitOpError() << "expects " << shardedSize(before) << " parts of dimension " << dim << ", but got "
                           << shardedSize(after);
  return success();
}

LogicalResult ShardedToUnreducedOp::verifySymbolUses(SymbolTableCollection &) {
  CollectiveVerifier check(*this);
  if (failed(check.shardings()) || failed(check.lists(getAxes()))) return failure();
  Axes unreduced = check.unreduced;
  for (auto [dim, axes] : llvm::enumerate(check.axes)) {
    if (failed(check.takeFromEnd(dim, axes))) return failure();
    llvm::append_range(unreduced, axes);
  }
  if (failed(check.compare())) return failure();
  return check.compareUnreduced(unreduced);
}

LogicalResult ReplicatedToUnreducedOp::verifySymbolUses(SymbolTableCollection &) {
  CollectiveVerifier check(*this);
  if (failed(check.shardings()) || failed(check.list(getAxes())) || failed(check.compare())) return failure();
  if (failed(check.apartFrom("those that shard the operand", check.dims, check.axes[0])) ||
      failed(check.apartFrom("the operand's unreduced ones", {check.unreduced}, check.axes[0])))
    return failure();
  Axes unreduced = check.unreduced;
  llvm::append_range(unreduced, check.axes[0]);
  return check.compareUnreduced(unreduced);
}

bool AllSliceOp::allowMissingInputSharding() { return true; }
bool AllReduceOp::allowMissingInputSharding() { return true; }
bool ReplicatedToUnreducedOp::allowMissingInputSharding() { return true; }
bool CollectivePermuteOp::allowDifferentMeshes() { return true; }

}  // namespace tpuc::sdy
