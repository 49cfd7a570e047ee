// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/executor/jit_graph.h"

#include "runtime/executor/jit_lanes.h"

namespace tpuc::exec::jit {
namespace {

using isa::Op;

// Prefix 66 is 1, F3 is 2, F2 is 3; maps 0F, 0F38, 0F3A are 1, 2, 3.
constexpr Evex kAdd{1, 0, 0x58}, kSub{1, 0, 0x5c}, kMul{1, 0, 0x59}, kMaxPs{1, 0, 0x5f};
constexpr Evex kAnd{1, 1, 0xdb}, kOr{1, 1, 0xeb}, kXor{1, 1, 0xef};
constexpr Evex kAddI{1, 1, 0xfe}, kSubI{1, 1, 0xfa}, kMulI{2, 1, 0x40};
constexpr Evex kMinS{2, 1, 0x39}, kMaxS{2, 1, 0x3d}, kMinU{2, 1, 0x3b}, kMaxU{2, 1, 0x3f};
constexpr Evex kShl{2, 1, 0x47}, kShru{2, 1, 0x45}, kShrs{2, 1, 0x46}, kClz{2, 1, 0x44};
constexpr Evex kToInt{1, 2, 0x5b}, kToUint{1, 0, 0x78}, kFromInt{1, 0, 0x5b}, kFromUint{1, 3, 0x7a};

constexpr Evex range(bool max) { return {3, 1, 0x50, max ? 5 : 4}; }
constexpr Evex round(int mode) { return {3, 1, 0x08, 8 | mode}; }
constexpr Evex compareF(int predicate) { return {1, 0, 0xc2, predicate}; }
constexpr Evex compareI(int predicate, bool isSigned) {
  return {3, 1, static_cast<uint8_t>(isSigned ? 0x1f : 0x1e), predicate};
}
// Predicates: quiet, and as vpcmpd counts them.
constexpr int kEqF = 0, kUnordered = 3, kNeF = 4, kGeF = 0x1d, kLtF = 0x11, kLeF = 0x12, kEqI = 0, kLtI = 1, kLeI = 2,
              kNeI = 4;

}  // namespace

Value Graph::push(Node node, bool raw) {
  node.dst = static_cast<Value>(raw_.size());
  raw_.push_back(raw);
  canonicalOf_.push_back(kNothing);
  nodes_.push_back(node);
  return node.dst;
}

Value Graph::binary(const Evex &code, Value a, Value b, bool raw) {
  return push({Kind::Binary, 0, a, b, kNothing, kNothing, code}, raw);
}
Value Graph::unary(const Evex &code, Value a, bool raw) {
  return push({Kind::Unary, 0, a, kNothing, kNothing, kNothing, code}, raw);
}
Value Graph::shift(uint8_t opcode, int extension, Value a, int by) {
  Node n{Kind::ShiftImm, 0, a, kNothing, kNothing, kNothing, {1, 1, opcode, by}};
  n.imm = extension;
  return push(n, false);
}
Value Graph::fma(Value a, Value b, Value c) { return push({Kind::Fma, 0, a, b, c}, true); }
Value Graph::select(Value mask, Value a, Value b) {
  return push({Kind::Select, 0, a, b, kNothing, mask}, raw_[a] || raw_[b]);
}
Value Graph::compare(const Evex &code, Value a, Value b) {
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

bool Graph::addMove(const DInst &i, int slot) {
  Node n{Kind::Load};
  n.imm = slot;
  switch (i.op) {
    case Op::VLd:
      n.stride = i.aux;
      setVreg(i.dst, push(n, false));
      return true;
    case Op::VSt:
      n.kind = Kind::Store;
      n.stride = i.aux;
      n.a = canonical(vreg(i.a));
      if (i.m != exec::kNone) n.mask = mask(i.m);
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
      setVreg(i.dst, binary(kAdd, vreg(i.a), vreg(i.b), true));
      return true;
    case Op::VFSub:
      setVreg(i.dst, binary(kSub, vreg(i.a), vreg(i.b), true));
      return true;
    case Op::VFMul:
      setVreg(i.dst, binary(kMul, vreg(i.a), vreg(i.b), true));
      return true;
    case Op::VFma:
      setVreg(i.dst, fma(vreg(i.a), vreg(i.b), vreg(i.c)));
      return true;
    case Op::VFMin:
    case Op::VFMax:
      setVreg(i.dst,
              push({Kind::MinMax, 0, vreg(i.a), vreg(i.b), kNothing, kNothing, range(i.op == Op::VFMax)}, false));
      return true;
    default:
      return false;
  }
}

bool Graph::addInteger(const DInst &i) {
  auto set = [&](const Evex &code) {
    setVreg(i.dst, binary(code, canonical(vreg(i.a)), canonical(vreg(i.b))));
    return true;
  };
  switch (i.op) {
    case Op::VAddI:
      return set(kAddI);
    case Op::VSubI:
      return set(kSubI);
    case Op::VMulI:
      return set(kMulI);
    case Op::VMinI:
      return set(kMinS);
    case Op::VMaxI:
      return set(kMaxS);
    case Op::VMinU:
      return set(kMinU);
    case Op::VMaxU:
      return set(kMaxU);
    case Op::VAnd:
      return set(kAnd);
    case Op::VOr:
      return set(kOr);
    case Op::VXor:
      return set(kXor);
    case Op::VShl:
      return set(kShl);
    case Op::VShr:
      return set(kShrs);
    case Op::VShru:
      return set(kShru);
    case Op::VClz:
      setVreg(i.dst, unary(kClz, canonical(vreg(i.a))));
      return true;
    default:
      return false;
  }
}

bool Graph::addCompare(const DInst &i) {
  auto floats = [&](int predicate) {
    setMask(i.dst, compare(compareF(predicate), vreg(i.a), vreg(i.b)));
    return true;
  };
  auto ints = [&](int predicate, bool isSigned) {
    setMask(i.dst, compare(compareI(predicate, isSigned), canonical(vreg(i.a)), canonical(vreg(i.b))));
    return true;
  };
  auto masks = [&](uint8_t opcode) {
    setMask(i.dst, push({Kind::MaskOp, 0, mask(i.a), mask(i.b), kNothing, kNothing, {1, 0, opcode}}, false));
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
      return ints(kEqI, true);
    case Op::VNeI:
      return ints(kNeI, true);
    case Op::VLtI:
      return ints(kLtI, true);
    case Op::VLeI:
      return ints(kLeI, true);
    case Op::VLtU:
      return ints(kLtI, false);
    case Op::VLeU:
      return ints(kLeI, false);
    case Op::MAnd:
      return masks(0x41);
    case Op::MOr:
      return masks(0x45);
    case Op::MXor:
      return masks(0x47);
    case Op::MLi: {
      Value zero = constant(0u);
      setMask(i.dst, compare(compareI(i.imm ? kEqI : kNeI, true), zero, zero));
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
      setVreg(i.dst, unary(round(static_cast<int>(i.imm)), a, true));
      return true;
    case Op::VI2F:
      setVreg(i.dst, unary(kFromInt, canonical(a)));
      return true;
    case Op::VU2F:
      setVreg(i.dst, unary(kFromUint, canonical(a)));
      return true;
    case Op::VF2I: {  // the processor gives 2^31 for NaN and whatever is too large
      Value large = compare(compareF(kGeF), a, constant(2147483648.0f)), nan = compare(compareF(kUnordered), a, a);
      Value r = select(large, constant(0x7fffffffu), unary(kToInt, a));
      setVreg(i.dst, select(nan, constant(0u), r));
      return true;
    }
    case Op::VF2U:  // the second operand of vmaxps where one is a NaN; 2^32 - 1 for what is too large
      setVreg(i.dst, unary(kToUint, binary(kMaxPs, a, constant(0.0f))));
      return true;
    case Op::VF2B: {
      Value odd = binary(kAnd, shift(0x72, 2, a, 16), constant(1u));
      Value rounded = shift(0x72, 2, binary(kAddI, binary(kAddI, a, constant(0x7fffu)), odd), 16);
      setVreg(i.dst, select(compare(compareF(kUnordered), a, a), constant(0x7fc0u), rounded));
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
