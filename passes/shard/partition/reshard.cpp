//===- reshard.cpp - from one layout to another -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/partition/reshard.h"

#include "passes/shard/partition/narrow.h"
#include "passes/shard/partition/window.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

class Mover {
 public:
  Mover(Emitter &emit, Value value, ArrayRef<int64_t> shape, const Layout &from, const Layout &to)
      : emit(emit), value(value), shape(shape), now(from), to(to), mesh(from.isWhole() ? to.mesh : from.mesh) {
    llvm::copy_if(from.unreduced, std::back_inserter(partialAlong), [&](Axis axis) {
      return llvm::any_of(to.unreduced, [&](Axis kept) { return sdy::overlap(axis, kept); });
    });
  }

  Value run() {
    for (const Move &move : route(shape, bytesOf(typeOf(value).getElementType()), now, to).moves) {
      step(move);
      for (auto [dim, axes] : llvm::zip_equal(now.dims, move.after)) dim.axes = axes;
    }
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      now.dims[dim].axes = to.dims[dim].axes;  // the same axes, not cut into parts
      block(dim, to.dims[dim].block);
    }
    partial();
    return value;
  }

 private:
  void block(int dim, int64_t size) { value = reblock(emit, value, dim, mesh, now.dims[dim], shape[dim], size); }

  // Where partial results are asked for, the first device has the whole one.
  void partial() {
    SmallVector<Axis> made = sdy::without(to.unreduced, partialAlong);
    if (made.empty()) return;
    Value first = emit.compare(emit.index(to.mesh, made), emit.scalar(0), stablehlo::ComparisonDirection::EQ);
    RankedTensorType type = typeOf(value);
    value = emit.select(first, value, emit.broadcast(emit.neutral(to.reducer, type.getElementType()), type, {}));
  }

  // The block that a dimension has best once it lies along `axes`.
  int64_t blockFor(int dim, ArrayRef<Axis> axes) const {
    bool last = sdy::shardedSize(axes) == to.dims[dim].parts();
    return last ? to.dims[dim].block : divideUp(shape[dim], sdy::shardedSize(axes));
  }

  void step(const Move &move) {
    int64_t parts = sdy::shardedSize(move.axes);
    switch (move.kind) {
      case Move::Kind::Slice: {
        int64_t size = blockFor(move.dim, move.after[move.dim]);
        block(move.dim, size * parts);
        Value start = emit.perIndex(mesh, move.axes, [=](int64_t i) { return i * size; });
        value = emit.dynamicSlice(value, move.dim, start, size);
        now.dims[move.dim].block = size;
        return;
      }
      case Move::Kind::Gather:
        value = emit.allGather(value, move.dim, mesh, move.axes);
        now.dims[move.dim].block *= parts;
        return;
      case Move::Kind::AllToAll: {
        int64_t size = blockFor(move.to, move.after[move.to]);
        block(move.to, size * parts);
        value = emit.allToAll(value, move.to, move.dim, mesh, move.axes);
        now.dims[move.to].block = size;
        now.dims[move.dim].block *= parts;
        return;
      }
      case Move::Kind::Permute:
        return permute(move);
      case Move::Kind::ReduceScatter: {
        int64_t size = blockFor(move.dim, move.after[move.dim]);
        block(move.dim, size * parts);
        value = emit.reduceScatter(value, move.dim, now.reducer, mesh, move.axes);
        now.dims[move.dim].block = size;
        return;
      }
      case Move::Kind::Spread:
        return spread(move);
      case Move::Kind::AllReduce:
        value = emit.allReduce(value, now.reducer, mesh, move.axes);
        return;
    }
  }

  // The device's block at its place, and what adds nothing elsewhere.
  void spread(const Move &move) {
    int64_t size = now.dims[move.dim].block, parts = sdy::shardedSize(move.axes);
    Value wide = emit.concatenate(SmallVector<Value>(parts, value), move.dim);
    Value offset = emit.perIndex(mesh, move.axes, [=](int64_t i) { return -i * size; });
    value = emit.keepRange(wide, move.dim, offset, 0, size, emit.neutral(to.reducer, typeOf(value).getElementType()));
    now.dims[move.dim].block = size * parts;
    llvm::append_range(partialAlong, move.axes);
  }

  // Those of this mesh that nothing lies along.
  SmallVector<Axis> manualAxes(const Move &move) const {
    SmallVector<Axis> axes;
    for (auto [index, axis] : llvm::enumerate(mesh->attr.getAxes())) {
      auto isOne = [&, index = static_cast<int>(index)](Axis used) { return used.index == index; };
      auto isUsed = [&](const auto &dim) { return llvm::any_of(dim.axes, isOne); };
      bool used =
          llvm::any_of(now.dims, isUsed) || llvm::any_of(move.after, [&](auto &a) { return llvm::any_of(a, isOne); });
      if (!used && llvm::is_contained(emit.manual, static_cast<int>(index)))
        axes.push_back({static_cast<int>(index), 1, axis.getSize()});
    }
    return axes;
  }

  // Each device gets the block that it has afterwards from one that has it: itself where it can.
  void permute(const Move &move) {
    Places places(mesh->attr);
    int64_t count = places.count();
    SmallVector<Axis> apart = manualAxes(move);
    auto key = [&](int64_t position, llvm::function_ref<ArrayRef<Axis>(size_t)> axesOf) {
      SmallVector<int64_t> indices;
      for (size_t dim = 0; dim < shape.size(); ++dim) indices.push_back(places.index(position, axesOf(dim)));
      // Along these each device has something of its own.
      indices.push_back(places.index(position, partialAlong));
      indices.push_back(places.index(position, apart));
      return indices;
    };
    auto before = [&](size_t dim) -> ArrayRef<Axis> { return now.dims[dim].axes; };
    auto after = [&](size_t dim) -> ArrayRef<Axis> { return move.after[dim]; };
    std::map<SmallVector<int64_t>, SmallVector<int64_t>> sources;
    SmallVector<int64_t> targets;
    Emitter::Pairs pairs;
    bool stays = true;
    for (int64_t position = 0; position < count; ++position) {
      if (key(position, before) == key(position, after)) {
        pairs.push_back({position, position});
        continue;
      }
      stays = false;
      sources[key(position, before)].push_back(position);
      targets.push_back(position);
    }
    for (int64_t target : targets) {
      auto &list = sources[key(target, after)];
      pairs.push_back({list.front(), target});
      list.erase(list.begin());
    }
    llvm::sort(pairs);
    if (!stays) value = emit.permute(value, mesh, pairs);
  }

  Emitter &emit;
  Value value;
  ArrayRef<int64_t> shape;
  Layout now, to;
  const Mesh *mesh;
  Axes partialAlong;
};

