// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over the vregs of a block, and what kernels share around them.
#include "dialects/kernel/function.h"
#include "dialects/stablehlo/stablehlo.h"
#include "passes/lowering/body/vector_ops.h"
#include "passes/lowering/grid/flat_nest.h"
#include "passes/lowering/kernels.h"

using namespace mlir;

namespace tpuc::lowering {

Value blockTrip(Code &c, const Domain &domain, ArrayRef<Linear> index, int64_t d) {
  const int64_t full = llvm::divideCeil(domain.block[d], domain.loopUnit(d));
  if (!domain.endsShort(d)) return c.i64(full);
  const int64_t total = llvm::divideCeil(domain.dims[d], domain.loopUnit(d));
  Value left = c.b.createOrFold<arith::SubIOp>(c.loc, c.i64(total), c.value(index[d] * full));
  return c.min(left, c.i64(full));
}

static std::optional<int64_t> constantOf(Value v) {
  APInt value;
  if (matchPattern(v, m_ConstantInt(&value))) return value.getSExtValue();
  return std::nullopt;
}

SmallVector<Value> emitNest(Code &c, const Domain &domain, ArrayRef<Linear> index, ArrayRef<int64_t> dims,
                            int64_t unroll, ValueRange carried, NestBody body, const Point *outer, bool independent,
                            const Stretch *stretch) {
  Point point;
  if (outer)
    point = *outer;
  else
    point.at.assign(domain.dims.size(), Linear(0));
  std::function<SmallVector<Value>(size_t, ValueRange)> go = [&](size_t i, ValueRange values) -> SmallVector<Value> {
    if (i == dims.size()) return body(point, values);
    int64_t d = dims[i];
    const bool isCut = stretch && stretch->dim == d;
    const Linear first(isCut ? stretch->begin : 0);
    Value trip = isCut ? c.i64(stretch->end - stretch->begin) : blockTrip(c, domain, index, d);
    auto known = constantOf(trip);
    bool innermost = i + 1 == dims.size(), marked = innermost && independent;
    int64_t factor = innermost && known ? std::min(unroll, *known) : 1;
    int64_t whole = known ? *known / factor * factor : 0;
    auto at = [&](Linear position, ValueRange in) {
      Linear saved = point.at[d];
      point.at[d] = position + first;
      SmallVector<Value> out = go(i + 1, in);
      point.at[d] = saved;
      return out;
    };
    if (factor <= 1)
      return c.loop(
          c.i64(0), trip, 1, values,
          [&](Value iv, ValueRange in) { return at(constantOf(iv) ? Linear(*constantOf(iv)) : Linear(iv), in); },
          marked);
    SmallVector<Value> v = c.loop(
        c.i64(0), c.i64(whole), factor, values,
        [&](Value iv, ValueRange in) {
          SmallVector<Value> next = llvm::to_vector(in);
          Linear base = constantOf(iv) ? Linear(*constantOf(iv)) : Linear(iv);
          for (int64_t k = 0; k < factor; ++k) next = at(base + Linear(k), next);
          return next;
        },
        marked);
    for (int64_t k = whole; k < *known; ++k) v = at(Linear(k), v);
    return v;
  };
  return go(0, carried);
}

// Points that an innermost loop has in one iteration, where the code of a point is not long by itself: the scheduler
// overlaps them.
constexpr int64_t kPointsAtOnce = 4;

bool isLong(Block &body) {
  constexpr size_t kLong = 128;  // ops: dozens of bundles, more than any latency within a kernel's body
  return kernel::lengthOf(body) > kLong;
}

// Whether a result of `which` is written over an input.
static bool replacesInput(const Space &space, ArrayRef<unsigned> which) {
  return llvm::any_of(which, [&](unsigned i) {
    return llvm::any_of(space.inputs, [&](const auto &input) { return input->region == space.results[i]->region; });
  });
}

// Writes the results at one point, of `groups` groups of rows. Packing takes as many groups as a vreg holds: any value
// serves as padding.
static void storeResults(Body &body, Space &space, ValueRange yielded, ArrayRef<unsigned> which, bool rows,
                         const Point &at) {
  const int64_t groups = rows ? space.domain.groups() : 1;
  auto valuesOf = [&](unsigned i) {
    SmallVector<Value> values;
    const DimMap map = space.mapOf(yielded[i]);
    for (int64_t sub = 0; sub < groups; ++sub) {
      Point p = at;
      p.sub = sub;
      values.push_back(body.evaluate(yielded[i], map, p));
    }
    return values;
  };
  // All that the point needs of an input is read before that is written over.
  if (replacesInput(space, which))
    for (unsigned i : which) valuesOf(i);
  for (unsigned i : which) {
    SmallVector<Value> values = valuesOf(i);
    ArrayBlock &block = *space.results[i];
    if (rows) values.resize(llvm::alignTo(values.size(), block.array.pack), values.front());
    block.map = space.mapOf(yielded[i]);
    body.store(block, values, at);
  }
  body.nextPoint();
}

void emitResults(Code &c, Body &body, Space &space, ValueRange yielded, ArrayRef<unsigned> which,
                 ArrayRef<int64_t> dims) {
  const Domain &domain = space.domain;
  bool rows = llvm::is_contained(dims, domain.r());
  bool independent = llvm::all_of(
      which, [&](unsigned i) { return storesWholeWords(*space.results[i], space.mapOf(yielded[i]), domain); });
  auto emit = [&](const Point &at) { storeResults(body, space, yielded, which, rows, at); };
  const int64_t unroll = isLong(*yielded.front().getParentBlock()) ? 1 : kPointsAtOnce;
  auto walk = [&](const Stretch *stretch) {
    if (independent && emitFlatNest(c, domain, body.tripIndex, dims, unroll, emit, stretch)) return;
    // A dim of one position is no loop.
    Point outer;
    outer.at.assign(domain.dims.size(), Linear(0));
    SmallVector<int64_t> walked(dims);
    if (stretch && stretch->end - stretch->begin == 1) {
      outer.at[stretch->dim] = stretch->begin;
      llvm::erase(walked, stretch->dim);
    }
    emitNest(
        c, domain, body.tripIndex, walked, rows && domain.pack > 1 ? llvm::divideCeil(unroll, 2) : unroll, {},
        [&](const Point &at, ValueRange) {
          emit(at);
          return SmallVector<Value>();
        },
        &outer, independent, stretch);
  };
  const SmallVector<Value> values = llvm::map_to_vector(which, [&](unsigned i) { return Value(yielded[i]); });
  const SmallVector<Stretch> stretches = stretchesOf(body, space, values, dims);
  for (const Stretch &stretch : stretches) {
    body.stretches[stretch.dim] = indicesOf(domain, stretch);
    walk(&stretch);
  }
  if (stretches.empty()) return walk(nullptr);
  body.stretches.clear();
}

void storeThrough(Body &body, Space &space, Value root, ArrayRef<Value> groups, ValueRange yielded,
                  const Point &point) {
  Type type = getElementTypeOrSelf(root.getType());
  bool narrow = mlir::isa<FloatType>(type) && !type.isF32();
  SmallVector<Value> rounded(groups.size());
  body.providers[root] = [&](const Point &at) {
    if (!rounded[at.sub]) rounded[at.sub] = narrow ? normalise(body.code, type, groups[at.sub]) : groups[at.sub];
    return rounded[at.sub];
  };
  for (auto [i, v] : llvm::enumerate(yielded)) {
    SmallVector<Value> values;
    DimMap map = space.mapOf(v);
    for (size_t sub = 0; sub < groups.size(); ++sub) {
      Point p = point;
      p.sub = sub;
      // Packing rounds by itself.
      values.push_back(v == root ? groups[sub] : body.evaluate(v, map, p));
    }
    ArrayBlock &block = *space.results[i];
    block.map = map;
    body.store(block, values, point);
  }
  body.providers.erase(root);
  body.nextPoint();
}

}  // namespace tpuc::lowering
