// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. All but the last of a register's assignments get names of their own: each use then reads one assignment, of its
//    own iteration or of the one before. (Reuse of names across iterations is left to modulo variable expansion.)
// 2. Effects of different iterations are compared by what an iteration adds to their addresses.
// 3. A register stepped by a constant (x = x + c) whose uses are addresses with offsets needs no dependence at all: the
//    offset is corrected by c times the steps that the schedule puts in between. Other uses of it get a copy.
#include "passes/schedule/loop_body.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace tpuc::schedule {
namespace {

class Preparer {
 public:
  Preparer(LoopBody &body, bool independent, Flow &flow, const Resources &resources)
      : body_(body), independent_(independent), flow_(flow), resources_(resources) {}

  void run() {
    renameWebs();
    splitInductionVariables();
    size_t n = body_.insts.size();
    body_.graph.size = static_cast<int>(n);
    body_.absorbed.assign(n, {});
    body_.step.assign(n, 0);
    absorb();
    effects();
    registers();
    body_.graph.index();
    if (!independent_)
      for (MInst &inst : body_.insts) forgetPart(inst);
  }

 private:
  void renameWebs() {
    std::unordered_map<Reg, int> last;
    for (size_t i = 0; i < body_.insts.size(); ++i)
      if (Reg d = body_.insts[i].dst; d >= 0) last[d] = static_cast<int>(i);
    std::unordered_map<Reg, Reg> name;
    for (size_t i = 0; i < body_.insts.size(); ++i) {
      MInst &inst = body_.insts[i];
      forEachUse(inst, [&](Reg &r) {
        if (auto it = name.find(r); it != name.end()) r = it->second;
      });
      if (inst.dst < 0) continue;
      Reg r = inst.dst;
      name[r] = inst.dst = last[r] == static_cast<int>(i) ? r : flow_.newReg(flow_.regs[r]);
    }
  }

  // ---- memories and units -------------------------------------------------------------------------------------------

  void effects() {
    AffineValues values;
    std::vector<int> nodes;
    std::vector<Effect> effects;
    for (size_t i = 0; i < body_.insts.size(); ++i) {
      Effect e = effectOf(body_.insts[i], values, resources_);
      values.execute(body_.insts[i]);
      if (e.kind == Effect::None) continue;
      nodes.push_back(static_cast<int>(i));
      effects.push_back(e);
    }
    for (size_t i = 0; i < nodes.size(); ++i)
      for (size_t j = 0; j < nodes.size(); ++j) {
        if (domainOf(effects[i], false) != domainOf(effects[j], false)) continue;
        if (i < j)
          if (int latency = orderLatency(effects[i], effects[j]); latency >= 0)
            body_.graph.add(nodes[i], nodes[j], latency);
        carried(nodes[i], effects[i], nodes[j], effects[j], values);
      }
  }

  // The first later iteration whose `b` must wait for this one's `a`.
  void carried(int from, Effect a, int to, Effect b, const AffineValues &values) {
    if (independent_ && inOtherPart(a, b)) return;
    // Parts of the sums may change their roles from one iteration to the next.
    a.part = b.part = -1;
    bool vmem = a.kind == Effect::VLoad || a.kind == Effect::VStore;
    if (independent_ && vmem && a.where >= 0 && a.where == b.where) return;
    bool addressed = a.isMemory() || a.kind == Effect::Push || a.kind == Effect::Pop;
    std::optional<int64_t> step =
        addressed && a.address.root == b.address.root ? stepOfRoot(a.address.root, values) : 0;
    bool unknown = addressed && (a.address.root != b.address.root || !step);
    if (unknown || !addressed || *step == 0) {
      // An unknown address: as if it could be the same in the next iteration.
      Effect other = b;
      if (unknown) other.address.root = -1;
      if (int latency = orderLatency(a, other); latency >= 0) body_.graph.add(from, to, latency, 1);
      return;
    }
    for (int64_t d = 1; d <= kMaxDistance; ++d) {
      int64_t delta = b.address.offset + *step * d - a.address.offset;
      if ((*step > 0 && delta > reach(a) + reach(b)) || (*step < 0 && -delta > reach(a) + reach(b))) return;
      int latency = orderLatency(a, b, *step * d);
      if (latency >= 0) {
        body_.graph.add(from, to, latency, static_cast<int>(d));
        return;
      }
    }
    Effect other = b;
    other.address.root = -1;
    if (int latency = orderLatency(a, other); latency >= 0) body_.graph.add(from, to, latency, kMaxDistance);
  }

  static constexpr int kMaxDistance = 64;
  static int64_t reach(const Effect &e) {
    return e.kind == Effect::VLoad || e.kind == Effect::VStore ? (isa::kSublanes - 1) * std::abs(e.stride) : e.size;
  }

  // What an iteration adds to a value of this root.
  static std::optional<int64_t> stepOfRoot(int root, const AffineValues &values) {
    if (root == 0) return 0;
    Reg reg = values.rootRegister(root);
    if (reg == kNone) return std::nullopt;
    auto it = values.values().find(reg);
    if (it == values.values().end() || it->second.root != root) return std::nullopt;
    return it->second.offset;
  }

