//===- collective.cpp - verifiers of communication between devices ---------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/assembly.h"
#include "dialects/stablehlo/infer.h"

using namespace mlir;

namespace tpuc::stablehlo {

//===-----------------------------------------------------------------------------===//
// Groups of devices
//===-----------------------------------------------------------------------------===//

namespace {
// What a list of groups may be short of.
enum class Groups {
  Full,    // every device once
  Padded,  // -1 fills up groups of unequal size
  Partial  // some devices in none
};
}  // namespace

// The mesh is a symbol, or inline with all of the axes.
static LogicalResult checkAxes(Emit emit, ReplicaGroupMeshAxesAttr groups) {
  auto mesh = dyn_cast<MeshAttr>(groups.getMesh());
  if (!mesh && !isa<FlatSymbolRefAttr>(groups.getMesh()))
    return emit() << "expects a mesh or the symbol of one, but got " << groups.getMesh();
  for (AxisRefAttr axis : groups.getAxes())
    if (mesh && llvm::none_of(mesh.getAxes(), [&](MeshAxisAttr one) { return one.getName() == axis.getName(); }))
      return emit() << "expects axes of the mesh, but got \"" << axis.getName() << "\", which " << mesh
                    << " does not have";
  return success();
}

// No device in two groups.
// all_gather_c2..c4, all_reduce_c1..c3, all_to_all_c5..c7, reduce_scatter_c3..c5, collective_broadcast_c1, c2
static LogicalResult checkGroups(Emit emit, Attribute attribute, Groups kind) {
  if (auto axes = dyn_cast<ReplicaGroupMeshAxesAttr>(attribute)) return checkAxes(emit, axes);
  auto groups = dyn_cast<DenseIntElementsAttr>(attribute);
  if (!groups) return success();
  if (groups.getType().getRank() != 2)
    return emit() << "expects replica_groups of rank 2, but got " << groups.getType();
  SmallVector<int64_t> devices;
  for (int64_t device : groups.getValues<int64_t>()) {
    if (device == -1 && kind == Groups::Padded) continue;
    devices.push_back(device);
  }
  if (failed(checkUnique(emit, "replica_groups", devices))) return failure();
  if (kind == Groups::Partial) return checkAtLeast(emit, "replica_groups", devices, 0);
  // Every device up to the largest is in a group.
  return checkInRange(emit, "replica_groups", devices, devices.size());
}

// The mesh is inline or a symbol.
static LogicalResult checkMesh(Operation *op, Attribute attribute, SymbolTableCollection &symbols) {
  auto axes = dyn_cast<ReplicaGroupMeshAxesAttr>(attribute);
  if (!axes) return success();
  if (auto symbol = dyn_cast<SymbolRefAttr>(axes.getMesh()); symbol && !symbols.lookupNearestSymbolFrom(op, symbol))
    return op->emitOpError() << "expects a mesh, but found no symbol " << symbol;
  return success();
}

// Devices in each group; kDynamic where a mesh says.
static int64_t groupSize(Attribute groups) {
  auto ids = dyn_cast<DenseIntElementsAttr>(groups);
  return ids && ids.getType().getRank() == 2 ? ids.getType().getDimSize(1) : ShapedType::kDynamic;
}

// all_gather_c5, all_reduce_c4, reduce_scatter_c6
static LogicalResult checkChannel(Emit emit, bool globalIds, ChannelHandleAttr channel) {
  if (globalIds && (!channel || channel.getHandle() <= 0))
    return emit() << "expects a channel_handle above 0 with use_global_device_ids, but got "
                  << (channel ? channel.getHandle() : 0);
  return success();
}

template <typename OpT>
static LogicalResult checkAsMany(OpT op) {
  return checkSize(errorsOf(op), "results", op->getNumResults(), op->getNumOperands());
}

LogicalResult AllGatherOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return checkMesh(*this, getReplicaGroups(), symbols);
}
LogicalResult AllReduceOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return checkMesh(*this, getReplicaGroups(), symbols);
}
LogicalResult AllToAllOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return checkMesh(*this, getReplicaGroups(), symbols);
}
LogicalResult ReduceScatterOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return checkMesh(*this, getReplicaGroups(), symbols);
}
LogicalResult CollectiveBroadcastOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return checkMesh(*this, getReplicaGroups(), symbols);
}
LogicalResult CollectiveReduceOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return checkMesh(*this, getReplicaGroups(), symbols);
}

//===-----------------------------------------------------------------------------===//
// Gathers and scatters
//===-----------------------------------------------------------------------------===//

