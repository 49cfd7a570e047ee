// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/executor/jit_graph.h"

#include "runtime/executor/jit_lanes.h"

namespace tpuc::exec::jit {
using isa::Op;

Value Graph::push(Node node, bool raw) {
  node.dst = static_cast<Value>(raw_.size());
  raw_.push_back(raw);
  canonicalOf_.push_back(kNothing);
  nodes_.push_back(node);
  return node.dst;
}

Value Graph::binary(Coded code, Value a, Value b, bool raw) {
  return push({Kind::Binary, 0, a, b, kNothing, kNothing, code}, raw);
}
Value Graph::unary(Coded code, Value a, bool raw) {
  return push({Kind::Unary, 0, a, kNothing, kNothing, kNothing, code}, raw);
}
Value Graph::fma(Value a, Value b, Value c) { return push({Kind::Fma, 0, a, b, c}, true); }
Value Graph::select(Value mask, Value a, Value b) {
  return push({Kind::Select, 0, a, b, kNothing, mask}, raw_[a] || raw_[b]);
}
Value Graph::compare(Coded code, Value a, Value b) {
  return push({Kind::Compare, 0, a, b, kNothing, kNothing, code}, false);
}

Value Graph::constant(uint32_t bits) {
  auto [it, added] = constants_.emplace(bits, kNothing);
  if (added) {
    Node n{Kind::Constant};
    n.imm = bits;
    it->second = push(n, false);
  }
  return it->second;
}

Value Graph::canonical(Value v) {
  if (!raw_[v]) return v;
  if (canonicalOf_[v] == kNothing) {
    Value made = push({Kind::Canonical, 0, v}, false);
    canonicalOf_[v] = made;
  }
  return canonicalOf_[v];
}

Value Graph::vreg(uint8_t reg) {
  if (auto it = vregs_.find(reg); it != vregs_.end()) return it->second;
  Node n{Kind::Home};
  n.imm = reg;
  return vregs_[reg] = homes_[reg] = push(n, false);
}

Value Graph::mask(uint8_t reg) {
  if (auto it = masks_.find(reg); it != masks_.end()) return it->second;
  Node n{Kind::MaskHome};
  n.imm = reg;
  return masks_[reg] = maskHomes_[reg] = push(n, false);
}

void Graph::finish(const LiveRegisters &live) {
  auto store = [&](Kind kind, const std::map<uint8_t, Value> &now, const std::map<uint8_t, Value> &before,
                   const auto &needed) {
    for (auto [reg, value] : std::map<uint8_t, Value>(now)) {
      auto it = before.find(reg);
      if (!needed[reg] || (it != before.end() && it->second == value)) continue;
      Node n{kind};
      n.a = kind == Kind::HomeStore ? canonical(value) : value;
      n.imm = reg;
      nodes_.push_back(n);
    }
  };
  store(Kind::HomeStore, vregs_, homes_, live.vregs);
  store(Kind::MaskStore, masks_, maskHomes_, live.masks);
}

Graph Graph::sideBySide(int groups) const {
  Graph out(extent_);
  std::vector<bool> common(raw_.size());
  auto valueOf = [&](Value v, int group) { return v == kNothing ? kNothing : v * groups + (common[v] ? 0 : group); };
  out.raw_.resize(raw_.size() * groups);
  for (const Node &n : nodes_) {
    const bool isCommon = n.kind == Kind::Constant || n.kind == Kind::Splat || n.kind == Kind::SublaneId;
    if (isCommon) common[n.dst] = true;
    for (int g = 0; g < (isCommon ? 1 : groups); ++g) {
      Node &node = out.nodes_.emplace_back(n);
      for (Value *v : {&node.dst, &node.a, &node.b, &node.c, &node.mask}) *v = valueOf(*v, g);
      node.group = g;
    }
  }
  return out;
}

Value Graph::position(Kind kind) { return push(Node{kind}, false); }

// Lanes that a load reads, or a store writes, of those that are computed; kNothing: all.
Value Graph::maskOf(const DInst &access) {
  Value all = access.m == exec::kNone ? kNothing : mask(access.m);
  auto also = [&](Kind kind, int first) {
    Value &inside = inside_.emplace(std::pair(kind, first), kNothing).first->second;
    if (inside == kNothing)
      inside = compare({Insn::CompareI, kLtI}, position(kind), constant(static_cast<uint32_t>(first)));
    all = all == kNothing ? inside : push({Kind::MaskOp, 0, all, inside, kNothing, kNothing, {Insn::And}}, false);
  };
  if (access.lanes < extent_.lanes) also(Kind::LaneId, access.lanes);
  if (access.sublanes < extent_.sublanes) also(Kind::SublaneId, access.sublanes);
  return all;
}

bool Graph::addMove(const DInst &i, int slot) {
  Node n{Kind::Load};
  n.imm = slot;
  switch (i.op) {
    case Op::VLd:
      n.stride = i.aux;
      n.mask = maskOf(i);
      setVreg(i.dst, push(n, false));
      return true;
    case Op::VSt:
      n.kind = Kind::Store;
      n.stride = i.aux;
      n.a = canonical(vreg(i.a));
      n.mask = maskOf(i);
      nodes_.push_back(n);
      return true;
    case Op::VSplat:
      n.kind = Kind::Splat;
      break;
    case Op::VLaneId:
      n.kind = Kind::LaneId;
      break;
    case Op::VSubId:
      n.kind = Kind::SublaneId;
      break;
    case Op::VLi:
      setVreg(i.dst, constant(static_cast<uint32_t>(i.imm)));
      return true;
    case Op::VMov:
      setVreg(i.dst, vreg(i.a));
      return true;
    case Op::VSel: {
      // Bits that only look like a NaN stay what they are, so a raw side is made canonical before it joins others.
      Value a = vreg(i.b), b = vreg(i.c);
      if (raw_[a] != raw_[b]) a = canonical(a), b = canonical(b);
      setVreg(i.dst, select(mask(i.a), a, b));
      return true;
    }
    default:
      return false;
  }
  setVreg(i.dst, push(n, false));
  return true;
}

bool Graph::addFloat(const DInst &i) {
  switch (i.op) {
    case Op::VFAdd:
      setVreg(i.dst, binary({Insn::AddF}, vreg(i.a), vreg(i.b), true));
      return true;
    case Op::VFSub:
      setVreg(i.dst, binary({Insn::SubF}, vreg(i.a), vreg(i.b), true));
      return true;
    case Op::VFMul:
      setVreg(i.dst, binary({Insn::MulF}, vreg(i.a), vreg(i.b), true));
      return true;
    case Op::VFma:
      setVreg(i.dst, fma(vreg(i.a), vreg(i.b), vreg(i.c)));
      return true;
    case Op::VFMin:
    case Op::VFMax:
      setVreg(i.dst, push({Kind::MinMax,
                           0,
                           vreg(i.a),
                           vreg(i.b),
                           kNothing,
                           kNothing,
                           {Insn::RangeF, i.op == Op::VFMax ? kMax : kMin}},
                          false));
      return true;
    default:
      return false;
  }
}

bool Graph::addInteger(const DInst &i) {
  auto set = [&](Insn insn) {
    setVreg(i.dst, binary({insn}, canonical(vreg(i.a)), canonical(vreg(i.b))));
    return true;
  };
  switch (i.op) {
    case Op::VAddI:
      return set(Insn::AddI);
    case Op::VSubI:
      return set(Insn::SubI);
    case Op::VMulI:
      return set(Insn::MulI);
    case Op::VMinI:
      return set(Insn::MinI);
    case Op::VMaxI:
      return set(Insn::MaxI);
    case Op::VMinU:
      return set(Insn::MinU);
    case Op::VMaxU:
      return set(Insn::MaxU);
    case Op::VAnd:
      return set(Insn::And);
    case Op::VOr:
      return set(Insn::Or);
    case Op::VXor:
      return set(Insn::Xor);
    case Op::VShl:
      return set(Insn::ShiftLeft);
    case Op::VShr:
      return set(Insn::ShiftRight);
    case Op::VShru:
      return set(Insn::ShiftRightU);
    case Op::VClz:
      setVreg(i.dst, unary({Insn::LeadingZeros}, canonical(vreg(i.a))));
      return true;
    default:
      return false;
  }
}

bool Graph::addCompare(const DInst &i) {
  auto floats = [&](FloatPredicate predicate) {
    setMask(i.dst, compare({Insn::CompareF, predicate}, vreg(i.a), vreg(i.b)));
    return true;
  };
  auto ints = [&](IntPredicate predicate, Insn insn = Insn::CompareI) {
    setMask(i.dst, compare({insn, predicate}, canonical(vreg(i.a)), canonical(vreg(i.b))));
    return true;
  };
  auto masks = [&](Insn insn) {
    setMask(i.dst, push({Kind::MaskOp, 0, mask(i.a), mask(i.b), kNothing, kNothing, {insn}}, false));
    return true;
  };
  switch (i.op) {
    case Op::VEqF:
      return floats(kEqF);
    case Op::VNeF:
      return floats(kNeF);
    case Op::VLtF:
      return floats(kLtF);
    case Op::VLeF:
      return floats(kLeF);
    case Op::VEqI:
      return ints(kEqI);
    case Op::VNeI:
      return ints(kNeI);
    case Op::VLtI:
      return ints(kLtI);
    case Op::VLeI:
      return ints(kLeI);
    case Op::VLtU:
      return ints(kLtI, Insn::CompareU);
    case Op::VLeU:
      return ints(kLeI, Insn::CompareU);
    case Op::MAnd:
      return masks(Insn::And);
    case Op::MOr:
      return masks(Insn::Or);
    case Op::MXor:
      return masks(Insn::Xor);
    case Op::MLi: {
      Value zero = constant(0u);
      setMask(i.dst, compare({Insn::CompareI, i.imm ? kEqI : kNeI}, zero, zero));
      return true;
    }
    default:
      return false;
  }
}

bool Graph::addConversion(const DInst &i) {
  Value a = vreg(i.a);
  switch (i.op) {
    case Op::VRound:
      if (i.imm > 3) return false;
      setVreg(i.dst, unary({Insn::RoundF, static_cast<uint8_t>(8 | i.imm)}, a, true));
      return true;
    case Op::VI2F:
      setVreg(i.dst, unary({Insn::FromInt}, canonical(a)));
      return true;
    case Op::VU2F:
      setVreg(i.dst, unary({Insn::FromUint}, canonical(a)));
      return true;
    case Op::VF2I: {  // the processor gives 2^31 for NaN and whatever is too large
      Value large = compare({Insn::CompareF, kGeF}, a, constant(2147483648.0f)),
            nan = compare({Insn::CompareF, kUnordered}, a, a);
      Value r = select(large, constant(0x7fffffffu), unary({Insn::ToInt}, a));
      setVreg(i.dst, select(nan, constant(0u), r));
      return true;
    }
    case Op::VF2U:  // the second operand of vmaxps where one is a NaN; 2^32 - 1 for what is too large
      setVreg(i.dst, unary({Insn::ToUint}, binary({Insn::MaxF}, a, constant(0.0f))));
      return true;
    case Op::VF2B: {
      Value odd = binary({Insn::And}, unary({Insn::ShiftRightUBy, 16}, a), constant(1u));
      Value rounded =
          unary({Insn::ShiftRightUBy, 16}, binary({Insn::AddI}, binary({Insn::AddI}, a, constant(0x7fffu)), odd));
      setVreg(i.dst, select(compare({Insn::CompareF, kUnordered}, a, a), constant(0x7fc0u), rounded));
      return true;
    }
    default:
      return false;
  }
}

bool Graph::addTranscendental(const DInst &i) {
  Lanes t{this};
  Lanes::F a{this, vreg(i.a)};
  Value r = kNothing;
  switch (i.op) {
    case Op::EExp2:
      r = exp2f1(t, a).id;
      break;
    case Op::ELog2:
      r = log2f1(t, a).id;
      break;
    case Op::ETanh:
      r = tanhf1(t, a).id;
      break;
    case Op::ERcp:
      r = rcpf1(t, a).id;
      break;
    case Op::ERsqrt:
      r = rsqrtf1(t, a).id;
      break;
    default:
      return false;
  }
  raw_[r] = false;  // each ends with a select of the canonical NaN
  setVreg(i.dst, r);
  return true;
}

bool Graph::add(const DInst &i, int slot) {
  return addMove(i, slot) || addFloat(i) || addInteger(i) || addCompare(i) || addTranscendental(i) || addConversion(i);
}

bool Graph::supports(const DInst &i) {
  switch (i.op) {
    case Op::VMulhU:
    case Op::VPopcnt:
    case Op::VF2H:
    case Op::VH2F:
    case Op::ESin:
    case Op::ECos:
      return false;
    case Op::VRound:
      return i.imm < 4;
    default:
      return true;
  }
}

}  // namespace tpuc::exec::jit
