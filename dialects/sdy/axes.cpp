//===- axes.cpp - arithmetic of axes and their parts -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/sdy/axes.h"

#include <numeric>

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tpuc::sdy {

bool overlap(Axis a, Axis b) {
  if (a.index != b.index) return false;
  return a == b || (a.pre < b.next() && b.pre < a.next());
}

bool canCoexist(Axis a, Axis b) {
  if (a.index != b.index) return true;
  SmallVector<int64_t, 4> ends = {a.pre, a.next(), b.pre, b.next()};
  llvm::sort(ends);
  return llvm::all_of(llvm::seq<size_t>(1, 4), [&](size_t i) { return ends[i] % ends[i - 1] == 0; });
}

bool continues(Axis major, Axis minor) {
  return major.index == minor.index && major.next() == minor.pre && !(major == minor);
}

std::optional<Axis> prefixWithout(Axis axis, Axis other) {
  if (!overlap(axis, other) && canCoexist(axis, other)) return axis;
  // The largest part that ends where `other` begins.
  if (axis.index != other.index || axis.pre >= other.pre || other.pre % axis.pre != 0) return std::nullopt;
  int64_t size = other.pre / axis.pre;
  if (size >= axis.size || axis.size % size != 0) return std::nullopt;
  return Axis{axis.index, axis.pre, size};
}

void appendAxis(Axes &axes, Axis axis) {
  if (!axes.empty() && continues(axes.back(), axis))
    axes.back().size *= axis.size;
  else
    axes.push_back(axis);
}

int64_t shardedSize(ArrayRef<Axis> axes) {
  int64_t size = 1;
  for (Axis axis : axes) size *= axis.size;
  return size;
}

Axes commonPrefix(ArrayRef<Axis> a, ArrayRef<Axis> b) {
  Axes common;
  for (size_t i = 0, end = std::min(a.size(), b.size()); i < end; ++i) {
    if (a[i] == b[i]) {
      common.push_back(a[i]);
      continue;
    }
    if (a[i].index == b[i].index && a[i].pre == b[i].pre) {
      int64_t size = std::gcd(a[i].size, b[i].size);
      if (size > 1 && (size == a[i].size || size == b[i].size)) common.push_back({a[i].index, a[i].pre, size});
    }
    break;
  }
  return common;
}

bool isStrictPrefix(ArrayRef<Axis> a, ArrayRef<Axis> b) {
  Axes common = commonPrefix(a, b);
  return ArrayRef<Axis>(common) == a && ArrayRef<Axis>(common) != b;
}

Axes inOrder(ArrayRef<Axis> axes) {
  SmallVector<Axis> sorted(axes);
  llvm::sort(sorted);
  Axes result;
  for (Axis axis : sorted) appendAxis(result, axis);
  return result;
}

SmallVector<Axis> without(ArrayRef<Axis> axes, ArrayRef<Axis> taken) {
  SmallVector<Axis> rest;
  for (Axis axis : axes) {
    SmallVector<Axis> own = llvm::filter_to_vector(taken, [&](Axis a) { return overlap(a, axis); });
    llvm::sort(own);
    int64_t done = axis.pre;
    for (Axis part : own) {
      if (part.pre > done) rest.push_back({axis.index, done, part.pre / done});
      done = std::max(done, part.next());
    }
    if (axis.next() > done) rest.push_back({axis.index, done, axis.next() / done});
  }
  return rest;
}

std::optional<Axes> withoutSuffix(ArrayRef<Axis> axes, ArrayRef<Axis> suffix) {
  Axes rest(axes);
  for (Axis last : llvm::reverse(suffix)) {
    if (rest.empty()) return std::nullopt;
    Axis &end = rest.back();
    if (end == last) {
      rest.pop_back();
      continue;
    }
    // A minor part of what stands there.
    if (end.index != last.index || end.next() != last.next() || last.pre <= end.pre || last.pre % end.pre != 0)
      return std::nullopt;
    end.size = last.pre / end.pre;
  }
  return rest;
}

Axis decode(MeshAttr mesh, AxisRefAttr axis) {
  for (auto [i, one] : llvm::enumerate(mesh.getAxes()))
    if (one.getName() == axis.getName())
      return axis.isSubAxis() ? Axis{static_cast<int>(i), axis.getPreSize(), axis.getSize()}
                              : Axis{static_cast<int>(i), 1, one.getSize()};
  return {-1, 1, 1};
}

Axes decode(MeshAttr mesh, ArrayRef<AxisRefAttr> axes) {
  Axes result;
  for (AxisRefAttr axis : axes) result.push_back(decode(mesh, axis));
  return result;
}

AxisRefAttr encode(MeshAttr mesh, Axis axis) {
  MeshAxisAttr whole = mesh.getAxes()[axis.index];
  if (axis.pre == 1 && axis.size == whole.getSize()) return AxisRefAttr::get(mesh.getContext(), whole.getName(), 0, 0);
  return AxisRefAttr::get(mesh.getContext(), whole.getName(), axis.pre, axis.size);
}

SmallVector<AxisRefAttr> encode(MeshAttr mesh, ArrayRef<Axis> axes) {
  return llvm::map_to_vector(axes, [&](Axis axis) { return encode(mesh, axis); });
}

bool isMaximal(MeshAttr mesh) { return mesh && mesh.getAxes().empty() && mesh.getDeviceIds().size() == 1; }

MeshAttr meshOf(Operation *op, Attribute meshOrRef) {
  if (auto mesh = dyn_cast<MeshAttr>(meshOrRef)) return mesh;
  auto mesh = SymbolTable::lookupNearestSymbolFrom<MeshOp>(op, cast<FlatSymbolRefAttr>(meshOrRef));
  return mesh ? mesh.getMesh() : MeshAttr();
}

TensorShardingAttr shardingOf(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto dataFlow = dyn_cast<ShardableDataFlowOpInterface>(parent))
      if (Value owner = dataFlow.getEdgeOwnerFromTarget(value)) return dataFlow.getEdgeOwnerSharding(owner);
    auto function = dyn_cast<func::FuncOp>(parent);
    return function ? function.getArgAttrOfType<TensorShardingAttr>(argument.getArgNumber(), "sdy.sharding")
                    : TensorShardingAttr();
  }
  Operation *op = value.getDefiningOp();
  if (auto constraint = dyn_cast<ShardingConstraintOp>(op)) return constraint.getSharding();
  if (auto reshard = dyn_cast<ReshardOp>(op)) return reshard.getSharding();
  if (auto collective = dyn_cast<CollectiveOpInterface>(op)) return collective.getOutSharding();
  if (auto edge = dyn_cast<DataFlowEdgeOp>(op)) return edge.getShardingAttr();
  if (auto dataFlow = dyn_cast<ShardableDataFlowOpInterface>(op))
    if (Value owner = dataFlow.getEdgeOwnerFromTarget(value)) return dataFlow.getEdgeOwnerSharding(owner);
  auto all = op->getAttrOfType<TensorShardingPerValueAttr>("sdy.sharding");
  unsigned number = cast<OpResult>(value).getResultNumber();
  return all && number < all.getShardings().size() ? all.getShardings()[number] : TensorShardingAttr();
}

TensorShardingAttr fullyOpen(Attribute meshOrRef, int64_t rank) {
  MLIRContext *context = meshOrRef.getContext();
  SmallVector<DimensionShardingAttr> dims(rank,
                                          DimensionShardingAttr::get(context, {}, /*is_closed=*/false, std::nullopt));
  return TensorShardingAttr::get(context, meshOrRef, dims);
}

}  // namespace tpuc::sdy
