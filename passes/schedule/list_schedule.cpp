// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// List scheduling (Graham 1966; priorities and the two modes after Goodman and Hsu, "Code scheduling and register
// allocation in large basic blocks", 1988).
//
//   1. The priority of an instruction is the longest path of latencies from it to the block's end, or what the only
//      unit of its kind still has to do from it on.
//   2. Cycle by cycle, each slot takes the ready instruction of highest priority.
//   3. While a kind of register is at its limit, only instructions that end as many live values as they begin may
//      issue. Where none of these will ever be ready, the first of the others may, in depth-first order. That order has
//      each value right before its user.
//   4. If registers were scarce, the same again with windows over the depth-first order: only instructions near the
//      first that is not yet placed are considered. The fewest registers over the limit win, then the fewest cycles.
#include "passes/schedule/list_schedule.h"

#include <algorithm>
#include <array>
#include <queue>

#include "passes/schedule/dependence.h"

namespace tpuc::schedule {
namespace {

struct Candidate {
  int64_t priority;
  int node;
  bool operator<(const Candidate &o) const { return priority != o.priority ? priority < o.priority : node > o.node; }
};
using Heap = std::priority_queue<Candidate>;

class ListScheduler {
 public:
  ListScheduler(const std::vector<MInst> &insts, const std::vector<RegKind> &regs, const Resources &resources,
                const Graph &graph, Values values, const ClassCounts &live, const ClassCounts &limits)
      : insts_(insts),
        regs_(regs),
        resources_(resources),
        graph_(graph),
        values_(std::move(values)),
        live_(live),
        limits_(limits),
        table_(resources) {}

  // The largest number of live registers seen.
  const ClassCounts &pressure() const { return most_; }

  // Whether anything was held back for want of registers.
  bool throttled() const { return throttled_; }

  // `sequence`: the place of each instruction in the order that the window slides over.
  BlockSchedule run(const std::vector<int> &sequence, int window) {
    sequence_ = &sequence;
    window_ = window;
    prepare();
    int last = graph_.size - 1;
    bool hasControl = isControl(insts_[last]);
    int left = graph_.size - (hasControl ? 1 : 0);
    while (left > 0) {
      wake();
      table_.nextCycle(cycle_);
      int placed = fillBundle();
      if (placed == 0 && !advanceTo()) placed = force();
      left -= placed;
      if (placed) {
        closeBundle();
        cycle_++;
      }
    }
    if (hasControl) placeControl(last);
    result_.cycles = static_cast<int>(cycle_);
    return std::move(result_);
  }

 private:
  void prepare() {
    int n = graph_.size;
    for (const MInst &inst : insts_) demands_.push_back(resources_.demand(inst));
    waiting_.assign(n, 0);
    earliest_.assign(n, 0);
    ready_.assign(n, false);
    placed_.assign(n, false);
    priority_.assign(n, 0);
    std::array<int64_t, kNumClasses> tail{};  // of units that there is one of: the time that it still needs
    for (int i = n - 1; i >= 0; --i) {
      int64_t height = insts_[i].dst == kNone ? 1 : resources_.latency(insts_[i]);
      const Demand &d = demands_[i];
      bool single = resources_.limit(d.cls) == 1 && d.cls != kScalar && d.cls != kControl && d.cls != kDma;
      if (single) height = std::max(height, tail[d.cls] += resources_.work(insts_[i]));
      for (int e : graph_.out(i)) {
        const Edge &edge = graph_.edges[e];
        height = std::max(height, priority_[edge.to] + edge.latency);
        waiting_[edge.to]++;
      }
      priority_[i] = height;
    }
    byPlace_.assign(n, 0);
    for (int i = 0; i < n; ++i) byPlace_[(*sequence_)[i]] = i;
    most_ = live_;
    for (int i = 0; i < n; ++i)
      if (!waiting_[i]) release(i);
  }

  void release(int node) {
    if (isControl(insts_[node])) return;
    int place = (*sequence_)[node];
    if (place < first_ + window_)
      future_.push({-earliest_[node], node});
    else
      beyond_.push({-place, node});
  }

