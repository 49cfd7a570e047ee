//===- route.cpp - the moves of fewest bytes between two layouts --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Partial results: dimensions that the target shards further are sliced, or reduced and scattered; what is left is
//    reduced. Both make all that follows smaller.
// 2. Axes are cut where those of either layout begin or end. A state is the list of these parts that each dimension
//    lies along. Its neighbours: the last parts of a dimension are gathered or go to another dimension (all_to_all), an
//    unused part slices a dimension, all blocks change places (permute). Dijkstra's algorithm finds the way.
//===-----------------------------------------------------------------------------===//
#include <queue>

#include "passes/shard/partition/reshard.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

using State = SmallVector<Axes, 4>;

// A move costs as much as this many bytes, whatever it moves: fewer moves where bytes are equal.
constexpr int64_t kMoveBytes = 64;

State stateOf(const Layout &layout) {
  return State(llvm::map_range(layout.dims, [](const DimLayout &dim) { return dim.axes; }));
}

// The axes cut into parts that both layouts, and the lists of more axes, are made of; false where they cannot be.
bool refine(State &a, State &b, Axes &left, Axes &made) {
  llvm::DenseMap<int, SmallVector<int64_t>> cuts;
  auto note = [&](const Axes &axes) {
    for (Axis axis : axes) llvm::append_values(cuts[axis.index], axis.pre, axis.next());
  };
  llvm::for_each(a, note);
  llvm::for_each(b, note);
  note(left);
  note(made);
  for (auto &[index, list] : cuts) {
    llvm::sort(list);
    for (size_t i = 1; i < list.size(); ++i)
      if (list[i] % list[i - 1] != 0) return false;
  }
  auto cut = [&](Axes &axes) {
    Axes parts;
    for (Axis axis : axes) {
      int64_t from = axis.pre;
      for (int64_t at : cuts[axis.index])
        if (at > from && at <= axis.next()) parts.push_back({axis.index, from, at / from}), from = at;
    }
    axes = std::move(parts);
  };
  llvm::for_each(a, cut);
  llvm::for_each(b, cut);
  cut(left);
  cut(made);
  return true;
}

class Search {
 public:
  Search(ArrayRef<int64_t> shape, int64_t elementBytes, State from, State to)
      : shape(shape), elementBytes(elementBytes), from(std::move(from)), to(std::move(to)) {}

  void run(Route &route) {
    add(from, 0, {}, -1);
    int goal = -1;
    while (!queue.empty()) {
      auto [cost, node] = queue.top();
      queue.pop();
      if (nodes[node].done) continue;
      nodes[node].done = true;
      if (nodes[node].state == to) {
        goal = node;
        break;
      }
      expand(node);
    }
    std::vector<Move> moves;
    for (int node = goal; nodes[node].parent >= 0; node = nodes[node].parent) {
      route.bytes += bytesMoved(nodes[node].move, nodes[nodes[node].parent].state);
      moves.push_back(nodes[node].move);
    }
    route.moves.append(moves.rbegin(), moves.rend());
  }

 private:
  struct Node {
    State state;
    int64_t cost;
    Move move;
    int parent;
    bool done = false;
  };

  int64_t bytes(const State &state) const {
    int64_t elements = 1;
    for (auto [size, axes] : llvm::zip_equal(shape, state)) elements *= divideUp(size, sdy::shardedSize(axes));
    return elements * elementBytes;
  }
  int64_t bytesMoved(const Move &move, const State &before) const {
    if (move.kind == Move::Kind::Slice) return 0;
    return move.kind == Move::Kind::Gather ? bytes(move.after) : bytes(before);
  }

  static std::string keyOf(const State &state) {
    std::string key;
    for (const Axes &axes : state) {
      for (Axis axis : axes)
        for (int64_t part : {int64_t{axis.index}, axis.pre, axis.size}) key += std::to_string(part) + ",";
      key += ";";
    }
    return key;
  }

  void add(State state, int64_t cost, Move move, int parent) {
    auto [entry, isNew] = known.try_emplace(keyOf(state), nodes.size());
    int node = entry->second;
    if (isNew)
      nodes.push_back({std::move(state), cost, std::move(move), parent});
    else if (cost < nodes[node].cost && !nodes[node].done)
      nodes[node].cost = cost, nodes[node].move = std::move(move), nodes[node].parent = parent;
    else
      return;
    queue.push({cost, node});
  }
  void go(int node, State next, Move::Kind kind, int dim, int target, Axes axes) {
    Move move{kind, dim, target, std::move(axes), next};
    int64_t cost = nodes[node].cost + bytesMoved(move, nodes[node].state) + kMoveBytes;
    add(std::move(next), cost, std::move(move), node);
  }

