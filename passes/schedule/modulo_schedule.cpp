// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterative modulo scheduling (Rau, "Iterative modulo scheduling", MICRO 1994), then shorter lifetimes (the aim of
// Llosa, "Swing modulo scheduling", PACT 1996), then modulo variable expansion (Lam, PLDI 1988).
//
//   1. The priority of an instruction is its height: the longest path to any other, an edge over d iterations being
//      d intervals shorter.
//   2. The highest instruction takes the first time within one interval from its earliest one at which its units are
//      free; if there is none, it takes the earliest new time and what is in the way is scheduled again. After 10 n
//      steps without an end the interval grows.
//   3. Where that needs too many registers, it is tried again with the instructions in depth-first order as priorities:
//      chains one after the other instead of side by side.
//   4. With all times known, instructions that begin more values than they end move as late as they can, the others
//      early.
//   5. A value that lives longer than the interval needs several registers in turn; the kernel is unrolled accordingly.
//      Where the unrolling or the registers are too many, the interval grows.
#include "passes/schedule/modulo_schedule.h"

#include <algorithm>
#include <queue>

namespace tpuc::schedule {
namespace {

constexpr int kUnscheduled = -1;
constexpr int64_t kShortRun = 32;  // iterations
constexpr int kLonger = 4;

class Attempt {
 public:
  Attempt(const LoopBody &body, const Resources &resources, int ii)
      : body_(body),
        graph_(body.graph),
        resources_(resources),
        ii_(ii),
        table_(resources, ii),
        time_(graph_.size, kUnscheduled),
        previous_(graph_.size, kUnscheduled) {
    for (const MInst &inst : body.insts) demands_.push_back(resources.demand(inst));
    sources_.resize(graph_.size);
    for (int i = 0; i < graph_.size; ++i)
      for (const LoopBody::Use &use : body.uses[i]) sources_[use.node].push_back({i, use.distance});
  }

  // `order`: the instructions in this order, spread over the interval, instead of by height; empty: by height.
  bool run(const std::vector<int> &order) {
    computeHeights();
    notBefore_.assign(graph_.size, 0);
    for (size_t i = 0; i < order.size(); ++i) {
      height_[i] = -order[i];
      notBefore_[i] = static_cast<int>(int64_t{order[i]} * ii_ / graph_.size);
    }
    auto lower = [&](int a, int b) { return height_[a] != height_[b] ? height_[a] < height_[b] : a > b; };
    std::priority_queue<int, std::vector<int>, decltype(lower)> queue(lower);
    for (int i = 0; i < graph_.size; ++i) queue.push(i);
    for (int64_t budget = 10 * graph_.size + 16; !queue.empty(); --budget) {
      if (budget == 0) return false;
      int node = queue.top();
      queue.pop();
      if (!schedule(node)) return false;
      for (int evicted : evicted_) queue.push(evicted);
      evicted_.clear();
    }
    for (int round = 0; round < 4; ++round) shortenLifetimes();
    int first = *std::min_element(time_.begin(), time_.end());
    for (int &t : time_) t -= first;
    return true;
  }

  const std::vector<int> &time() const { return time_; }

 private:
  void computeHeights() {
    height_.assign(graph_.size, 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (auto e = graph_.edges.rbegin(); e != graph_.edges.rend(); ++e) {
        int64_t h = height_[e->to] + e->latency - int64_t{ii_} * e->distance;
        if (h <= height_[e->from]) continue;
        height_[e->from] = h;
        changed = true;
      }
    }
  }

  int earliest(int node) const {
    int64_t t = notBefore_[node];
    for (int e : graph_.in(node)) {
      const Edge &edge = graph_.edges[e];
      if (edge.from != node && time_[edge.from] != kUnscheduled)
        t = std::max<int64_t>(t, time_[edge.from] + edge.latency - int64_t{ii_} * edge.distance);
    }
    return static_cast<int>(t);
  }
  int latest(int node, int end) const {
    int64_t t = end;
    for (int e : graph_.out(node)) {
      const Edge &edge = graph_.edges[e];
      if (edge.to != node) t = std::min<int64_t>(t, time_[edge.to] - edge.latency + int64_t{ii_} * edge.distance);
    }
    return static_cast<int>(t);
  }

