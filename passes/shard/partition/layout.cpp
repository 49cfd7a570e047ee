//===- layout.cpp - which part of an array each device has --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/partition/layout.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tpuc::shard {

Layout Layout::whole(ArrayRef<int64_t> shape) {
  Layout layout;
  for (int64_t size : shape) layout.dims.push_back({{}, size});
  return layout;
}

SmallVector<int64_t> Layout::localShape() const {
  return llvm::map_to_vector(dims, [](const DimLayout &dim) { return dim.block; });
}

bool Layout::isUnsharded() const {
  return llvm::all_of(dims, [](const DimLayout &dim) { return dim.axes.empty(); });
}
bool Layout::isWhole() const { return isUnsharded() && unreduced.empty(); }

bool Layout::operator==(const Layout &other) const {
  if (dims != other.dims || unreduced != other.unreduced) return false;
  if (isWhole()) return true;
  return mesh->attr == other.mesh->attr && (unreduced.empty() || reducer == other.reducer);
}

static Reducer reducerOf(sdy::ReductionOp reduction) {
  if (reduction == sdy::ReductionOp::MAX) return Reducer::Max;
  return reduction == sdy::ReductionOp::MIN ? Reducer::Min : Reducer::Sum;
}

static Axes without(ArrayRef<Axis> axes, ArrayRef<int> dropped) {
  Axes kept;
  for (Axis axis : axes)
    if (!llvm::is_contained(dropped, axis.index) && axis.size > 1) sdy::appendAxis(kept, axis);
  return kept;
}

Layout layoutOf(const Sharding &sharding, ArrayRef<int64_t> shape, ArrayRef<int> dropped) {
  Layout layout = Layout::whole(shape);
  layout.mesh = sharding.mesh;
  if (sharding.dims.size() != shape.size()) return layout;
  for (auto [dim, stated, size] : llvm::zip_equal(layout.dims, sharding.dims, shape)) {
    if (size == 0) continue;
    dim.axes = without(stated.axes, dropped);
    while (dim.parts() > size) dim.axes.pop_back();
    dim.block = divideUp(size, dim.parts());
  }
  layout.unreduced = sdy::inOrder(without(sharding.unreduced, dropped));
  layout.reducer = reducerOf(sharding.reduction);
  return layout;
}

RankedTensorType localType(Type global, const Layout &layout) {
  return cast<RankedTensorType>(global).clone(layout.localShape());
}

//===-----------------------------------------------------------------------------===//
// Places
//===-----------------------------------------------------------------------------===//

int64_t Places::count() const {
  int64_t count = 1;
  for (sdy::MeshAxisAttr axis : mesh.getAxes()) count *= axis.getSize();
  return count;
}

int64_t Places::id(int64_t position) const {
  return mesh.getDeviceIds().empty() ? position : mesh.getDeviceIds()[position];
}

bool Places::inOrder() const {
  for (auto [position, id] : llvm::enumerate(mesh.getDeviceIds()))
    if (static_cast<int64_t>(position) != id) return false;
  return true;
}

int64_t Places::stride(Axis axis) const {
  int64_t stride = mesh.getAxes()[axis.index].getSize() / axis.next();
  for (sdy::MeshAxisAttr minor : mesh.getAxes().drop_front(axis.index + 1)) stride *= minor.getSize();
  return stride;
}

int64_t Places::index(int64_t position, ArrayRef<Axis> axes) const {
  int64_t index = 0;
  for (Axis axis : axes) index = index * axis.size + position / stride(axis) % axis.size;
  return index;
}

SmallVector<SmallVector<int64_t>> Places::groups(ArrayRef<Axis> axes) const {
  llvm::MapVector<int64_t, SmallVector<int64_t>> groups;  // by the position of index 0
  for (int64_t position = 0, end = count(); position < end; ++position) {
    int64_t first = position;
    for (Axis axis : axes) first -= position / stride(axis) % axis.size * stride(axis);
    SmallVector<int64_t> &group = groups[first];
    group.resize(sdy::shardedSize(axes));
    group[index(position, axes)] = id(position);
  }
  return llvm::map_to_vector(groups, [](auto &entry) { return entry.second; });
}

//===-----------------------------------------------------------------------------===//
// As HLO writes it
//===-----------------------------------------------------------------------------===//

namespace {

std::string listed(ArrayRef<int64_t> numbers) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(numbers, os, ",");
  return text;
}

// Positions are 0 to n - 1 in the shape of the parts of axes, in the mesh's order, then transposed to the order of
// dimensions. Parts that stay neighbours are one.
std::string iotaText(const Places &places, ArrayRef<Axis> order) {
  SmallVector<Axis> inMesh(order);
  llvm::sort(inMesh);
  SmallVector<int64_t> sizes, permutation;
  for (Axis axis : order) permutation.push_back(llvm::find(inMesh, axis) - inMesh.begin());
  // Runs of the permutation that count up by one are merged.
  SmallVector<SmallVector<int64_t>> runs;
  for (int64_t at : permutation)
    if (!runs.empty() && runs.back().back() + 1 == at)
      runs.back().push_back(at);
    else
      runs.push_back({at});
  SmallVector<int64_t> starts;
  for (auto &run : runs) starts.push_back(run.front());
  SmallVector<int64_t> sorted(starts);
  llvm::sort(sorted);
  SmallVector<int64_t> shape, transposed;
  for (int64_t start : sorted) {
    auto &run = *llvm::find_if(runs, [&](auto &one) { return one.front() == start; });
    int64_t size = 1;
    for (int64_t at : run) size *= inMesh[at].size;
    shape.push_back(size);
  }
  for (int64_t start : starts) transposed.push_back(llvm::find(sorted, start) - sorted.begin());
  std::string text = "<=[" + listed(shape) + "]";
  return sorted.size() > 1 ? text + "T(" + listed(transposed) + ")" : text;
}

}  // namespace

std::string hloSharding(const Layout &layout) {
  if (layout.isWhole()) return "{replicated}";
  Places places(layout.mesh->attr);
  SmallVector<Axis> order;
  SmallVector<int64_t> tile;
  for (const DimLayout &dim : layout.dims) {
    tile.push_back(dim.parts());
    llvm::append_range(order, dim.axes);
  }
  SmallVector<Axis> all;
  for (auto [number, axis] : llvm::enumerate(layout.mesh->attr.getAxes()))
    if (axis.getSize() > 1) all.push_back({static_cast<int>(number), 1, axis.getSize()});
  SmallVector<Axis> used(order);
  llvm::append_range(used, layout.unreduced);
  SmallVector<Axis> rest = sdy::without(all, used), partial(layout.unreduced);
  llvm::sort(partial);
  int64_t copies = sdy::shardedSize(rest);
  if (copies > 1) tile.push_back(copies);
  if (!partial.empty()) tile.push_back(sdy::shardedSize(partial));
  llvm::append_range(order, rest);
  llvm::append_range(order, partial);
  std::string text = "{devices=[" + listed(tile) + "]";
  if (places.inOrder()) {
    text += iotaText(places, order);
  } else {
    SmallVector<int64_t> devices(places.count());
    for (int64_t position = 0; position < places.count(); ++position)
      devices[places.index(position, order)] = places.id(position);
    text += listed(devices);
  }
  if (partial.empty()) return text + (copies > 1 ? " last_tile_dim_replicate}" : "}");
  return text + (copies > 1 ? " last_tile_dims={replicated, unreduced}}" : " last_tile_dims={unreduced}}");
}

}  // namespace tpuc::shard
