// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dependence graphs of blocks, in one pass from the first instruction to the last.
#include "passes/schedule/dependence.h"

#include <algorithm>
#include <unordered_map>

namespace tpuc::schedule {

void Graph::index() {
  auto bucket = [&](std::vector<int32_t> &start, std::vector<int32_t> &list, int32_t Edge::*key) {
    start.assign(size + 1, 0);
    for (const Edge &e : edges) start[e.*key + 1]++;
    for (int i = 0; i < size; ++i) start[i + 1] += start[i];
    list.resize(edges.size());
    std::vector<int32_t> next(start.begin(), start.end() - 1);
    for (size_t i = 0; i < edges.size(); ++i) list[next[edges[i].*key]++] = static_cast<int32_t>(i);
  };
  bucket(outStart_, outList_, &Edge::from);
  bucket(inStart_, inList_, &Edge::to);
}

namespace {

class Builder {
 public:
  Builder(const std::vector<MInst> &insts, const Resources &resources, Graph &graph, Values &values)
      : insts_(insts), resources_(resources), graph_(graph), values_(values) {}

  void run() {
    graph_.size = static_cast<int>(insts_.size());
    graph_.edges.clear();
    values_.all.clear();
    values_.def.assign(insts_.size(), -1);
    values_.uses.assign(insts_.size(), {-1, -1, -1, -1});
    splitRegions_ = std::none_of(insts_.begin(), insts_.end(),
                                 [](const MInst &i) { return (i.op == Op::VLd || i.op == Op::VSt) && i.region < 0; });
    for (int i = 0; i < graph_.size; ++i) {
      registers(i);
      effects(i);
      affine_.execute(insts_[i]);
    }
    graph_.index();
  }

 private:
  struct Tracked {
    int value = -1;
    std::vector<int> readers;  // since the last write
  };

  void registers(int i) {
    const MInst &inst = insts_[i];
    int count = 0;
    forEachUse(inst, [&](Reg reg) {
      Tracked &r = regs_[reg];
      if (r.value < 0) r.value = newValue(reg, -1);
      Value &value = values_.all[r.value];
      auto &uses = values_.uses[i];
      if (std::find(uses.begin(), uses.begin() + count, r.value) != uses.begin() + count) return;
      uses[count++] = r.value;
      value.uses++;
      value.userXor ^= i + 1;
      if (value.def >= 0) graph_.add(value.def, i, resources_.latency(insts_[value.def]));
      r.readers.push_back(i);
    });
    if (inst.dst == kNone) return;
    Tracked &r = regs_[inst.dst];
    for (int reader : r.readers)
      if (reader != i) graph_.add(reader, i, 0);
    if (r.value >= 0 && values_.all[r.value].def >= 0) graph_.add(values_.all[r.value].def, i, 1);
    r.readers.clear();
    r.value = newValue(inst.dst, i);
    values_.def[i] = r.value;
  }

  int newValue(Reg reg, int def) {
    Value value;
    value.reg = reg;
    value.def = def;
    values_.all.push_back(value);
    return static_cast<int>(values_.all.size()) - 1;
  }

  // Past accesses of a domain that a later one may have to wait for. A full list is replaced by its newest member,
  // which then waits for all of the others: the graph stays linear in the size of the block.
  struct Domain {
    std::vector<int> reads, writes;
    int barrier = -1;
    bool memory = false;
  };
  static constexpr size_t kMaxPending = 128;

  void effects(int i) {
    effects_.push_back(effectOf(insts_[i], affine_, resources_));
    const Effect &e = effects_.back();
    if (e.kind == Effect::None) return;
    if (e.kind == Effect::Dma) {
      for (auto &[key, domain] : domains_)
        if (domain.memory) close(domain, i);
      if (dma_ >= 0) graph_.add(dma_, i, 1);
      dma_ = i;
      return;
    }
    Domain &domain = domains_[domainOf(e, splitRegions_)];
    if (e.isMemory() && !domain.memory) {
      domain.memory = true;
      domain.barrier = dma_;
    }
    if (domain.reads.size() + domain.writes.size() >= kMaxPending) {
      close(domain, i);
      return;
    }
    if (domain.barrier >= 0) graph_.add(domain.barrier, i, 1);
    for (int past : domain.writes) order(past, i);
    if (!e.reads())
      for (int past : domain.reads) order(past, i);
    (e.reads() ? domain.reads : domain.writes).push_back(i);
  }

  void order(int past, int i) {
    int latency = orderLatency(effects_[past], effects_[i]);
    if (latency >= 0) graph_.add(past, i, latency);
  }

  void close(Domain &domain, int i) {
    if (domain.barrier >= 0) graph_.add(domain.barrier, i, 1);
    for (auto *list : {&domain.reads, &domain.writes}) {
      for (int past : *list) graph_.add(past, i, std::max(1, orderLatency(effects_[past], effects_[i])));
      list->clear();
    }
    domain.barrier = i;
  }

  const std::vector<MInst> &insts_;
  const Resources &resources_;
  Graph &graph_;
  Values &values_;
  AffineValues affine_;
  std::unordered_map<Reg, Tracked> regs_;
  std::unordered_map<int, Domain> domains_;
  std::vector<Effect> effects_;
  bool splitRegions_ = true;
  int dma_ = -1;
};

}  // namespace

std::vector<int> depthFirst(const Graph &graph) {
  std::vector<int> place(graph.size, -1);
  std::vector<char> open(graph.size, 0);
  std::vector<int> stack;
  int next = 0;
  for (int root = 0; root < graph.size; ++root) {
    bool leads = false;
    for (int e : graph.out(root)) leads |= graph.edges[e].distance == 0;
    if (leads && root + 1 < graph.size) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      int node = stack.back();
      if (place[node] >= 0 || open[node]) {
        if (place[node] < 0) place[node] = next++;
        stack.pop_back();
        continue;
      }
      open[node] = 1;
      Graph::Range in = graph.in(node);
      for (const int32_t *e = in.last; e != in.first;)
        if (const Edge &edge = graph.edges[*--e]; edge.distance == 0 && place[edge.from] < 0)
          stack.push_back(edge.from);
    }
  }
  for (int &p : place)
    if (p < 0) p = next++;
  return place;
}

void buildGraph(const std::vector<MInst> &insts, const Resources &resources, Graph &graph, Values &values) {
  Builder(insts, resources, graph, values).run();
}

}  // namespace tpuc::schedule