  bool schedule(int node) {
    const Demand &d = demands_[node];
    if (d.cycles > ii_ * resources_.limit(d.cls)) return false;
    int from = earliest(node), at = kUnscheduled;
    for (int t = from; t < from + ii_ && at == kUnscheduled; ++t)
      if (table_.fits(d, t)) at = t;
    if (at == kUnscheduled) {
      at = previous_[node] == kUnscheduled || from > previous_[node] ? from : previous_[node] + 1;
      makeRoom(d, at);
    }
    table_.take(d, at);
    time_[node] = previous_[node] = at;
    for (int e : graph_.out(node)) {
      const Edge &edge = graph_.edges[e];
      if (edge.to != node && time_[edge.to] != kUnscheduled &&
          time_[edge.to] + int64_t{ii_} * edge.distance < at + int64_t{edge.latency})
        evict(edge.to);
    }
    return true;
  }

  void evict(int node) {
    table_.give(demands_[node], time_[node]);
    time_[node] = kUnscheduled;
    evicted_.push_back(node);
  }

  void makeRoom(const Demand &d, int at) {
    for (int pass = 0; pass < 2; ++pass)  // first those in the way for certain, then whatever shares a unit
      for (int i = 0; i < graph_.size && !table_.fits(d, at); ++i) {
        if (time_[i] == kUnscheduled) continue;
        const Demand &o = demands_[i];
        bool sameUnit = o.cls == d.cls && (pass == 1 || overlap(o, time_[i], d, at));
        bool sameSlot =
            (o.shared >= 0 && (o.shared == d.cls || o.shared == d.shared)) || (d.shared >= 0 && o.cls == d.shared);
        if (sameUnit || (sameSlot && (pass == 1 || time_[i] % ii_ == at % ii_))) evict(i);
      }
  }
  bool overlap(const Demand &a, int ta, const Demand &b, int tb) const {
    if (a.cycles >= ii_ || b.cycles >= ii_) return true;
    int delta = ((tb - ta) % ii_ + ii_) % ii_;
    return delta < a.cycles || ii_ - delta < b.cycles;
  }

  // Vregs and masks that an instruction begins, less those that it is the last reader of; a mask counts as much as four
  // vregs, as there are four times fewer.
  int balance(int node) const {
    auto weight = [&](int i) {
      RegKind kind = isa::info(body_.insts[i].op).result;
      return kind == RegKind::V ? 1 : kind == RegKind::M ? isa::kNumVregs / isa::kNumMasks : 0;
    };
    int b = weight(node);
    for (const LoopBody::Use &source : sources_[node]) {  // node: the one that assigns it
      int mine = time_[node] + source.distance * ii_;
      bool last = true;
      for (const LoopBody::Use &use : body_.uses[source.node]) last &= time_[use.node] + use.distance * ii_ <= mine;
      if (last) b -= weight(source.node);
    }
    return b;
  }

  // Moves nodes late, from the last to the first, so that whole chains follow what they lead to; then those early that
  // gather several values.
  void shortenLifetimes() {
    std::vector<int> order(graph_.size);
    for (int i = 0; i < graph_.size; ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return time_[a] < time_[b]; });
    int end = time_[order.back()];
    for (int i = graph_.size - 1; i >= 0; --i)
      if (body_.step[order[i]] == 0 && !graph_.out(order[i]).empty() && balance(order[i]) >= 0)
        move(order[i], latest(order[i], end), -1);
    for (int i = 0; i < graph_.size; ++i)
      if (balance(order[i]) < 0) move(order[i], earliest(order[i]), 1);
  }