LogicalResult AllGatherOp::verify() {
  auto emit = errorsOf(*this);
  if (failed(checkGroups(emit, getReplicaGroups(), Groups::Full)) ||
      failed(checkChannel(emit, getUseGlobalDeviceIds(), getChannelHandleAttr())) || failed(checkAsMany(*this)))
    return failure();
  if (groupSize(getReplicaGroups()) == 0) return emit() << "expects groups of one device at least";
  for (auto [operand, result] : llvm::zip_equal(getOperands(), getResults())) {
    RankedTensorType from = tensorType(operand), to = tensorType(result);
    // all_gather_c1
    int64_t dim = getAllGatherDim();
    if (failed(checkInRange(emit, "all_gather_dim", dim, from.getRank()))) return failure();
    // all_gather_c6: how many devices gather depends on the grid of processes; that it is a multiple does not.
    SmallVector<int64_t> shape(from.getShape());
    if (to.getRank() == from.getRank() && !to.isDynamicDim(dim) && !from.isDynamicDim(dim)) {
      int64_t gathered = to.getDimSize(dim);
      if (shape[dim] == 0 ? gathered != 0 : gathered % shape[dim] != 0)
        return emit() << "expects a multiple of " << shape[dim] << " in dimension " << dim << " of the result, but got "
                      << gathered;
      shape[dim] = gathered;
    } else {
      shape[dim] = ShapedType::kDynamic;
    }
    if (failed(checkShape(emit, "result", to.getShape(), shape)) ||
        failed(checkElement(emit, "result", to.getElementType(), from.getElementType())))
      return failure();
  }
  return success();
}

LogicalResult AllToAllOp::verify() {
  auto emit = errorsOf(*this);
  int64_t split = getSplitDimension(), concat = getConcatDimension(), count = getSplitCount();
  // all_to_all_c4
  if (failed(checkAtLeast(emit, "split_count", count, 1)) ||
      failed(checkGroups(emit, getReplicaGroups(), Groups::Full)) || failed(checkAsMany(*this)))
    return failure();
  // all_to_all_c8
  int64_t devices = groupSize(getReplicaGroups());
  if (!sameDim(devices, count))
    return emit() << "expects groups of " << count << " devices, as split_count says, but got " << devices;
  for (auto [operand, result] : llvm::zip_equal(getOperands(), getResults())) {
    RankedTensorType from = tensorType(operand), to = tensorType(result);
    // all_to_all_c1, all_to_all_c3
    if (failed(checkInRange(emit, "split_dimension", split, from.getRank())) ||
        failed(checkInRange(emit, "concat_dimension", concat, from.getRank())))
      return failure();
    // all_to_all_c2
    SmallVector<int64_t> shape(from.getShape());
    if (!ShapedType::isDynamic(shape[split]) && shape[split] % count != 0)
      return emit() << "expects a multiple of split_count " << count << " in dimension " << split << ", but got "
                    << shape[split];
    // all_to_all_c9
    if (split != concat) {
      if (!ShapedType::isDynamic(shape[split])) shape[split] /= count;
      if (!ShapedType::isDynamic(shape[concat])) {
        std::optional<int64_t> joined = checkedMul(shape[concat], count);
        if (!joined) return emit() << "expects a size below 2^63 in dimension " << concat;
        shape[concat] = *joined;
      }
    }
    if (failed(checkShape(emit, "result", to.getShape(), shape)) ||
        failed(checkElement(emit, "result", to.getElementType(), from.getElementType())))
      return failure();
  }
  return success();
}

//===-----------------------------------------------------------------------------===//
// Reductions
//===-----------------------------------------------------------------------------===//

LogicalResult AllReduceOp::verify() {
  auto emit = errorsOf(*this);
  if (failed(checkGroups(emit, getReplicaGroups(), Groups::Padded)) ||
      failed(checkChannel(emit, getUseGlobalDeviceIds(), getChannelHandleAttr())) || failed(checkAsMany(*this)))
    return failure();
  for (auto [operand, result] : llvm::zip_equal(getOperands(), getResults())) {
    // all_reduce_c5
    SmallVector<Type> elements;
    if (failed(checkReducer(emit, "computation", getComputation(), operand.getType(), elements))) return failure();
    // all_reduce_c6, all_reduce_c7
    if (failed(checkShape(emit, "result", tensorType(result).getShape(), tensorType(operand).getShape())) ||
        failed(checkElement(emit, "result", tensorType(result).getElementType(), elements.front())))
      return failure();
  }
  return success();
}

