// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that keeps many values in registers may have too few left to be pipelined well; loads and constants in slots
// that are free cost nothing.
#include "passes/schedule/make_again.h"

#include <algorithm>
#include <unordered_map>

#include "passes/schedule/tidy.h"

namespace tpuc::schedule {
namespace {

using Makers = std::unordered_map<Reg, MInst>;  // what assigns a register

void collect(const machine::Region &nodes, const RegFacts &facts, Constants &out) {
  for (const machine::Node &node : nodes) {
    if (const MInst *inst = std::get_if<MInst>(&node.value)) {
      if (inst->op == Op::VLi && facts.single(inst->dst)) out[inst->dst] = *inst;
    } else if (const auto *loop = std::get_if<machine::LoopNode>(&node.value)) {
      collect(loop->body, facts, out);
    } else if (const auto *branch = std::get_if<machine::IfNode>(&node.value)) {
      collect(branch->then, facts, out);
      collect(branch->otherwise, facts, out);
    } else {
      collect(std::get<machine::WhileNode>(node.value).before, facts, out);
      collect(std::get<machine::WhileNode>(node.value).body, facts, out);
    }
  }
}

// The loads that assign invariants in `before` and find the same words in the loop.
Makers repeatableLoads(const std::vector<MInst> &insts, const std::vector<MInst> &before,
                       const std::vector<Reg> &invariants) {
  SideEffects effects;  // of what follows in `before`, and of the loop
  std::vector<Reg> written;
  auto pass = [&](const MInst &inst) {
    effects.add(inst);
    if (inst.dst >= 0) written.push_back(inst.dst);
  };
  for (const MInst &inst : insts) pass(inst);
  Makers out;
  for (size_t i = before.size(); i-- > 0;) {
    const MInst &inst = before[i];
    auto isWritten = [&](Reg r) { return std::find(written.begin(), written.end(), r) != written.end(); };
    bool same = inst.op == Op::VLd && effects.keeps(inst.region) && !isWritten(inst.dst);
    forEachUse(inst, [&](Reg r) { same &= !isWritten(r); });
    if (same && std::binary_search(invariants.begin(), invariants.end(), inst.dst)) out[inst.dst] = inst;
    pass(inst);
  }
  return out;
}

// Takes as many of `from` into `into` as an instruction's unit has room for beside `insts`.
void takeSome(const Makers &from, const std::vector<MInst> &insts, int ii, const Resources &resources, Makers &into) {
  if (from.empty()) return;
  const int unit = resources.demand(from.begin()->second).cls;
  std::unordered_map<Reg, int> uses;
  int room = ii * resources.limit(unit);
  for (const MInst &inst : insts) {
    const Demand demand = resources.demand(inst);
    if (demand.cls == unit || demand.shared == unit) --room;
    forEachUse(inst, [&](Reg r) { ++uses[r]; });
  }
  std::vector<Reg> order;
  for (const auto &[reg, maker] : from) order.push_back(reg);
  std::sort(order.begin(), order.end(), [&](Reg a, Reg b) { return uses[a] != uses[b] ? uses[a] < uses[b] : a < b; });
  order.resize(std::clamp(room, 0, static_cast<int>(order.size())));
  for (Reg r : order) into[r] = from.at(r);
}

}  // namespace

Constants constantsOf(const machine::Routine &routine) {
  Constants out(routine.regs.size());
  collect(routine.body, collectFacts(routine), out);
  return out;
}

std::optional<std::vector<MInst>> makeAgain(const std::vector<MInst> &insts, const std::vector<MInst> &before,
                                            const std::vector<Reg> &invariants, const Constants &constants, int ii,
                                            const Resources &resources, Flow &flow) {
  Makers isConstant, makers;
  for (Reg r : invariants)
    if (static_cast<size_t>(r) < constants.size() && constants[r]) isConstant[r] = *constants[r];
  takeSome(repeatableLoads(insts, before, invariants), insts, ii, resources, makers);
  takeSome(isConstant, insts, ii, resources, makers);
  if (makers.empty()) return std::nullopt;
  std::unordered_map<Reg, Reg> names;
  std::vector<MInst> out;
  for (MInst inst : insts) {
    forEachUse(inst, [&](Reg &r) {
      auto maker = makers.find(r);
      if (maker == makers.end()) return;
      auto [name, isNew] = names.try_emplace(r, kNone);
      if (isNew) {
        MInst made = maker->second;
        made.dst = name->second = flow.newReg(RegKind::V);
        out.push_back(made);
      }
      r = name->second;
    });
    out.push_back(inst);
  }
  return out;
}

}  // namespace tpuc::schedule