  static bool isPrefix(const Axes &axes, const Axes &of) {
    return axes.size() <= of.size() && ArrayRef<Axis>(axes) == ArrayRef<Axis>(of).take_front(axes.size());
  }

  void expand(int node) {
    State state = nodes[node].state;
    for (int dim = 0, rank = state.size(); dim < rank; ++dim) {
      for (size_t count = 1; count <= state[dim].size(); ++count) shrink(node, state, dim, count);
      grow(node, state, dim);
    }
    permute(node, state);
  }

  // The last `count` parts of a dimension go: to all devices, or to another dimension.
  void shrink(int node, const State &state, int dim, size_t count) {
    Axes axes(ArrayRef<Axis>(state[dim]).take_back(count));
    State next = state;
    next[dim].truncate(next[dim].size() - count);
    go(node, next, Move::Kind::Gather, dim, dim, axes);
    for (int other = 0, rank = state.size(); other < rank; ++other) {
      if (other == dim || shape[other] == 0) continue;
      State moved = next;
      llvm::append_range(moved[other], axes);
      if (isPrefix(moved[other], to[other]) || shape[other] % sdy::shardedSize(moved[other]) == 0)
        go(node, moved, Move::Kind::AllToAll, dim, other, axes);
    }
  }

  // Parts that no dimension lies along, as the target has them next.
  void grow(int node, const State &state, int dim) {
    if (!isPrefix(state[dim], to[dim])) return;
    State next = state;
    Axes axes;
    for (Axis axis : ArrayRef<Axis>(to[dim]).drop_front(state[dim].size())) {
      if (llvm::any_of(state, [&](const Axes &used) { return llvm::is_contained(used, axis); })) break;
      axes.push_back(axis);
      next[dim].push_back(axis);
    }
    if (!axes.empty()) go(node, next, Move::Kind::Slice, dim, dim, axes);
  }

  void permute(int node, const State &state) {
    auto sameParts = [](const Axes &a, const Axes &b) { return sdy::shardedSize(a) == sdy::shardedSize(b); };
    if (llvm::all_of(llvm::zip_equal(state, to),
                     [&](auto pair) { return sameParts(std::get<0>(pair), std::get<1>(pair)); }))
      return go(node, to, Move::Kind::Permute, 0, 0, {});
    // Two parts of one size change places, or one takes that of one that is not used yet.
    for (int dim = 0, rank = state.size(); dim < rank; ++dim)
      for (size_t i = 0; i < state[dim].size(); ++i) {
        if (i < to[dim].size() && state[dim][i] == to[dim][i]) continue;
        Axis wanted = i < to[dim].size() ? to[dim][i] : Axis{-1, 1, 1};
        if (wanted.index < 0 || wanted.size != state[dim][i].size) continue;
        State next = state;
        for (Axes &axes : next)
          for (Axis &axis : axes)
            if (axis == wanted) axis = state[dim][i];
        next[dim][i] = wanted;
        go(node, next, Move::Kind::Permute, 0, 0, {});
      }
  }

  ArrayRef<int64_t> shape;
  int64_t elementBytes;
  State from, to;
  std::vector<Node> nodes;
  std::map<std::string, int> known;
  using Entry = std::pair<int64_t, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
};

// Where no split fits both layouts: all devices gather everything, then slice.
void viaWhole(ArrayRef<int64_t> shape, int64_t elementBytes, const State &from, const State &to, Route &route) {
  State state = from;
  int64_t elements = elementBytes;
  for (auto [size, axes] : llvm::zip_equal(shape, state)) elements *= divideUp(size, sdy::shardedSize(axes));
  for (auto [dim, axes] : llvm::enumerate(state)) {
    if (axes.empty()) continue;
    Move move{Move::Kind::Gather, static_cast<int>(dim), 0, std::exchange(axes, {}), state};
    move.after = state;
    elements *= sdy::shardedSize(move.axes);
    route.bytes += elements;
    route.moves.push_back(move);
  }
  for (auto [dim, axes] : llvm::enumerate(to)) {
    if (axes.empty()) continue;
    state[dim] = axes;
    route.moves.push_back({Move::Kind::Slice, static_cast<int>(dim), 0, axes, state});
  }
}

// The partial results first.
class Reductions {
 public:
  Reductions(ArrayRef<int64_t> shape, int64_t elementBytes, State &state, const State &to, Axes &left, Route &route)
      : shape(shape), elementBytes(elementBytes), state(state), to(to), left(left), route(route) {}

  void run() {
    for (int dim = 0, rank = state.size(); dim < rank; ++dim)
      while (sliceNext(dim)) {
      }
    for (int dim = 0, rank = state.size(); dim < rank; ++dim)
      while (scatterNext(dim) || sliceNext(dim)) {
      }
    if (left.empty()) return;
    Axes whole;
    for (Axis axis : left) sdy::appendAxis(whole, axis);
    route.bytes += bytes();
    route.moves.push_back({Move::Kind::AllReduce, 0, 0, whole, state});
  }

