// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strength reduction of addresses (Cocke and Kennedy 1977), for innermost loops of straight-line code.
//
//   1. A counter is a register that the body steps once by a constant.
//   2. Going through the body, each value that is a constant multiple of a counter plus something invariant is known by
//      its step an iteration.
//   3. Such a value that an instruction other than this arithmetic reads becomes a counter: its chain is computed once
//      before the loop, and a step at the body's end replaces it.
//   4. What nobody reads any more is dropped, the old counter's step included.
#include <algorithm>
#include <optional>
#include <unordered_map>

#include "passes/schedule/tidy.h"

namespace tpuc::schedule {
namespace {

using machine::LoopNode;
using machine::Node;
using machine::Region;

constexpr int kMostCounters = 12;  // new ones in a loop

class Reducer {
 public:
  explicit Reducer(machine::Routine &routine) : routine_(routine), facts_(collectFacts(routine)) {}
  void run() { region(routine_.body); }

 private:
  void region(Region &nodes) {
    Region result;
    for (Node &node : nodes) {
      if (LoopNode *loop = std::get_if<LoopNode>(&node.value)) {
        if (isStraight(loop->body))
          reduce(*loop, result);
        else
          region(loop->body);
      } else if (auto *branch = std::get_if<machine::IfNode>(&node.value)) {
        region(branch->then);
        region(branch->otherwise);
      } else if (auto *loop = std::get_if<machine::WhileNode>(&node.value)) {
        region(loop->before);
        region(loop->body);
      }
      result.push_back(std::move(node));
    }
    nodes = std::move(result);
  }
  static bool isStraight(const Region &body) {
    return std::all_of(body.begin(), body.end(), [](const Node &n) {
      const MInst *inst = std::get_if<MInst>(&n.value);
      return inst && !isControl(*inst);
    });
  }

  // A value that grows by `step` an iteration: the result of instruction `at`.
  struct Affine {
    int at;
    int64_t step;
  };

  void reduce(LoopNode &loop, Region &before) {
    insts_.clear();
    cloneUses_.clear();
    for (Node &node : loop.body) insts_.push_back(&std::get<MInst>(node.value));
    findCounters();
    if (counters_.empty()) return;
    findAffine();
    std::vector<MInst> steps;
    for (auto [at, step] : candidates()) {
      if (static_cast<int>(steps.size()) == kMostCounters) break;
      Reg old = insts_[at]->dst;
      Reg counter = cloneChain(at, before);
      MInst add = makeInst(Op::SAdd, counter, {counter}, step, insts_[at]->loc);
      if (fieldOf(add, "imm") != step) continue;
      for (MInst *inst : insts_) forEachUse(*inst, [&](Reg &r) { r = r == old ? counter : r; });
      facts_.uses[old] = 0;
      steps.push_back(add);
    }
    if (steps.empty()) return;
    dropUnused(loop.body, before);
    for (const MInst &add : steps) loop.body.push_back({add});
  }

  void findCounters() {
    counters_.clear();
    defs_.clear();
    for (int i = 0; i < static_cast<int>(insts_.size()); ++i)
      if (Reg d = insts_[i]->dst; d >= 0) {
        auto [it, first] = defs_.try_emplace(d, i);
        if (!first) it->second = -1;  // more than one
      }
    for (auto [reg, at] : defs_) {
      if (at < 0) continue;
      const MInst &inst = *insts_[at];
      bool steps = (inst.op == Op::SAdd || inst.op == Op::SSub) && inst.src[0] == reg && inst.src[1] == kNone;
      if (steps) counters_[reg] = {at, inst.op == Op::SAdd ? fieldOf(inst, "imm") : -fieldOf(inst, "imm")};
    }
  }

  // The step of a register as instruction `i` reads it; 0 for invariants, nothing when it is not known.
  std::optional<int64_t> stepOf(Reg r, int i) const {
    if (r < 0) return 0;
    if (auto counter = counters_.find(r); counter != counters_.end())
      return i < counter->second.at ? std::optional<int64_t>(counter->second.step) : std::nullopt;
    if (auto affine = affine_.find(r); affine != affine_.end()) return affine->second.step;
    return defs_.count(r) ? std::nullopt : std::optional<int64_t>(0);
  }

