// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folding of constants into immediates and of sums of constants, over registers that are assigned once.
#include <unordered_map>

#include "passes/schedule/tidy.h"

namespace tpuc::schedule {
namespace {

using machine::IfNode;
using machine::LoopNode;
using machine::Node;
using machine::Region;
using machine::WhileNode;

class Folder {
 public:
  explicit Folder(machine::Routine &routine) : facts_(collectFacts(routine)) { region(routine.body); }

 private:
  void region(Region &nodes) {
    for (Node &node : nodes) std::visit([&](auto &n) { visit(n); }, node.value);
  }

  bool stable(Reg r) const { return r >= 0 && facts_.single(r) && !facts_.readBeforeDef[r]; }
  const int64_t *constant(Reg r) const {
    auto it = constants_.find(r);
    return it == constants_.end() ? nullptr : &it->second;
  }

  void visit(MInst &inst) {
    forEachUse(inst, [&](Reg &r) {
      if (auto it = copies_.find(r); it != copies_.end()) r = it->second;
    });
    commute(inst);
    immediates(inst);
    evaluate(inst);
    if (!stable(inst.dst)) return;
    if (inst.op == Op::SLi) constants_[inst.dst] = inst.imm;
    bool copy = inst.op == Op::SAdd && inst.src[1] == kNone && fieldOf(inst, "imm") == 0;
    if (copy && stable(inst.src[0])) copies_[inst.dst] = inst.src[0];
  }

  // A constant goes last.
  void commute(MInst &inst) {
    switch (inst.op) {
      case Op::SAdd:
      case Op::SMul:
      case Op::SAnd:
      case Op::SOr:
      case Op::SXor:
      case Op::SMin:
      case Op::SMax:
      case Op::SEq:
      case Op::SNe:
        if (inst.src[1] >= 0 && constant(inst.src[0]) && !constant(inst.src[1])) std::swap(inst.src[0], inst.src[1]);
        break;
      default:
        break;
    }
  }

  // A constant operand that the instruction has an immediate for.
  void immediates(MInst &inst) {
    const isa::InstInfo &info = isa::info(inst.op);
    for (int slot = 0; slot < info.numSources; ++slot)
      if (const int64_t *c = constant(inst.src[slot]);
          c && info.sources[slot].orImm && info.field("imm") && setFieldOf(inst, "imm", *c))
        inst.src[slot] = kNone;
  }

  void evaluate(MInst &inst) {
    const int64_t *a = constant(inst.src[0]);
    bool immediate = inst.src[1] == kNone && isa::info(inst.op).numSources == 2 && isa::info(inst.op).sources[1].orImm;
    if (!a || !immediate) return;
    uint64_t x = static_cast<uint64_t>(*a), y = static_cast<uint64_t>(fieldOf(inst, "imm"));
    uint64_t value;
    switch (inst.op) {
      case Op::SAdd:
        value = x + y;
        break;
      case Op::SSub:
        value = x - y;
        break;
      case Op::SMul:
        value = x * y;
        break;
      case Op::SShl:
        value = x << (y & 63);
        break;
      default:
        return;
    }
    MInst li = makeInst(Op::SLi, inst.dst, {}, static_cast<int64_t>(value), inst.loc);
    inst = li;
  }

  void visit(LoopNode &loop) {
    if (const int64_t *c = constant(loop.count); c && *c >= 0 && *c <= INT32_MAX) {
      loop.count = kNone;
      loop.countImm = *c;
    }
    if (auto it = copies_.find(loop.count); it != copies_.end()) loop.count = it->second;
    region(loop.body);
  }
  void visit(IfNode &node) {
    if (auto it = copies_.find(node.cond); it != copies_.end()) node.cond = it->second;
    region(node.then);
    region(node.otherwise);
  }
  void visit(WhileNode &node) {
    region(node.before);
    if (auto it = copies_.find(node.cond); it != copies_.end()) node.cond = it->second;
    region(node.body);
  }

  RegFacts facts_;
  std::unordered_map<Reg, int64_t> constants_;
  std::unordered_map<Reg, Reg> copies_;
};

}  // namespace

void foldConstants(machine::Routine &routine) { Folder folder(routine); }

}  // namespace tpuc::schedule