  // ---- registers ----------------------------------------------------------------------------------------------------

  // Instructions that read `reg`, by whether an immediate of theirs can absorb a step.
  void readers(Reg reg, int except, std::vector<int> &absorbing, std::vector<std::pair<int, int>> &others) const {
    for (int k = 0; k < static_cast<int>(body_.insts.size()); ++k) {
      if (k == except) continue;
      const MInst &inst = body_.insts[k];
      for (int slot = 0; slot < 3; ++slot) {
        if (inst.src[slot] != reg) continue;
        if (slot == addressSlot(inst))
          absorbing.push_back(k);
        else
          others.push_back({k, slot});
      }
    }
  }

  // A variable with uses of both kinds falls into two that are stepped alike.
  void splitInductionVariables() {
    std::vector<MInst> result;
    for (int i = 0; i < static_cast<int>(body_.insts.size()); ++i) {
      std::vector<int> absorbing;
      std::vector<std::pair<int, int>> others;
      if (inPlaceStep(body_.insts[i])) readers(body_.insts[i].dst, i, absorbing, others);
      if (absorbing.empty() || others.empty()) continue;
      MInst add = body_.insts[i];
      Reg copy = flow_.newReg(RegKind::S);
      body_.copies.push_back({copy, add.dst});
      for (auto [k, slot] : others) body_.insts[k].src[slot] = copy;
      add.dst = add.src[0] = copy;
      body_.insts.insert(body_.insts.begin() + i + 1, add);
      ++i;
    }
  }

  void absorb() {
    for (int i = 0; i < static_cast<int>(body_.insts.size()); ++i) {
      std::optional<int64_t> step = inPlaceStep(body_.insts[i]);
      if (!step) continue;
      std::vector<int> absorbing;
      std::vector<std::pair<int, int>> others;
      readers(body_.insts[i].dst, i, absorbing, others);
      if (absorbing.empty() || !others.empty()) continue;  // an ordinary recurrence
      body_.step[i] = *step;
      for (int k : absorbing) body_.absorbed[k] = {i, addressSlot(body_.insts[k]), k > i};
    }
  }

  void registers() {
    auto &insts = body_.insts;
    std::unordered_map<Reg, int> def;
    for (size_t i = 0; i < insts.size(); ++i)
      if (insts[i].dst >= 0) def[insts[i].dst] = static_cast<int>(i);
    body_.uses.resize(insts.size());
    for (size_t i = 0; i < insts.size(); ++i) {
      const AbsorbedUse &absorbed = body_.absorbed[i];
      std::vector<int> seen;
      auto use = [&](Reg r) {
        auto it = def.find(r);
        if (it == def.end()) {
          body_.invariants.push_back(r);
          return;
        }
        int d = it->second;
        if (std::find(seen.begin(), seen.end(), d) != seen.end()) return;
        seen.push_back(d);
        int distance = d < static_cast<int>(i) ? 0 : 1;
        body_.uses[d].push_back({static_cast<int>(i), distance});
        body_.graph.add(d, static_cast<int>(i), resources_.latency(insts[d]), distance);
      };
      for (int slot = 0; slot < 3; ++slot)
        if (insts[i].src[slot] >= 0 && !(absorbed.add >= 0 && absorbed.slot == slot)) use(insts[i].src[slot]);
      if (insts[i].mask >= 0) use(insts[i].mask);
    }
    std::sort(body_.invariants.begin(), body_.invariants.end());
    body_.invariants.erase(std::unique(body_.invariants.begin(), body_.invariants.end()), body_.invariants.end());
  }

  LoopBody &body_;
  bool independent_;
  Flow &flow_;
  const Resources &resources_;
};

}  // namespace

LoopBody prepareLoop(std::vector<MInst> insts, bool independent, Flow &flow, const Resources &resources) {
  LoopBody body;
  body.insts = std::move(insts);
  Preparer(body, independent, flow, resources).run();
  return body;
}

namespace {

// Whether some start times satisfy every edge at this interval: no cycle of positive length (Bellman and Ford).
bool feasible(const Graph &graph, int ii) {
  std::vector<int64_t> time(graph.size, 0);
  int64_t longest = 0;
  for (const Edge &e : graph.edges) longest += e.latency;
  for (int pass = 0; pass <= graph.size; ++pass) {
    bool changed = false;
    for (const Edge &e : graph.edges) {
      int64_t t = time[e.from] + e.latency - int64_t{ii} * e.distance;
      if (t <= time[e.to]) continue;
      if (t > longest) return false;
      time[e.to] = t;
      changed = true;
    }
    if (!changed) return true;
  }
  return false;
}

}  // namespace

int recurrenceBound(const Graph &graph, int limit) {
  int low = 1, high = limit;
  while (low < high) {
    int middle = (low + high) / 2;
    if (feasible(graph, middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

}  // namespace tpuc::schedule