  void findAffine() {
    affine_.clear();
    for (int i = 0; i < static_cast<int>(insts_.size()); ++i) {
      const MInst &inst = *insts_[i];
      if (inst.dst < 0 || counters_.count(inst.dst) || !facts_.single(inst.dst) || facts_.readBeforeDef[inst.dst])
        continue;
      auto a = stepOf(inst.src[0], i), b = stepOf(inst.src[1], i);
      if (!a || !b) continue;
      bool immediate = inst.src[1] == kNone;
      std::optional<int64_t> step;
      if (inst.op == Op::SAdd) step = *a + *b;
      if (inst.op == Op::SSub) step = *a - *b;
      if (inst.op == Op::SMul && immediate) step = *a * fieldOf(inst, "imm");
      if (inst.op == Op::SShl && immediate && fieldOf(inst, "imm") >= 0 && fieldOf(inst, "imm") < 31)
        step = *a << fieldOf(inst, "imm");
      if (step && *step != 0 && *step >= INT32_MIN && *step <= INT32_MAX) affine_[inst.dst] = {i, *step};
    }
  }

  // Affine values that are read by something else than affine arithmetic, all within the loop.
  std::vector<Affine> candidates() const {
    std::vector<Affine> result;
    for (auto [reg, affine] : affine_) {
      int inside = 0;
      bool other = false;
      for (const MInst *inst : insts_)
        forEachUse(*inst, [&](Reg r) {
          if (r != reg) return;
          ++inside;
          other |= inst->dst < 0 || !affine_.count(inst->dst);
        });
      if (other && inside == facts_.uses[reg]) result.push_back(affine);
    }
    std::sort(result.begin(), result.end(), [](const Affine &a, const Affine &b) { return a.at < b.at; });
    return result;
  }

  // Computes instruction `at`'s first value before the loop; the register it is in.
  Reg cloneChain(int at, Region &before) {
    MInst inst = *insts_[at];
    for (Reg &r : inst.src) {
      if (r < 0) continue;
      if (auto affine = affine_.find(r); affine != affine_.end())
        r = cloneChain(affine->second.at, before);
      else if (std::optional<int64_t> start = startOf(r, before))
        r = constant(*start, inst.loc, before);
    }
    inst.dst = newReg();
    forEachUse(inst, [&](Reg r) {
      facts_.uses[r]++;
      cloneUses_[r]++;
    });
    before.push_back({inst});
    return inst.dst;
  }

  Reg newReg() {
    facts_.defs.push_back(2);
    facts_.uses.push_back(0);
    facts_.readBeforeDef.push_back(0);
    return routine_.newReg(RegKind::S);
  }

  // The constant that a counter has been set to before the loop.
  std::optional<int64_t> startOf(Reg counter, const Region &before) const {
    if (!counters_.count(counter)) return std::nullopt;
    for (size_t i = before.size(); i-- > 0;) {
      const MInst *inst = std::get_if<MInst>(&before[i].value);
      if (!inst) return std::nullopt;
      if (inst->dst == counter) return inst->op == Op::SLi ? std::optional<int64_t>(inst->imm) : std::nullopt;
    }
    return std::nullopt;
  }
  Reg constant(int64_t value, int32_t loc, Region &before) {
    Reg r = newReg();
    before.push_back({makeInst(Op::SLi, r, {}, value, loc)});
    return r;
  }

  // The counter's steps matter to nobody after the loop: it is assigned anew before each run of the loop, and all that
  // reads it outside are the chains computed there.
  bool startsAnew(Reg counter, const Region &before) const {
    if (facts_.defs[counter] != 2) return false;
    return std::any_of(before.begin(), before.end(), [&](const Node &n) {
      const MInst *inst = std::get_if<MInst>(&n.value);
      return inst && inst->dst == counter;
    });
  }

  void dropUnused(Region &body, const Region &before) {
    for (bool again = true; again;) {
      again = false;
      for (size_t i = body.size(); i-- > 0;) {
        const MInst &inst = std::get<MInst>(body[i].value);
        if (inst.dst < 0) continue;
        bool counter = counters_.count(inst.dst) != 0;
        if (!counter && !affine_.count(inst.dst)) continue;
        int harmless = counter && startsAnew(inst.dst, before) ? cloneUses_[inst.dst] : 0;
        forEachUse(inst, [&](Reg r) { harmless += r == inst.dst; });
        if (facts_.uses[inst.dst] != harmless) continue;
        forEachUse(inst, [&](Reg r) { facts_.uses[r]--; });
        if (counter) counters_.erase(inst.dst);
        body.erase(body.begin() + static_cast<std::ptrdiff_t>(i));
        again = true;
      }
    }
  }

  machine::Routine &routine_;
  RegFacts facts_;
  std::vector<MInst *> insts_;
  std::unordered_map<Reg, Affine> counters_, affine_;
  std::unordered_map<Reg, int> defs_, cloneUses_;
};

}  // namespace

void reduceStrength(machine::Routine &routine) { Reducer(routine).run(); }

}  // namespace tpuc::schedule
