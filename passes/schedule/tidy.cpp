// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts about registers, and value numbering.
#include "passes/schedule/tidy.h"

#include <array>
#include <map>

namespace tpuc::schedule {
namespace {

using machine::IfNode;
using machine::LoopNode;
using machine::Node;
using machine::Region;
using machine::WhileNode;

class FactCollector {
 public:
  explicit FactCollector(RegFacts &facts) : facts_(facts) {}
  void region(const Region &nodes) {
    for (const Node &node : nodes) std::visit([&](const auto &n) { visit(n); }, node.value);
  }
  void use(Reg r) {
    if (r < 0) return;
    facts_.uses[r]++;
    if (facts_.defs[r] == 0) facts_.readBeforeDef[r] = 1;
  }

 private:
  void visit(const MInst &inst) {
    forEachUse(inst, [&](Reg r) { use(r); });
    if (inst.dst >= 0) facts_.defs[inst.dst]++;
  }
  void visit(const LoopNode &loop) {
    use(loop.count);
    region(loop.body);
  }
  void visit(const IfNode &node) {
    use(node.cond);
    region(node.then);
    region(node.otherwise);
  }
  void visit(const WhileNode &node) {
    region(node.before);
    use(node.cond);
    region(node.body);
  }
  RegFacts &facts_;
};

// Names a value by its instruction and operands.
class Numbering {
 public:
  explicit Numbering(machine::Routine &routine) : facts_(collectFacts(routine)), names_(routine.regs.size()) {
    for (size_t r = 0; r < names_.size(); ++r) names_[r] = static_cast<Reg>(r);
    region(routine.body);
  }

 private:
  using Key = std::array<int64_t, 9>;

  void region(Region &nodes) {
    ++depth_;
    Region kept;
    for (Node &node : nodes) {
      MInst *inst = std::get_if<MInst>(&node.value);
      if (inst ? instruction(*inst) : (std::visit([&](auto &n) { visit(n); }, node.value), true))
        kept.push_back(std::move(node));
    }
    nodes = std::move(kept);
    --depth_;
    while (!log_.empty() && log_.back().second > depth_) {
      table_.erase(log_.back().first);
      log_.pop_back();
    }
  }

  // At calls no register survives: nothing before is worth keeping for later. Stores end what loads have found.
  void note(const SideEffects &effects) {
    if (effects.calls) {
      table_.clear();
      log_.clear();
    }
    if (effects.storesAnywhere) ++everywhere_;
    for (int32_t region : effects.stored) ++versions_[region];
  }
  void note(const Region &nodes) {
    SideEffects effects;
    effects.add(nodes);
    note(effects);
  }
  void rename(Reg &r) {
    if (r >= 0) r = names_[r];
  }

  // False when an equal one came before.
  bool instruction(MInst &inst) {
    forEachUse(inst, [&](Reg &r) { rename(r); });
    SideEffects effects;
    effects.add(inst);
    note(effects);
    bool load = inst.op == Op::VLd && inst.region >= 0;
    if (!(load || isPure(inst)) || !facts_.single(inst.dst) || facts_.readBeforeDef[inst.dst]) return true;
    bool stable = true;
    forEachUse(inst, [&](Reg r) { stable &= facts_.single(r) && !facts_.readBeforeDef[r]; });
    if (!stable) return true;
    Key key{static_cast<int64_t>(inst.op), inst.src[0], inst.src[1], inst.src[2], inst.mask, inst.imm, 0, 0, 0};
    if (load) key[6] = inst.region, key[7] = versions_[inst.region], key[8] = everywhere_;
    auto [it, fresh] = table_.try_emplace(key, inst.dst);
    if (!fresh) {
      names_[inst.dst] = it->second;
      return false;
    }
    log_.push_back({key, depth_});
    return true;
  }

  void visit(MInst &) {}
  void visit(LoopNode &loop) {
    rename(loop.count);
    note(loop.body);
    region(loop.body);
  }
  void visit(IfNode &node) {
    rename(node.cond);
    region(node.then);
    note(node.then);  // the other side comes next in the text
    region(node.otherwise);
  }
  void visit(WhileNode &node) {
    note(node.before);
    note(node.body);
    region(node.before);
    rename(node.cond);
    region(node.body);
  }

  RegFacts facts_;
  std::vector<Reg> names_;
  std::map<Key, Reg> table_;
  std::vector<std::pair<Key, int>> log_;  // what the table holds, with the depth of its scope
  int depth_ = 0;
  std::map<int32_t, int64_t> versions_;  // by region: stores so far
  int64_t everywhere_ = 0;
};

}  // namespace

void SideEffects::add(const MInst &inst) {
  calls |= isCall(inst);
  storesAnywhere |= unitOf(inst) == Unit::Dma;
  if (inst.op != Op::VSt) return;
  if (inst.region < 0)
    storesAnywhere = true;
  else
    stored.insert(inst.region);
}

void SideEffects::add(const Region &nodes) {
  for (const Node &node : nodes) {
    if (auto *inst = std::get_if<MInst>(&node.value)) {
      add(*inst);
    } else if (auto *loop = std::get_if<LoopNode>(&node.value)) {
      add(loop->body);
    } else if (auto *branch = std::get_if<IfNode>(&node.value)) {
      add(branch->then);
      add(branch->otherwise);
    } else {
      add(std::get<WhileNode>(node.value).before);
      add(std::get<WhileNode>(node.value).body);
    }
  }
}

bool isPure(const MInst &inst) {
  if (inst.dst < 0 || inst.op == Op::XTrPop || inst.op == Op::SLdw || inst.op == Op::SLdd) return false;
  Unit unit = unitOf(inst);
  return unit == Unit::Scalar || unit == Unit::VAlu || unit == Unit::Eup || unit == Unit::Xlu;
}

RegFacts collectFacts(const machine::Routine &routine) {
  size_t n = routine.regs.size();
  RegFacts facts{std::vector<int>(n, 0), std::vector<int>(n, 0), std::vector<char>(n, 0)};
  for (Reg r : {routine.gridStart, routine.gridCount})
    if (r >= 0) facts.defs[r]++;
  FactCollector(facts).region(routine.body);
  return facts;
}

void eliminateCommon(machine::Routine &routine) { Numbering numbering(routine); }

void tidy(machine::Routine &routine, const Resources &resources) {
  foldConstants(routine);
  eliminateCommon(routine);
  hoistInvariants(routine);
  eliminateCommon(routine);
  reduceStrength(routine);
  unrollShortLoops(routine, resources);
  foldConstants(routine);
  hoistInvariants(routine);  // the new counters' starts
  eliminateCommon(routine);
  sinkConstants(routine);
}

}  // namespace tpuc::schedule