// The same layout in the words of another mesh, where one can say it: whose devices stand in the same order, or whose
// part each device has is the same.
bool sameParts(const Layout &a, const Layout &b) {
  Places one(a.mesh->attr), other(b.mesh->attr);
  if (one.count() != other.count() || a.dims.size() != b.dims.size()) return false;
  llvm::DenseMap<int64_t, int64_t> positions;  // on the other mesh, by device
  for (int64_t at = 0; at < other.count(); ++at) positions[other.id(at)] = at;
  for (int64_t at = 0; at < one.count(); ++at)
    for (auto [x, y] : llvm::zip_equal(a.dims, b.dims))
      if (x.block != y.block || one.index(at, x.axes) != other.index(positions.lookup(one.id(at)), y.axes))
        return false;
  return true;
}

// Whether the axes along which both are partial are the same ones, for the same reducer.
bool continuesPartial(const Layout &from, const Layout &to) {
  if (from.unreduced.empty() || to.unreduced.empty()) return true;
  if (from.reducer != to.reducer) return false;
  return llvm::all_of(from.unreduced, [&](Axis axis) {
    return llvm::is_contained(to.unreduced, axis) ||
           !llvm::any_of(to.unreduced, [&](Axis other) { return sdy::overlap(axis, other); });
  });
}

// Within one mesh. What was widened travels as narrow as it was.
Value moved(Emitter &emit, Value value, ArrayRef<int64_t> shape, const Layout &from, const Layout &to) {
  const bool sums = !from.unreduced.empty() && from.reducer != Reducer::Max && from.reducer != Reducer::Min;
  Type narrow = sums || !to.unreduced.empty() ? Type() : narrowElement(value);
  if (!narrow || route(shape, bytesOf(narrow), from, to).bytes == 0) return Mover(emit, value, shape, from, to).run();
  return emit.convert(Mover(emit, emit.convert(value, narrow), shape, from, to).run(), typeOf(value).getElementType());
}

bool ofOtherMeshes(const Layout &from, const Layout &to) {
  return !from.isWhole() && !to.isWhole() && from.mesh->attr != to.mesh->attr;
}

}  // namespace

bool crossesMeshes(const Layout &from, const Layout &to) {
  return ofOtherMeshes(from, to) && !(from.unreduced.empty() && to.unreduced.empty() && sameParts(from, to));
}

Value reshard(Emitter &emit, Value value, ArrayRef<int64_t> shape, const Layout &from, const Layout &to) {
  if (from == to) return value;
  bool otherMesh = ofOtherMeshes(from, to);
  if (!otherMesh && !continuesPartial(from, to)) {
    Layout reduced = to;
    reduced.unreduced.clear();
    return reshard(emit, reshard(emit, value, shape, from, reduced), shape, reduced, to);
  }
  if (!otherMesh) return moved(emit, value, shape, from, to);
  if (!crossesMeshes(from, to)) return value;
  Layout whole = Layout::whole(shape);
  whole.mesh = from.mesh;
  value = moved(emit, value, shape, from, whole);
  return moved(emit, value, shape, whole, to);
}

}  // namespace tpuc::shard
