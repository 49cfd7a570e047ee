//===- sharding_checks.cpp - what a sharding has to satisfy, and where one may stand -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/sdy/checks.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tpuc::sdy {

static std::string textOf(AxisRefAttr axis) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << '"' << axis.getName() << '"';
  if (axis.isSubAxis()) out << ":(" << axis.getPreSize() << ")" << axis.getSize();
  return text;
}

// An axis of the mesh, or a part of one that divides it.
static LogicalResult checkAxis(MeshAttr mesh, AxisRefAttr axis, EmitError emit) {
  Axis found = decode(mesh, axis);
  if (found.index < 0) return emit() << "expects an axis of the mesh, but got " << textOf(axis);
  if (!axis.isSubAxis()) return success();
  int64_t pre = axis.getPreSize(), size = axis.getSize(), full = mesh.getAxes()[found.index].getSize();
  if (pre < 1 || size < 2 || size >= full || full % pre != 0 || (full / pre) % size != 0)
    return emit() << "expects a part of axis \"" << axis.getName() << "\" of size " << full << ", but got (" << pre
                  << ")" << size;
  return success();
}

LogicalResult checkApart(MeshAttr mesh, ArrayRef<AxisRefAttr> axes, EmitError emit) {
  SmallVector<std::pair<Axis, AxisRefAttr>> sorted;
  for (AxisRefAttr axis : axes) sorted.push_back({decode(mesh, axis), axis});
  llvm::stable_sort(sorted, [](auto &a, auto &b) { return a.first < b.first; });
  for (size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i - 1].first == sorted[i].first)
      return emit() << "expects each axis once, but got " << textOf(sorted[i].second) << " twice";
    if (overlap(sorted[i - 1].first, sorted[i].first))
      return emit() << "expects parts of an axis that do not overlap, but got " << textOf(sorted[i - 1].second)
                    << " and " << textOf(sorted[i].second);
  }
  return success();
}

static LogicalResult checkMerged(MeshAttr mesh, ArrayRef<AxisRefAttr> axes, EmitError emit) {
  for (size_t i = 1; i < axes.size(); ++i)
    if (axes[i].isSubAxis() && continues(decode(mesh, axes[i - 1]), decode(mesh, axes[i])))
      return emit() << "expects parts of an axis that follow each other as one, but got " << textOf(axes[i - 1])
                    << " and " << textOf(axes[i]);
  return success();
}

LogicalResult checkAxes(MeshAttr mesh, ArrayRef<AxisRefAttr> axes, EmitError emit) {
  for (AxisRefAttr axis : axes)
    if (failed(checkAxis(mesh, axis, emit))) return failure();
  if (failed(checkApart(mesh, axes, emit))) return failure();
  return checkMerged(mesh, axes, emit);
}

LogicalResult checkSorted(MeshAttr mesh, ArrayRef<AxisRefAttr> axes, EmitError emit) {
  for (size_t i = 1; i < axes.size(); ++i)
    if (decode(mesh, axes[i]) < decode(mesh, axes[i - 1]))
      return emit() << "expects axes in the mesh's order, but got " << textOf(axes[i]) << " after "
                    << textOf(axes[i - 1]);
  return success();
}

static LogicalResult checkPriorities(TensorShardingAttr sharding, EmitError emit) {
  for (DimensionShardingAttr dim : sharding.getDimShardings()) {
    if (!dim.getPriority()) continue;
    if (*dim.getPriority() < 0) return emit() << "expects a priority of at least 0, but got " << *dim.getPriority();
    if (dim.getAxes().empty() && dim.getIsClosed())
      return emit() << "expects no priority of a closed dimension without axes";
  }
  return success();
}

