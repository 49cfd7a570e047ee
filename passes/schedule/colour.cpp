// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear scan over live ranges with holes (Traub, Holloway and Smith 1998; Wimmer and Moessenboeck 2005), without
// splitting: a register keeps one colour for life.
//
//   1. Bundle g reads at 2g and writes at 2g + 1; each register's live ranges are collected from the last bundle to the
//      first, block by block, with what is live at the blocks' borders.
//   2. Registers take a colour whose ranges so far leave theirs free: in the order of their first range; if that fails,
//      the ones with several ranges (alive around a loop, with a hole in it) go first, then the longest.
//   3. Simple ranges take the colours in turn, so that code rescheduled afterwards has few false dependences.
#include "passes/schedule/colour.h"

#include <algorithm>

namespace tpuc::schedule {
namespace {

struct Range {
  int from, to;  // half open
};

struct Interval {
  Reg reg;
  std::vector<Range> ranges;  // ascending
  int64_t length = 0;
};

class RangeBuilder {
 public:
  RangeBuilder(const Flow &flow, const Liveness &liveness)
      : flow_(flow), live_(liveness), end_(flow.regs.size(), -1), intervals_(flow.regs.size()) {}

  std::vector<Interval> run() {
    int position = 0;
    for (const Block &block : flow_.blocks) position += block.numBundles();
    for (int b = static_cast<int>(flow_.blocks.size()) - 1; b >= 0; --b) position = block(b, position);
    std::vector<Interval> result;
    for (size_t r = 0; r < intervals_.size(); ++r) {
      Interval &interval = intervals_[r];
      if (interval.ranges.empty()) continue;
      interval.reg = static_cast<Reg>(r);
      std::reverse(interval.ranges.begin(), interval.ranges.end());
      for (const Range &range : interval.ranges) interval.length += range.to - range.from;
      result.push_back(std::move(interval));
    }
    return result;
  }

 private:
  // Ranges come in descending order; touching ones merge.
  void add(Reg r, int from, int to) {
    if (from >= to) return;
    auto &ranges = intervals_[r].ranges;
    if (!ranges.empty() && ranges.back().from <= to)
      ranges.back().from = from;
    else
      ranges.push_back({from, to});
  }

  int block(int b, int position) {
    const Block &block = flow_.blocks[b];
    live_.out[b].forEach([&](Reg r) { end_[r] = 2 * position; });
    for (int k = block.numBundles() - 1; k >= 0; --k) {
      --position;
      for (int i = block.begin(k); i < block.end(k); ++i)
        if (Reg d = block.insts[i].dst; d >= 0) {
          add(d, 2 * position + 1, std::max(end_[d], 2 * position + 2));
          end_[d] = -1;
        }
      for (int i = block.begin(k); i < block.end(k); ++i)
        forEachUse(block.insts[i], [&](Reg r) {
          if (end_[r] < 0) end_[r] = 2 * position + 1;
        });
    }
    live_.in[b].forEach([&](Reg r) {
      add(r, 2 * position, end_[r]);
      end_[r] = -1;
    });
    return position;
  }

  const Flow &flow_;
  const Liveness &live_;
  std::vector<int> end_;  // of the open range, -1: not live
  std::vector<Interval> intervals_;
};

// The ranges that each colour of one kind is taken for.
class Palette {
 public:
  explicit Palette(int count) : taken_(count) {}

  // A colour that is free in all of the interval's ranges; -1: none is. `simple`: colours in turn, else the lowest.
  int find(const Interval &interval, bool simple) {
    int count = static_cast<int>(taken_.size());
    for (int i = 0; i < count; ++i) {
      int c = simple ? (next_ + i) % count : i;
      if (!fits(taken_[c], interval.ranges)) continue;
      if (simple) next_ = (c + 1) % count;
      return c;
    }
    return -1;
  }

  void take(int c, const Interval &interval) {
    auto &taken = taken_[c];
    for (const Range &range : interval.ranges) taken.insert(after(taken, range.from), range);
  }

 private:
  static std::vector<Range>::iterator after(std::vector<Range> &taken, int position) {
    if (taken.empty() || taken.back().from < position) return taken.end();
    return std::lower_bound(taken.begin(), taken.end(), position, [](const Range &r, int p) { return r.from < p; });
  }
  static bool fits(std::vector<Range> &taken, const std::vector<Range> &ranges) {
    if (taken.empty() || taken.back().to <= ranges.front().from) return true;
    for (const Range &range : ranges) {
      auto it = after(taken, range.from);
      if (it != taken.end() && it->from < range.to) return false;
      if (it != taken.begin() && (it - 1)->to > range.from) return false;
    }
    return true;
  }

  std::vector<std::vector<Range>> taken_;
  int next_ = 0;
};

enum class Order { ByStart, HolesFirst, LongestFirst };

bool colourKind(const Flow &flow, std::vector<const Interval *> intervals, int limit, Order order,
                std::vector<int> &physical) {
  auto start = [](const Interval *i) { return i->ranges.front().from; };
  std::sort(intervals.begin(), intervals.end(), [&](const Interval *a, const Interval *b) {
    bool ha = a->ranges.size() > 1, hb = b->ranges.size() > 1;
    if (order == Order::HolesFirst && ha != hb) return ha;
    if (order == Order::LongestFirst && a->length != b->length) return a->length > b->length;
    return start(a) != start(b) ? start(a) < start(b) : a->reg < b->reg;
  });
  Palette palette(limit);
  auto fixed = [&](Reg r) { return r == flow.gridStart || r == flow.gridCount; };
  for (const Interval *i : intervals)
    if (fixed(i->reg)) palette.take(physical[i->reg] = i->reg == flow.gridStart ? 0 : 1, *i);
  for (const Interval *i : intervals) {
    if (fixed(i->reg)) continue;
    int c = palette.find(*i, order == Order::ByStart && i->ranges.size() == 1);
    if (c < 0) return false;
    palette.take(c, *i);
    physical[i->reg] = c;
  }
  return true;
}

}  // namespace

bool colour(const Flow &flow, const Liveness &liveness, const ClassCounts &limits, std::vector<int> &physical,
            std::vector<int> &failed) {
  physical.assign(flow.regs.size(), kNone);
  failed.clear();
  std::vector<Interval> intervals = RangeBuilder(flow, liveness).run();
  for (int c = 0; c < 3; ++c) {
    std::vector<const Interval *> ofKind;
    for (const Interval &i : intervals)
      if (flow.regs[i.reg] == kKinds[c]) ofKind.push_back(&i);
    bool done = false;
    for (Order order : {Order::ByStart, Order::HolesFirst, Order::LongestFirst})
      if ((done = colourKind(flow, ofKind, limits[c], order, physical))) break;
    if (!done) failed.push_back(c);
  }
  return failed.empty();
}

}  // namespace tpuc::schedule
