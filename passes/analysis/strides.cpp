// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reshapes as nested strides.
#include "passes/analysis/strides.h"

#include <memory>
#include <numeric>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/IR/BuiltinTypes.h"
#include "runtime/isa/isa.h"

using namespace mlir;

namespace tpuc::analysis {

// Where two tilings are out of step, what they cut repeats after a few pieces.
static constexpr size_t kLongestPeriod = 16;

// Each item goes with those that come `period`, 2 * `period` ... after it while all have their form and distance.
static SmallVector<Segment> join(ArrayRef<Segment> items, size_t period) {
  // How far from the item one period earlier; none if it has another form.
  auto distance = [&](size_t i) -> std::optional<std::pair<int64_t, int64_t>> {
    if (i >= items.size() || items[i].dims != items[i - period].dims) return std::nullopt;
    return std::pair(items[i].src - items[i - period].src, items[i].dst - items[i - period].dst);
  };
  SmallVector<Segment> joined;
  for (size_t i = 0; i < items.size();) {
    size_t n = 1;
    auto continues = [&](size_t k) {
      auto now = distance(i + n * period + k);
      return now && (n == 1 || now == distance(i + (n - 1) * period + k));
    };
    while (llvm::all_of(llvm::seq(period), continues)) ++n;
    // Two of a long period may be better off with others.
    if (n == 1 || (period > 1 && n == 2)) {
      joined.push_back(items[i++]);
      continue;
    }
    for (size_t k = 0; k < period; ++k) {
      auto [src, dst] = *distance(i + period + k);
      joined.push_back(items[i + k]);
      joined.back().dims.push_back({static_cast<int64_t>(n), src, dst});
    }
    i += n * period;
  }
  return joined;
}

namespace {

// The first level: runs straight from the positions, so that long dims never stand element by element.
class Runs {
 public:
  explicit Runs(const CopyGroup &group) : group_(group) {}

  // The run from position `i` on; positions a period apart that continue it twice do so to the end.
  Segment next(int64_t i) const {
    auto [s, d] = group_.offsets(i);
    Segment run{s, d, {}};
    if (i + 1 == group_.count) return run;
    auto [ps, pd] = group_.offsets(i + 1);
    const int64_t ds = ps - s, dd = pd - d;
    int64_t n = 2;
    for (; i + n < group_.count; ++n) {
      if (group_.period && n > 2 * group_.period) {
        n = group_.count - i;
        break;
      }
      auto [sn, dn] = group_.offsets(i + n);
      if (sn - ps != ds || dn - pd != dd) break;
      ps = sn;
      pd = dn;
    }
    run.dims.push_back({n, ds, dd});
    return run;
  }

  SmallVector<Segment> from(int64_t i, int64_t end) const {
    SmallVector<Segment> runs;
    while (i < end) {
      runs.push_back(next(i));
      i += lengthOf(runs.back());
    }
    return runs;
  }

  static int64_t lengthOf(const Segment &run) { return run.dims.empty() ? 1 : run.dims[0].count; }