  // The window moves on with the first instruction that is not placed.
  void slide() {
    while (first_ < graph_.size && placed_[byPlace_[first_]]) ++first_;
    while (!beyond_.empty() && -beyond_.top().priority < first_ + window_) {
      int node = beyond_.top().node;
      beyond_.pop();
      future_.push({-earliest_[node], node});
    }
  }

  void wake() {
    while (!future_.empty() && -future_.top().priority <= cycle_) {
      int node = future_.top().node;
      future_.pop();
      ready_[node] = true;
      enqueue(node);
    }
  }

  void enqueue(int node) {
    int cls = demands_[node].cls;
    bool grow = grows(node);
    heaps_[cls][grow ? 0 : 1].push({priority_[node], node});
    if (grow) held_.push({-(*sequence_)[node], node});
  }

  // Change of the number of live registers of each kind when `node` issues.
  ClassCounts delta(int node) const {
    ClassCounts d{};
    for (int v : values_.uses[node]) {
      if (v < 0) break;
      const Value &value = values_.all[v];
      if (value.uses == 1 && !value.liveOut) d[classOf(regs_[value.reg])]--;
    }
    if (int v = values_.def[node]; v >= 0 && (values_.all[v].uses > 0 || values_.all[v].liveOut))
      d[classOf(regs_[values_.all[v].reg])]++;
    return d;
  }
  bool grows(int node) const {
    ClassCounts d = delta(node);
    return d[0] > 0 || d[1] > 0 || d[2] > 0;
  }
  bool overLimit(int node) const {
    ClassCounts d = delta(node);
    for (int c = 0; c < 3; ++c)
      if (d[c] > 0 && live_[c] + d[c] > limits_[c]) return true;
    return false;
  }

  // The best instruction of a class that may issue now, -1 none.
  int choose(int cls) {
    for (Heap &heap : heaps_[cls])
      while (!heap.empty() && placed_[heap.top().node]) heap.pop();
    Heap &growing = heaps_[cls][0], &others = heaps_[cls][1];
    bool allowed = !growing.empty() && !overLimit(growing.top().node);
    throttled_ |= !allowed && !growing.empty();
    if (allowed && (others.empty() || others.top() < growing.top())) return growing.top().node;
    return others.empty() ? -1 : others.top().node;
  }

  int fillBundle() {
    int count = 0;
    for (bool again = true; again;) {
      again = false;
      for (int cls = kNumClasses - 1; cls >= 0; --cls) {
        for (int node; (node = choose(cls)) >= 0 && table_.fits(demands_[node]);) {
          place(node);
          count++;
          again = true;
        }
      }
      slide();
      if (again) wake();
    }
    return count;
  }

  void place(int node) {
    table_.take(demands_[node]);
    placed_[node] = true;
    result_.order.push_back(node);
    for (int v : values_.uses[node]) {
      if (v < 0) break;
      Value &value = values_.all[v];
      value.uses--;
      value.userXor ^= node + 1;
      if (value.uses == 0 && !value.liveOut) live_[classOf(regs_[value.reg])]--;
      int user = value.userXor - 1;
      if (value.uses == 1 && ready_[user] && !placed_[user] && !grows(user)) enqueue(user);
    }
    if (int v = values_.def[node]; v >= 0 && (values_.all[v].uses > 0 || values_.all[v].liveOut)) {
      int c = classOf(regs_[values_.all[v].reg]);
      most_[c] = std::max(most_[c], ++live_[c]);
    }
    for (int e : graph_.out(node)) {
      const Edge &edge = graph_.edges[e];
      earliest_[edge.to] = std::max(earliest_[edge.to], cycle_ + edge.latency);
      if (--waiting_[edge.to] == 0) release(edge.to);
    }
  }

  // Nothing fitted: goes to the next cycle at which something can happen. False when only held instructions are left.
  bool advanceTo() {
    int64_t next = INT64_MAX;
    if (!future_.empty()) next = -future_.top().priority;
    for (int cls = 0; cls < kNumClasses; ++cls)
      if (choose(cls) >= 0) next = std::min(next, std::max(cycle_ + 1, table_.freeAt(cls)));
    if (next == INT64_MAX) return false;
    cycle_ = std::max(cycle_ + 1, next);
    return true;
  }