  // Moves `node` to the first free time on the way from `from` to the present one.
  void move(int node, int from, int direction) {
    int present = time_[node];
    if ((present - from) * direction <= 0) return;
    if ((present - from) * direction > 4 * ii_) from = present - 4 * ii_ * direction;
    table_.give(demands_[node], present);
    int t = from;
    while (t != present && !table_.fits(demands_[node], t)) t += direction;
    time_[node] = t;
    table_.take(demands_[node], t);
  }

  const LoopBody &body_;
  const Graph &graph_;
  const Resources &resources_;
  int ii_;
  ModuloTable table_;
  std::vector<int> time_, previous_, notBefore_;
  std::vector<int64_t> height_;
  std::vector<Demand> demands_;
  std::vector<int> evicted_;
  std::vector<std::vector<LoopBody::Use>> sources_;  // by reader
};

// ---- modulo variable expansion --------------------------------------------------------------------------------------

int roundUpToDivisor(int q, int unroll) {
  while (unroll % q != 0) ++q;
  return q;
}

// Sets copies, unrolling and stages; false when they exceed the limits.
bool expand(const LoopBody &body, const std::vector<RegKind> &regs, const ModuloLimits &limits, ModuloSchedule &s) {
  int n = static_cast<int>(body.insts.size());
  s.copies.assign(n, 1);
  s.unroll = 1;
  std::vector<std::array<int, 3>> rows(s.ii, std::array<int, 3>{});  // live values of each kind in each row
  for (int i = 0; i < n; ++i) {
    if (body.insts[i].dst < 0) continue;
    int last = s.time[i] + 1;
    for (const LoopBody::Use &use : body.uses[i]) last = std::max(last, s.time[use.node] + use.distance * s.ii);
    s.copies[i] = (last - s.time[i] + s.ii - 1) / s.ii;
    s.unroll = std::max(s.unroll, s.copies[i]);
    int kind = classOf(regs[body.insts[i].dst]);
    for (int t = s.time[i]; t < last; ++t) rows[t % s.ii][kind]++;
  }
  if (s.unroll > limits.maxUnroll) return false;
  while (limits.powerOfTwo && (s.unroll & (s.unroll - 1))) ++s.unroll;
  for (int &q : s.copies) q = roundUpToDivisor(q, s.unroll);
  ClassCounts most{};
  for (const auto &row : rows)
    for (int c = 0; c < 3; ++c) most[c] = std::max(most[c], row[c]);
  for (Reg r : body.invariants) most[classOf(regs[r])]++;
  for (int c = 0; c < 3; ++c)
    if (most[c] > limits.registers[c]) return false;
  s.stages = (s.length() - 1) / s.ii + 1;
  return true;
}

}  // namespace

namespace {

// Cycles of all iterations.
int64_t costOf(const ModuloSchedule &s, int64_t iterations) { return (iterations - 1) * s.ii + s.length(); }

}  // namespace

int ModuloSchedule::length() const { return *std::max_element(time.begin(), time.end()) + 1; }

std::optional<ModuloSchedule> moduloSchedule(const LoopBody &body, const std::vector<RegKind> &regs,
                                             const Resources &resources, const ModuloLimits &limits) {
  const std::vector<int> byHeight, inDepth = depthFirst(body.graph);
  std::optional<ModuloSchedule> best;
  int lastIi = limits.maxIi;
  for (int ii = limits.minIi; ii <= lastIi; ii += 1 + std::max(0, ii - limits.minIi - 8) / 8) {
    for (const std::vector<int> *order : {&byHeight, &inDepth}) {
      Attempt attempt(body, resources, ii);
      if (!attempt.run(*order)) continue;
      ModuloSchedule s;
      s.ii = ii;
      s.time = attempt.time();
      if (!expand(body, regs, limits, s)) continue;
      // In a short run the length of one iteration counts as well: an interval that is longer by a few cycles may give
      // a shorter one.
      if (!best) lastIi = std::min(lastIi, limits.iterations <= kShortRun ? ii + kLonger : ii);
      if (!best || costOf(s, limits.iterations) < costOf(*best, limits.iterations)) best = s;
      break;
    }
  }
  return best;
}

}  // namespace tpuc::schedule