 private:
  const CopyGroup &group_;
};

SmallVector<Segment> joinAll(SmallVector<Segment> items) {
  for (size_t period = 1; period <= kLongestPeriod && items.size() > period;) {
    size_t before = items.size();
    items = join(items, period);
    period = items.size() < before ? 1 : period + 1;
  }
  return items;
}

// Where runs begin at the same place of a period as some before them, all that follow repeat those between: these once,
// and how often. Nullopt where that is seldom.
std::optional<SmallVector<Segment>> repeated(const CopyGroup &group) {
  constexpr int64_t kManyPeriods = 4096;
  if (!group.period || group.count / kManyPeriods < group.period) return std::nullopt;
  Runs runs(group);
  SmallVector<Segment> before;
  llvm::SmallDenseMap<int64_t, int64_t> seen;  // place in a period -> position
  int64_t at = 0;
  for (; at < group.count && seen.try_emplace(at % group.period, at).second; at += Runs::lengthOf(before.back()))
    before.push_back(runs.next(at));
  if (at >= group.count) return joinAll(before);
  const int64_t first = seen[at % group.period], cycle = at - first, times = (group.count - first) / cycle;
  SmallVector<Segment> once = joinAll(runs.from(first, at));
  const auto [s0, d0] = group.offsets(first);
  const auto [s1, d1] = group.offsets(at);
  for (Segment &segment : once) segment.dims.push_back({times, s1 - s0, d1 - d0});
  SmallVector<Segment> all = joinAll(runs.from(0, first)),
                       after = joinAll(runs.from(first + times * cycle, group.count));
  all.append(once);
  all.append(after);
  return all;
}

}  // namespace

SmallVector<Segment> compress(const CopyGroup &group) {
  if (auto few = repeated(group)) return *few;
  return joinAll(Runs(group).from(0, group.count));
}

Packing Packing::of(Type element) {
  unsigned bits = mlir::isa<ComplexType>(element) ? 32
                  : element.isInteger(1)          ? 8
                                                  : std::min(32u, element.getIntOrFloatBitWidth());
  return {static_cast<int64_t>(32 / llvm::PowerOf2Ceil(bits)), std::max(bits / 8, 1u)};  // six bits take a byte
}

Tiles::Tiles(RankedTensorType type, ArrayRef<int64_t> order) : shape(type.getShape()), order(order) {
  auto [elements, size] = Packing::of(type.getElementType());
  pack = elements;
  bytes = size;
}

std::optional<int64_t> Tiles::stride(int64_t dim) const {
  int64_t rank = shape.size(), phys = llvm::find(order, dim) - order.begin();
  if (rank < 2) return pack == 1 ? std::optional(bytes) : std::nullopt;
  if (phys >= rank - 2) return std::nullopt;
  int64_t stride = llvm::divideCeil(shape[order[rank - 2]], 8 * pack) * llvm::divideCeil(shape[order[rank - 1]], 128) *
                   isa::kVregBytes;
  for (int64_t p = rank - 3; p > phys; --p) stride *= shape[order[p]];
  return stride;
}

int64_t Tiles::offset(int64_t dim, int64_t i) const {
  constexpr int64_t wordBytes = isa::kVregBytes / 8;
  if (auto s = stride(dim)) return *s * i;
  int64_t rank = shape.size();
  auto inWord = [&](int64_t row) { return row / pack * wordBytes + row % pack * bytes; };
  if (rank < 2) return inWord(i / 128) + i % 128 * 4;
  if (order[rank - 1] == dim) return i / 128 * isa::kVregBytes + i % 128 * 4;
  return i / (8 * pack) * llvm::divideCeil(shape[order[rank - 1]], 128) * isa::kVregBytes + inWord(i % (8 * pack));
}

int64_t Tiles::period(int64_t dim) const {
  if (stride(dim)) return 1;
  return shape.size() < 2 ? 128 * pack : order.back() == dim ? 128 : 8 * pack;
}

namespace {

// A run of dims of one side.
struct Dims {
  std::shared_ptr<const Tiles> tiles;
  int64_t from, to;

  int64_t count() const {
    int64_t n = 1;
    for (int64_t d = from; d < to; ++d) n *= tiles->shape[d];
    return n;
  }
  int64_t offset(int64_t i) const {
    int64_t bytes = 0;
    for (int64_t d = to - 1; d >= from; --d) {
      bytes += tiles->offset(d, i % tiles->shape[d]);
      i /= tiles->shape[d];
    }
    return bytes;
  }
  int64_t period() const { return from == to ? 1 : count() / tiles->shape[from] * tiles->period(from); }
  std::optional<int64_t> stride() const { return to - from == 1 ? tiles->stride(from) : std::nullopt; }
};

void addGroups(const Dims &src, const Dims &dst, SmallVector<CopyGroup> &groups) {
  auto s = src.stride(), d = dst.stride();
  if (!s && !d) {
    groups.push_back({src.count(), [=](int64_t i) { return std::pair(src.offset(i), dst.offset(i)); },
                      std::lcm(src.period(), dst.period())});
    return;
  }
  const Dims &many = s ? dst : src;
  int64_t step = s ? *s : *d;
  for (int64_t dim = many.to - 1; dim >= many.from; --dim) {
    groups.push_back({many.tiles->shape[dim],
                      [tiles = many.tiles, dim, step, turned = s.has_value()](int64_t i) {
                        int64_t there = tiles->offset(dim, i);
                        return turned ? std::pair(step * i, there) : std::pair(there, step * i);
                      },
                      many.tiles->period(dim)});
    step *= many.tiles->shape[dim];
  }
}

}  // namespace

SmallVector<CopyGroup> reshapeGroups(const Tiles &src, const Tiles &dst) {
  auto from = std::make_shared<const Tiles>(src), to = std::make_shared<const Tiles>(dst);
  SmallVector<CopyGroup> groups;
  int64_t a = 0, b = 0, ra = src.shape.size(), rb = dst.shape.size();
  while (a < ra || b < rb) {
    int64_t a0 = a, b0 = b, pa = 1, pb = 1;
    if (a < ra) pa = src.shape[a++];
    if (b < rb) pb = dst.shape[b++];
    while (pa != pb) {
      if (pa < pb && a < ra)
        pa *= src.shape[a++];
      else if (b < rb)
        pb *= dst.shape[b++];
      else
        break;
    }
    addGroups({from, a0, a}, {to, b0, b}, groups);
  }
  return groups;
}

}  // namespace tpuc::analysis