 private:
  int64_t bytes() const {
    int64_t elements = elementBytes;
    for (auto [size, axes] : llvm::zip_equal(shape, state)) elements *= divideUp(size, sdy::shardedSize(axes));
    return elements;
  }
  // The part that the target has next in the dimension; nothing where the state is no beginning of the target.
  std::optional<Axis> nextOf(int dim) const {
    const Axes &have = state[dim], &want = to[dim];
    if (have.size() >= want.size() || ArrayRef<Axis>(have) != ArrayRef<Axis>(want).take_front(have.size()))
      return std::nullopt;
    return want[have.size()];
  }
  bool sliceNext(int dim) {
    std::optional<Axis> axis = nextOf(dim);
    auto has = [&](const Axes &axes) { return llvm::is_contained(axes, *axis); };
    if (!axis || has(left) || llvm::any_of(state, has)) return false;
    state[dim].push_back(*axis);
    route.moves.push_back({Move::Kind::Slice, dim, 0, {*axis}, state});
    return true;
  }
  bool scatterNext(int dim) {
    Axes axes;
    while (std::optional<Axis> axis = nextOf(dim)) {
      Axis *found = llvm::find(left, *axis);
      if (found == left.end()) break;
      axes.push_back(*axis);
      left.erase(found);
      state[dim].push_back(*axis);
    }
    if (axes.empty()) return false;
    route.bytes += bytes();
    route.moves.push_back({Move::Kind::ReduceScatter, dim, 0, axes, state});
    return true;
  }

  ArrayRef<int64_t> shape;
  int64_t elementBytes;
  State &state;
  const State &to;
  Axes &left;
  Route &route;
};

// The last axes of a dimension that become unreduced: what a device has is its part of the sum.
void spread(State &state, const Axes &made, Route &route) {
  for (int dim = 0, rank = state.size(); dim < rank; ++dim) {
    Axes axes;
    while (!state[dim].empty() && llvm::is_contained(made, state[dim].back()))
      axes.insert(axes.begin(), state[dim].pop_back_val());
    if (!axes.empty()) route.moves.push_back({Move::Kind::Spread, dim, 0, axes, state});
  }
}

// Axes of `all` that nothing in `kept` overlaps.
Axes apartFrom(const Axes &kept, const Axes &all) {
  Axes apart;
  for (Axis axis : all)
    if (!llvm::any_of(kept, [&](Axis other) { return sdy::overlap(axis, other); })) apart.push_back(axis);
  return apart;
}

}  // namespace

int64_t bytesOf(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element)) return 2 * bytesOf(complex.getElementType());
  return element.isIntOrFloat() ? divideUp(element.getIntOrFloatBitWidth(), 8) : 4;
}

Route route(ArrayRef<int64_t> shape, int64_t elementBytes, const Layout &from, const Layout &to) {
  Route route;
  State state = stateOf(from), target = stateOf(to);
  Axes left = apartFrom(to.unreduced, from.unreduced), made = apartFrom(from.unreduced, to.unreduced);
  if (!refine(state, target, left, made)) {
    state = stateOf(from), target = stateOf(to), left = apartFrom(to.unreduced, from.unreduced);
    if (!left.empty()) route.moves.push_back({Move::Kind::AllReduce, 0, 0, left, state});
    viaWhole(shape, elementBytes, state, target, route);
    return route;
  }
  if (!left.empty()) Reductions(shape, elementBytes, state, target, left, route).run();
  spread(state, made, route);
  if (state != target) Search(shape, elementBytes, state, target).run(route);
  return route;
}

// Blocks have no part in a route.
static void append(std::vector<int64_t> &key, const Layout &layout) {
  auto add = [&](const Axes &axes) {
    key.push_back(axes.size());
    for (Axis axis : axes) key.insert(key.end(), {axis.index, axis.pre, axis.size});
  };
  for (const DimLayout &dim : layout.dims) add(dim.axes);
  add(layout.unreduced);
}

int64_t RouteCosts::bytes(RankedTensorType type, const Layout &from, const Layout &to) {
  if (from == to || (from.isWhole() && to.isWhole())) return 0;
  const int64_t elementBytes = bytesOf(type.getElementType());
  std::vector<int64_t> key = type.getShape().vec();
  key.push_back(elementBytes);
  append(key, from);
  append(key, to);
  auto [entry, isNew] = known.try_emplace(std::move(key));
  if (isNew) entry->second = route(type.getShape(), elementBytes, from, to).bytes;
  return entry->second;
}

}  // namespace tpuc::shard
