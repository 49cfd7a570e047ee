//===- window.cpp - any range of a sharded dimension on each device -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Of each device's range the part that exists lies in the blocks of some sources.
// 2. A way to fetch it is a list of steps, each with a source a device: either by distance (the block d places on, for
//    all devices alike) or by order (the first block of the range, the second, ..), where no source is asked twice in
//    a step. Of the first and the last step only the rows that some device needs are sent.
// 3. The cheaper way, or a gather of all blocks, gives a buffer; each device cuts its range out of it.
//===-----------------------------------------------------------------------------===//
#include "passes/shard/partition/window.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

struct Range {
  int64_t low, high;  // of the elements that exist; empty where nothing does
  bool empty() const { return low >= high; }
};

struct Step {
  int64_t low = 0, high = 0;  // rows of a block that are fetched
  Emitter::Pairs pairs;       // from part to part
  bool local() const {
    return llvm::all_of(pairs, [](auto pair) { return pair.first == pair.second; });
  }
};

struct Way {
  bool possible = true;
  std::vector<Step> steps;
  SmallVector<int64_t> base;  // of each part: where its buffer begins
  int64_t received() const {
    int64_t rows = 0;
    for (const Step &step : steps)
      if (!step.local()) rows += step.high - step.low;
    return rows;
  }
};

int64_t floorDivide(int64_t a, int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

class Planner {
 public:
  Planner(const DimLayout &source, int64_t size, const Window &wanted) : block(source.block), parts(wanted.parts()) {
    for (int64_t i = 0; i < parts; ++i) {
      int64_t start = wanted.start(i);
      ranges.push_back({std::clamp<int64_t>(start, 0, size), std::clamp<int64_t>(start + wanted.length, 0, size)});
      starts.push_back(start);
    }
  }

  bool nothing() const {
    return llvm::all_of(ranges, [](Range range) { return range.empty(); });
  }
  Range range(int64_t part) const { return ranges[part]; }
  int64_t start(int64_t part) const { return starts[part]; }

  Way byDistance() const {
    int64_t low = std::numeric_limits<int64_t>::max(), high = std::numeric_limits<int64_t>::min();
    for (int64_t i = 0; i < parts; ++i) {
      if (ranges[i].empty()) continue;
      low = std::min(low, ranges[i].low / block - i);
      high = std::max(high, (ranges[i].high - 1) / block - i);
    }
    SmallVector<int64_t> first;
    for (int64_t i = 0; i < parts; ++i) first.push_back(i + low);
    return fetch(first, high - low + 1);
  }

  Way byOrder() const {
    SmallVector<int64_t> first;
    int64_t count = 1;
    for (int64_t i = 0; i < parts; ++i) {
      first.push_back(floorDivide(starts[i], block));
      if (!ranges[i].empty()) count = std::max(count, (ranges[i].high - 1) / block - first.back() + 1);
    }
    return fetch(first, count);
  }

 private:
  // Step t gives part i the block first[i] + t.
  Way fetch(ArrayRef<int64_t> first, int64_t count) const {
    Way way;
    for (int64_t t = 0; t < count; ++t) {
      Step step{block, 0, {}};
      DenseSet<int64_t> asked;
      for (int64_t i = 0; i < parts; ++i) {
        int64_t source = first[i] + t, low = std::max(ranges[i].low - source * block, int64_t{0}),
                high = std::min(ranges[i].high - source * block, block);
        if (ranges[i].empty() || low >= high) continue;
        step.low = std::min(step.low, low);
        step.high = std::max(step.high, high);
        step.pairs.push_back({source, i});
        way.possible &= asked.insert(source).second;
      }
      // Steps between the first and the last are whole, so that rows follow each other.
      if (t > 0) step.low = 0;
      if (t + 1 < count) step.high = block;
      if (step.high <= step.low) step.low = step.high = 0;
      way.steps.push_back(step);
    }
    for (int64_t i = 0; i < parts; ++i) way.base.push_back(first[i] * block + way.steps.front().low);
    return way;
  }

  int64_t block, parts;
  SmallVector<Range> ranges;
  SmallVector<int64_t> starts;
};

Way cheapest(const Planner &planner) {
  Way distance = planner.byDistance(), order = planner.byOrder();
  return order.possible && order.received() < distance.received() ? order : distance;
}

}  // namespace

Emitter::Pairs onMesh(const Mesh *mesh, ArrayRef<Axis> axes, const Emitter::Pairs &parts) {
  Places places(mesh->attr);
  llvm::DenseMap<std::pair<int64_t, int64_t>, int64_t> at;  // (the position of index 0, index)
  auto first = [&](int64_t position) {
    int64_t result = position;
    for (Axis axis : axes) result -= position / places.stride(axis) % axis.size * places.stride(axis);
    return result;
  };
  for (int64_t position = 0; position < places.count(); ++position)
    at[{first(position), places.index(position, axes)}] = position;
  Emitter::Pairs pairs;
  for (auto &[key, position] : at)
    for (auto [source, target] : parts)
      if (key.second == source) pairs.push_back({position, at.lookup({key.first, target})});
  llvm::sort(pairs);
  return pairs;
}