  // The first one in depth-first order, so that values come to their ends.
  int force() {
    while (placed_[held_.top().node]) held_.pop();
    int best = held_.top().node;
    Demand d = demands_[best];
    if (!table_.fits(d)) {
      cycle_ = std::max(cycle_ + 1, table_.freeAt(d.cls));
      table_.nextCycle(cycle_);
    }
    place(best);
    slide();
    return 1;
  }

  void closeBundle() { result_.ends.push_back(static_cast<int32_t>(result_.order.size())); }

  // Into the last bundle, if what it reads is ready by then.
  void placeControl(int node) {
    result_.order.push_back(node);
    if (cycle_ > 0 && earliest_[node] <= cycle_ - 1) {
      result_.ends.back()++;
      return;
    }
    cycle_ = std::max(cycle_, earliest_[node]) + 1;
    closeBundle();
  }

  const std::vector<MInst> &insts_;
  const std::vector<RegKind> &regs_;
  const Resources &resources_;
  const Graph &graph_;
  Values values_;
  ClassCounts live_, limits_, most_{};
  LinearTable table_;
  BlockSchedule result_;
  int64_t cycle_ = 0;
  std::vector<Demand> demands_;
  std::vector<int> waiting_;
  std::vector<int64_t> earliest_, priority_;
  std::vector<char> ready_, placed_;
  std::vector<int> byPlace_;
  const std::vector<int> *sequence_ = nullptr;
  int first_ = 0, window_ = 0;
  bool throttled_ = false;
  Heap future_, beyond_, held_;
  Heap heaps_[kNumClasses][2];  // those that need one more register, and the others
};

int excess(const ClassCounts &pressure, const ClassCounts &limits) {
  int sum = 0;
  for (int c = 0; c < 3; ++c) sum += std::max(0, pressure[c] - limits[c]);
  return sum;
}

}  // namespace

BlockSchedule listSchedule(const std::vector<MInst> &insts, const std::vector<RegKind> &regs,
                           const Resources &resources, const RegSet *liveIn, const RegSet *liveOut,
                           const ClassCounts &limits) {
  if (insts.empty()) return {};
  Graph graph;
  Values values;
  buildGraph(insts, resources, graph, values);
  ClassCounts live{};
  if (liveIn) liveIn->forEach([&](Reg r) { live[classOf(regs[r])]++; });
  if (liveOut) {
    RegSet seen(regs.size());  // the last value of a register is the one that lives on
    for (size_t v = values.all.size(); v-- > 0;) {
      Value &value = values.all[v];
      if (seen.has(value.reg)) continue;
      seen.add(value.reg);
      value.liveOut = liveOut->has(value.reg);
    }
  }
  std::vector<int> sequence = depthFirst(graph);
  ListScheduler whole(insts, regs, resources, graph, values, live, limits);
  BlockSchedule best = whole.run(sequence, graph.size);
  if (!whole.throttled()) return best;
  int least = excess(whole.pressure(), limits);
  bool improves = true;
  for (int window = 256; window >= 8 && improves; window /= 2) {
    if (window >= graph.size) continue;
    ListScheduler some(insts, regs, resources, graph, values, live, limits);
    BlockSchedule other = some.run(sequence, window);
    int over = excess(some.pressure(), limits);
    improves = over < least || (over == least && other.cycles < best.cycles);
    if (!improves) break;
    least = over;
    best = std::move(other);
  }
  return best;
}

void scheduleBlocks(Flow &flow, const Liveness &liveness, const Resources &resources, const ClassCounts &limits) {
  for (size_t b = 0; b < flow.blocks.size(); ++b) {
    Block &block = flow.blocks[b];
    if (block.bundled) continue;
    BlockSchedule s = listSchedule(block.insts, flow.regs, resources, &liveness.in[b], &liveness.out[b], limits);
    std::vector<MInst> ordered;
    ordered.reserve(block.insts.size());
    for (int i : s.order) ordered.push_back(block.insts[i]);
    block.insts = std::move(ordered);
    block.ends = std::move(s.ends);
    block.bundled = true;
  }
}

}  // namespace tpuc::schedule
