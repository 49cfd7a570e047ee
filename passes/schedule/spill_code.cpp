// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spill code: vregs in VMEM, masks as vregs of ones and zeros, scalars in SMEM; addresses are offsets from s31 (zero).
#include "passes/schedule/spill_code.h"

namespace tpuc::schedule {
namespace {

constexpr int32_t kSpillRegion = 0x7fff0000;  // of VMEM: no other access overlaps it

}  // namespace

SpillCode::SpillCode(Flow &flow, RegKind kind, SpillFrame &frame) : flow_(flow), kind_(kind), frame_(frame) {
  made_.assign(flow.regs.size(), kUnknown);
  maker_.resize(flow.regs.size());
  std::vector<int> defs(flow.regs.size(), 0);
  for (Reg r : {flow.gridStart, flow.gridCount})
    if (r >= 0) made_[r] = kNotMade;  // assigned at entry
  for (const Block &block : flow.blocks)
    for (const MInst &inst : block.insts) {
      if (inst.dst < 0) continue;
      defs[inst.dst]++;
      maker_[inst.dst] = inst;
    }
  for (Reg r = 0; r < static_cast<Reg>(defs.size()); ++r)
    if (defs[r] != 1) made_[r] = kNotMade;
}

// Instructions that make it from nothing, at most kMostMade, or kNotMade.
int SpillCode::lengthOf(Reg r) {
  if (made_[r] != kUnknown) return made_[r];
  made_[r] = kNotMade;
  const MInst &inst = maker_[r];
  bool combines = inst.op == Op::VXor || inst.op == Op::VAnd || inst.op == Op::VNeI;
  if (!combines && !makesConstant(inst.op)) return kNotMade;
  int length = 1;
  for (Reg s : inst.src)
    if (combines && s != kNone) length += s >= 0 ? lengthOf(s) : kNotMade;
  return made_[r] = length <= kMostMade ? length : kNotMade;
}

void SpillCode::make(Reg r, Reg into, std::vector<MInst> &out) {
  MInst inst = maker_[r];
  inst.dst = into;
  if (!makesConstant(inst.op))
    for (Reg &s : inst.src)
      if (s >= 0) {
        Reg operand = flow_.newReg(flow_.regs[s]);
        make(s, operand, out);
        s = operand;
      }
  out.push_back(inst);
}

int SpillCode::slotOf(Reg r, bool isLocal) {
  auto [it, inserted] = frame_.slots.try_emplace(r, 0);
  if (!inserted) return it->second;
  if (isLocal && !free_.empty()) {
    it->second = free_.back();
    free_.pop_back();
  } else {
    it->second = static_cast<int>((kind_ == RegKind::S ? frame_.smemSlots : frame_.vmemSlots)++);
  }
  return it->second;
}

void SpillCode::release(Reg r) {
  auto it = frame_.slots.find(r);
  if (it == frame_.slots.end()) return;
  free_.push_back(it->second);
  frame_.slots.erase(it);
}

MInst SpillCode::vectorAccess(Op op, Reg value, int slot) const {
  MInst inst = op == Op::VLd ? makeInst(op, value, {kZero}, 0, -1) : makeInst(op, kNone, {value, kZero}, 0, -1);
  setFieldOf(inst, "off", frame_.vmemWord + int64_t{isa::kSublanes} * slot);
  setFieldOf(inst, "stride", 1);
  inst.region = kSpillRegion + slot % 0x8000;
  return inst;
}

Reg SpillCode::constantVreg(int64_t bits, std::vector<MInst> &out) {
  Reg r = flow_.newReg(RegKind::V);
  out.push_back(makeInst(Op::VLi, r, {}, bits, -1));
  return r;
}

void SpillCode::store(Reg r, std::vector<MInst> &out, bool isLocal) {
  frame_.stores++;
  int slot = slotOf(r, isLocal);
  if (kind_ == RegKind::S) {
    out.push_back(makeInst(Op::SStd, kNone, {r, kZero}, frame_.smemByte + 8 * int64_t{slot}, -1));
  } else if (kind_ == RegKind::V) {
    out.push_back(vectorAccess(Op::VSt, r, slot));
  } else {
    Reg one = constantVreg(1, out), zero = constantVreg(0, out), bits = flow_.newReg(RegKind::V);
    out.push_back(makeInst(Op::VSel, bits, {r, one, zero}, 0, -1));
    out.push_back(vectorAccess(Op::VSt, bits, slot));
  }
}

void SpillCode::load(Reg r, std::vector<MInst> &out) {
  if (remakable(r)) return make(r, r, out);
  frame_.loads++;
  int slot = slotOf(r, false);
  if (kind_ == RegKind::S) {
    out.push_back(makeInst(Op::SLdd, r, {kZero}, frame_.smemByte + 8 * int64_t{slot}, -1));
  } else if (kind_ == RegKind::V) {
    out.push_back(vectorAccess(Op::VLd, r, slot));
  } else {
    Reg bits = flow_.newReg(RegKind::V), zero = constantVreg(0, out);
    out.push_back(vectorAccess(Op::VLd, bits, slot));
    out.push_back(makeInst(Op::VNeI, r, {bits, zero}, 0, -1));
  }
}

}  // namespace tpuc::schedule
