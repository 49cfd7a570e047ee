// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loop-invariant code motion over the tree, innermost loops first, so that an instruction leaves as many loops as it
// can.
#include <algorithm>

#include "passes/schedule/tidy.h"

namespace tpuc::schedule {
namespace {

using machine::IfNode;
using machine::LoopNode;
using machine::Node;
using machine::Region;
using machine::WhileNode;

// What a loop's body assigns and reads.
struct Summary {
  std::vector<Reg> written, read;
};

class Hoister {
 public:
  explicit Hoister(machine::Routine &routine)
      : routine_(routine),
        facts_(collectFacts(routine)),
        stamp_(routine.regs.size(), 0),
        seen_(routine.regs.size(), 0) {}
  void run() { region(routine_.body); }

 private:
  void region(Region &nodes) {
    Region result;
    for (Node &node : nodes) {
      std::visit([&](auto &n) { visit(n); }, node.value);
      if (LoopNode *loop = std::get_if<LoopNode>(&node.value)) hoist(*loop, result);
      result.push_back(std::move(node));
    }
    nodes = std::move(result);
  }
  void visit(MInst &) {}
  void visit(LoopNode &loop) { region(loop.body); }
  void visit(IfNode &node) {
    region(node.then);
    region(node.otherwise);
  }
  void visit(WhileNode &node) {
    region(node.before);
    region(node.body);
  }

  void summarise(const Region &nodes, Summary &s) {
    for (const Node &node : nodes) {
      if (const MInst *inst = std::get_if<MInst>(&node.value)) {
        if (inst->dst >= 0) s.written.push_back(inst->dst);
        forEachUse(*inst, [&](Reg r) { s.read.push_back(r); });
      } else if (const LoopNode *loop = std::get_if<LoopNode>(&node.value)) {
        if (loop->count >= 0) s.read.push_back(loop->count);
        summarise(loop->body, s);
      } else if (const IfNode *branch = std::get_if<IfNode>(&node.value)) {
        s.read.push_back(branch->cond);
        summarise(branch->then, s);
        summarise(branch->otherwise, s);
      } else {
        const WhileNode &loop = std::get<WhileNode>(node.value);
        s.read.push_back(loop.cond);
        summarise(loop.before, s);
        summarise(loop.body, s);
      }
    }
  }

  void hoist(LoopNode &loop, Region &before) {
    Summary s;
    summarise(loop.body, s);
    SideEffects effects;
    effects.add(loop.body);
    ++now_;
    for (Reg r : s.written) stamp_[r] = now_;  // stamp == now: changes within the loop
    ClassCounts invariants{};
    for (Reg r : s.read)
      if (stamp_[r] != now_ && seen_[r] != now_) {
        seen_[r] = now_;
        invariants[classOf(routine_.regs[r])]++;
      }
    Region kept;
    for (Node &node : loop.body) {
      const MInst *inst = std::get_if<MInst>(&node.value);
      if (!inst || !invariant(*inst, loop, effects) || !fits(*inst, invariants)) {
        kept.push_back(std::move(node));
        continue;
      }
      stamp_[inst->dst] = 0;
      invariants[classOf(routine_.regs[inst->dst])]++;
      before.push_back(std::move(node));
    }
    loop.body = std::move(kept);
  }

  bool fits(const MInst &inst, const ClassCounts &invariants) const {
    int c = classOf(routine_.regs[inst.dst]);
    return invariants[c] < kMostInvariants[c];
  }

  bool invariant(const MInst &inst, const LoopNode &loop, const SideEffects &effects) const {
    bool runs = loop.count == kNone && loop.countImm > 0;
    bool load = inst.op == Op::VLd && runs && effects.keeps(inst.region);
    if (!(load || isPure(inst)) || !facts_.single(inst.dst) || facts_.readBeforeDef[inst.dst]) return false;
    if (effects.calls && !makesConstant(inst.op)) return false;  // nothing else survives a call for free
    bool same = true;
    forEachUse(inst, [&](Reg r) { same &= stamp_[r] != now_; });
    return same;
  }

  machine::Routine &routine_;
  RegFacts facts_;
  std::vector<int> stamp_, seen_;
  int now_ = 0;
};

}  // namespace

void hoistInvariants(machine::Routine &routine) { Hoister(routine).run(); }

}  // namespace tpuc::schedule