namespace {

Value fetch(Emitter &emit, Value value, int64_t dim, const Window &wanted, const Way &way) {
  SmallVector<Value> rows;
  for (const Step &step : way.steps) {
    if (step.high == step.low) continue;
    Value part = emit.slice(value, dim, step.low, step.high);
    rows.push_back(step.local() ? part : emit.permute(part, wanted.mesh, onMesh(wanted.mesh, wanted.axes, step.pairs)));
  }
  return emit.concatenate(rows, dim);
}

// Each device's range of a buffer that begins at base(i).
Value cut(Emitter &emit, Value buffer, int64_t dim, const Window &wanted, const Planner &planner,
          llvm::function_ref<int64_t(int64_t)> base) {
  int64_t rows = typeOf(buffer).getDimSize(dim), low = 0, high = 0;
  for (int64_t i = 0; i < wanted.parts(); ++i) {
    if (planner.range(i).empty()) continue;
    int64_t offset = planner.start(i) - base(i);
    low = std::max(low, -offset);
    high = std::max(high, offset + wanted.length - rows);
  }
  // A device whose range does not exist may have any rows.
  high = std::max(high, wanted.length - rows - low);
  buffer = emit.pad(buffer, dim, low, high);
  auto offsetOf = [&](int64_t i) { return planner.start(i) - base(i) + low; };
  bool same = true;
  std::optional<int64_t> common;
  for (int64_t i = 0; i < wanted.parts(); ++i) {
    if (planner.range(i).empty()) continue;
    same &= !common || *common == offsetOf(i);
    common = offsetOf(i);
  }
  if (same) return emit.slice(buffer, dim, common.value_or(0), common.value_or(0) + wanted.length);
  return emit.dynamicSlice(buffer, dim, emit.perIndex(wanted.mesh, wanted.axes, offsetOf), wanted.length);
}

RankedTensorType withSize(Value value, int64_t dim, int64_t size) {
  SmallVector<int64_t> shape(typeOf(value).getShape());
  shape[dim] = size;
  return typeOf(value).clone(shape);
}

}  // namespace

int64_t receivedBy(const DimLayout &source, int64_t size, const Window &wanted) {
  if (source.axes.empty()) return 0;
  Planner planner(source, size, wanted);
  if (planner.nothing()) return 0;
  return std::min(cheapest(planner).received(), source.parts() * source.block);
}

Value window(Emitter &emit, Value value, int64_t dim, const DimLayout &source, int64_t size, const Window &wanted) {
  Planner planner(source, size, wanted);
  if (planner.nothing() || wanted.length == 0) return emit.zeros(withSize(value, dim, wanted.length));
  if (source.axes.empty()) return cut(emit, value, dim, wanted, planner, [](int64_t) { return 0; });
  Way way = cheapest(planner);
  if (way.received() >= source.parts() * source.block) {
    Value all = emit.allGather(value, dim, wanted.mesh, source.axes);
    return cut(emit, all, dim, wanted, planner, [](int64_t) { return 0; });
  }
  Value buffer = fetch(emit, value, dim, wanted, way);
  return cut(emit, buffer, dim, wanted, planner, [&](int64_t i) { return way.base[i]; });
}

// Whether some device's range reaches past the elements.
static bool reachesOut(const Window &wanted, int64_t extent) {
  for (int64_t i = 0; i < wanted.parts(); ++i)
    if (wanted.start(i) < 0 || wanted.start(i) + wanted.length > extent) return true;
  return false;
}

Value dilatedWindow(Emitter &emit, Value value, int64_t dim, const DimLayout &source, int64_t size, int64_t dilation,
                    const Window &wanted, Value fill) {
  int64_t extent = size == 0 ? 0 : (size - 1) * dilation + 1;
  Value result;
  if (dilation == 1) {
    result = window(emit, value, dim, source, size, wanted);
  } else {
    // The elements from the last one at or before the start, spread out, then cut.
    auto firstOf = [&](int64_t i) { return floorDivide(wanted.start(i), dilation); };
    Window elements{wanted.mesh, wanted.axes, firstOf, divideUp(wanted.length, dilation) + 1};
    Value dense = window(emit, value, dim, source, size, elements);
    Value spread = emit.pad(dense, dim, 0, dilation - 1, dilation - 1, fill);
    Value offset =
        emit.perIndex(wanted.mesh, wanted.axes, [&](int64_t i) { return wanted.start(i) - firstOf(i) * dilation; });
    result = emit.dynamicSlice(spread, dim, offset, wanted.length);
  }
  if (!fill || !reachesOut(wanted, extent)) return result;
  Value start = emit.perIndex(wanted.mesh, wanted.axes, wanted.start);
  return emit.keepRange(result, dim, start, 0, extent, fill);
}

Value reblock(Emitter &emit, Value value, int64_t dim, const Mesh *mesh, DimLayout &layout, int64_t size,
              int64_t block) {
  if (layout.block == block) return value;
  Window wanted{mesh, layout.axes, [=](int64_t i) { return i * block; }, block};
  if (layout.axes.empty())  // whole: more or less padding
    value = block < layout.block ? emit.slice(value, dim, 0, block) : emit.pad(value, dim, 0, block - layout.block);
  else
    value = window(emit, value, dim, layout, size, wanted);
  layout.block = block;
  return value;
}

}  // namespace tpuc::shard