LogicalResult checkSharding(Operation *op, TensorShardingAttr sharding, Type type, EmitError emit) {
  MeshAttr mesh = meshOf(op, sharding.getMeshOrRef());
  if (!mesh) return emit() << "expects a mesh, but found no symbol " << sharding.getMeshOrRef();
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped && (!sharding.getDimShardings().empty() || !sharding.getReplicatedAxes().empty() ||
                  !sharding.getUnreducedAxes().empty()))
    return emit() << "expects no dimensions or axes of a value of " << type;
  if (isMaximal(mesh) && sharding.getDimShardings().empty()) return success();  // all of it lies on one device
  size_t rank = shaped && shaped.hasRank() ? shaped.getRank() : 0;
  if (sharding.getDimShardings().size() != rank)
    return emit() << "expects shardings of " << rank << " dimensions for " << type << ", but got "
                  << sharding.getDimShardings().size();
  SmallVector<AxisRefAttr> all;
  SmallVector<ArrayRef<AxisRefAttr>> lists = {sharding.getReplicatedAxes(), sharding.getUnreducedAxes()};
  for (DimensionShardingAttr dim : sharding.getDimShardings()) lists.push_back(dim.getAxes());
  for (ArrayRef<AxisRefAttr> list : lists) {
    if (failed(checkAxes(mesh, list, emit))) return failure();
    llvm::append_range(all, list);
  }
  if (failed(checkApart(mesh, all, emit)) || failed(checkSorted(mesh, sharding.getReplicatedAxes(), emit)) ||
      failed(checkSorted(mesh, sharding.getUnreducedAxes(), emit)))
    return failure();
  return checkPriorities(sharding, emit);
}

LogicalResult checkFree(Operation *op, TensorShardingAttr sharding, EmitError emit) {
  for (auto manual = op->getParentOfType<ManualComputationOp>(); manual;
       manual = manual->getParentOfType<ManualComputationOp>()) {
    auto check = [&](ArrayRef<AxisRefAttr> axes) -> LogicalResult {
      for (AxisRefAttr axis : axes)
        for (StringAttr taken : manual.getManualAxes().getValue())
          if (taken.getValue() == axis.getName()) {
            InFlightDiagnostic error = emit();
            error << "expects an axis that no manual computation around it takes, but got " << textOf(axis);
            error.attachNote(manual.getLoc()) << "taken here";
            return error;
          }
      return success();
    };
    for (DimensionShardingAttr dim : sharding.getDimShardings())
      if (failed(check(dim.getAxes()))) return failure();
    if (failed(check(sharding.getReplicatedAxes())) || failed(check(sharding.getUnreducedAxes()))) return failure();
  }
  return success();
}

//===-----------------------------------------------------------------------------===//
// sdy.sharding as an attribute of ops, arguments and results
//===-----------------------------------------------------------------------------===//

LogicalResult checkShardingAttribute(Operation *op, Attribute value) {
  auto all = dyn_cast<TensorShardingPerValueAttr>(value);
  if (!all) return op->emitOpError() << "expects #sdy.sharding_per_value as sdy.sharding, but got " << value;
  ArrayRef<TensorShardingAttr> shardings = all.getShardings();
  // An op without results that lies on one device says so too.
  bool lone = op->getNumResults() == 0 && shardings.size() == 1 && shardings[0].getDimShardings().empty();
  if (shardings.size() != op->getNumResults() && !lone)
    return op->emitOpError() << "expects shardings of " << op->getNumResults() << " results, but got "
                             << shardings.size();
  auto emit = [&] { return op->emitOpError(); };
  for (auto [result, sharding] : llvm::zip(op->getResults(), shardings))
    if (failed(checkSharding(op, sharding, result.getType(), emit)) || failed(checkFree(op, sharding, emit)))
      return failure();
  return success();
}

static LogicalResult checkOfFunction(Operation *op, ArrayRef<Type> types, unsigned index, StringRef what,
                                     NamedAttribute attribute) {
  if (attribute.getName() != "sdy.sharding") return success();
  auto sharding = dyn_cast<TensorShardingAttr>(attribute.getValue());
  auto emit = [&] { return op->emitOpError() << what << " " << index << ": "; };
  if (!sharding) return emit() << "expects #sdy.sharding as sdy.sharding, but got " << attribute.getValue();
  return checkSharding(op, sharding, types[index], emit);
}

LogicalResult SdyDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned index, NamedAttribute attribute) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  return function ? checkOfFunction(op, function.getArgumentTypes(), index, "argument", attribute) : success();
}
LogicalResult SdyDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned index,
                                                      NamedAttribute attribute) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  return function ? checkOfFunction(op, function.getResultTypes(), index, "result", attribute) : success();
}

}  // namespace tpuc::sdy