LogicalResult ReduceScatterOp::verify() {
  auto emit = errorsOf(*this);
  if (failed(checkGroups(emit, getReplicaGroups(), Groups::Full)) ||
      failed(checkChannel(emit, getUseGlobalDeviceIds(), getChannelHandleAttr())))
    return failure();
  RankedTensorType from = getOperand().getType(), to = getType();
  // reduce_scatter_c2
  int64_t dim = getScatterDimension(), devices = groupSize(getReplicaGroups());
  if (failed(checkInRange(emit, "scatter_dimension", dim, from.getRank()))) return failure();
  if (devices == 0) return emit() << "expects groups of one device at least";
  // reduce_scatter_c7
  SmallVector<Type> elements;
  if (failed(checkReducer(emit, "computation", getComputation(), {from}, elements))) return failure();
  // reduce_scatter_c1
  SmallVector<int64_t> shape(from.getShape());
  int64_t size = shape[dim];
  if (ShapedType::isDynamic(devices) && to.getRank() == from.getRank())
    devices = ShapedType::isDynamic(to.getDimSize(dim)) || to.getDimSize(dim) == 0 ? 1 : size / to.getDimSize(dim);
  if (!ShapedType::isDynamic(size)) {
    if (devices <= 0 || size % devices != 0)
      return emit() << "expects a multiple of " << devices << " devices in dimension " << dim << ", but got " << size;
    shape[dim] = size / devices;
  }
  // reduce_scatter_c8, reduce_scatter_c9
  if (failed(checkShape(emit, "result", to.getShape(), shape))) return failure();
  return checkElement(emit, "result", to.getElementType(), elements.front());
}

// The last operand says which device is the root of each of the others.
static LogicalResult checkRoots(Operation *op, bool dynamicRoot) {
  auto emit = errorsOf(op);
  size_t values = op->getNumOperands() - (dynamicRoot ? 1 : 0);
  if (op->getNumOperands() < (dynamicRoot ? 2 : 1))
    return emit() << "expects " << (dynamicRoot ? 2 : 1) << " operands at least, but got " << op->getNumOperands();
  if (failed(checkSize(emit, "results", op->getNumResults(), values))) return failure();
  if (!dynamicRoot) return success();
  auto roots = RankedTensorType::get({static_cast<int64_t>(values)}, IntegerType::get(op->getContext(), 32));
  return checkType(emit, "roots", op->getOperands().back().getType(), roots);
}

LogicalResult CollectiveBroadcastOp::verify() {
  auto emit = errorsOf(*this);
  if (failed(checkGroups(emit, getReplicaGroups(), Groups::Partial)) ||
      failed(checkRoots(*this, getHasDynamicRoot())))  // collective_broadcast_c4, collective_broadcast_c5
    return failure();
  // collective_broadcast_c3
  return checkTypes(emit, "results", getResultTypes(), getOperands().take_front(getNumResults()).getTypes());
}

LogicalResult CollectiveReduceOp::verify() {
  auto emit = errorsOf(*this);
  if (failed(checkGroups(emit, getReplicaGroups(), Groups::Partial)) ||
      failed(checkChannel(emit, getUseGlobalDeviceIds(), getChannelHandleAttr())) ||
      failed(checkRoots(*this, getHasDynamicRoot())))
    return failure();
  for (auto [operand, result] : llvm::zip(getOperands(), getResults())) {
    // collective_reduce_c4
    SmallVector<Type> elements;
    if (failed(checkReducer(emit, "computation", getComputation(), operand.getType(), elements))) return failure();
    // collective_reduce_c3
    if (failed(checkShape(emit, "result", tensorType(result).getShape(), tensorType(operand).getShape())) ||
        failed(checkElement(emit, "result", tensorType(result).getElementType(), elements.front())))
      return failure();
  }
  return success();
}

LogicalResult CollectivePermuteOp::verify() {
  // collective_permute_c1..c4
  if (failed(checkSourceTargetPairs(errorsOf(*this), getSourceTargetPairs()))) return failure();
  // collective_permute_c5
  return checkType(errorsOf(*this), "result", getType(), getOperand().getType());
}

LogicalResult CrossReplicaSumOp::verify() {
  if (failed(checkGroups(errorsOf(*this), getReplicaGroups(), Groups::Full))) return failure();
  return checkType(errorsOf(*this), "result", getType(), getOperand().getType());
}

}  // namespace tpuc::stablehlo

using namespace tpuc::stablehlo;
#define GET_OP_CLASSES
#include "dialects/stablehlo/collective.cpp.inc"
