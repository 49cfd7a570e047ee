// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checking mode: vector ALU, transcendental and cross-lane units. Shadows are bits of the same lanes.
#include <algorithm>
#include <cstring>

#include "runtime/executor/check.h"
#include "runtime/executor/kernels.h"
#include "runtime/executor/program.h"

namespace tpuc::exec {
namespace {

using isa::Op;

constexpr int kLanes = 1024;
constexpr int kScratch = kVregs - 1;  // a hidden register of the shadow core

uint32_t whole(uint32_t bits) { return bits ? ~0u : 0; }
// From the lowest garbage bit up: where a carry can bring it.
uint32_t upward(uint32_t bits) { return bits | (0 - bits); }

// Lane by lane from the shadows of a, b and c (0 for absent ones).
template <typename Fn>
const DInst *lanes(Core &core, const DInst *i, Fn fn) {
  Checker &c = *core.checker;
  static const uint32_t clean[kLanes] = {};
  const isa::InstInfo &info = isa::info(i->op);
  const uint8_t regs[] = {i->a, i->b, i->c};
  const uint32_t *s[3], *v[3];
  for (int k = 0; k < 3; ++k) {
    bool vreg = k < info.numSources && info.sources[k].kind == isa::RegKind::V;
    s[k] = vreg ? c.vreg(regs[k]) : clean;
    v[k] = vreg ? reinterpret_cast<const uint32_t *>(core.vreg(regs[k])) : clean;
  }
  uint32_t out[kLanes];
  for (int l = 0; l < kLanes; ++l) out[l] = fn(l, s, v);
  const DInst *next = runInner(core, i);
  if (next && info.result == isa::RegKind::V) std::memcpy(c.vreg(i->dst), out, sizeof out);
  if (next && info.result == isa::RegKind::M)
    for (int l = 0; l < kLanes; ++l) c.mask(i->dst)[l] = out[l] != 0;
  return next;
}

using Sources = const uint32_t *const *;

const DInst *anyBit(Core &core, const DInst *i) {
  return lanes(core, i, [](int l, Sources s, Sources) { return whole(s[0][l] | s[1][l] | s[2][l]); });
}
const DInst *carries(Core &core, const DInst *i) {
  return lanes(core, i, [](int l, Sources s, Sources) { return upward(s[0][l] | s[1][l]); });
}
// A clean zero bit makes an AND clean, a clean one bit an OR.
const DInst *andBits(Core &core, const DInst *i) {
  return lanes(core, i, [](int l, Sources s, Sources v) {
    return (s[0][l] | s[1][l]) & (s[0][l] | v[0][l]) & (s[1][l] | v[1][l]);
  });
}
const DInst *orBits(Core &core, const DInst *i) {
  return lanes(core, i, [](int l, Sources s, Sources v) {
    return (s[0][l] | s[1][l]) & (s[0][l] | ~v[0][l]) & (s[1][l] | ~v[1][l]);
  });
}
const DInst *xorBits(Core &core, const DInst *i) {
  return lanes(core, i, [](int l, Sources s, Sources) { return s[0][l] | s[1][l]; });
}
const DInst *shift(Core &core, const DInst *i) {
  return lanes(core, i, [op = i->op](int l, Sources s, Sources v) -> uint32_t {
    uint32_t a = s[0][l], by = v[1][l];
    if (s[1][l]) return ~0u;
    if (op == Op::VShr) return static_cast<uint32_t>(static_cast<int32_t>(a) >> std::min(by, 31u));
    return by >= 32 ? 0 : op == Op::VShl ? a << by : a >> by;
  });
}
// A narrowing to 16 bits: whole lanes, then their low halves.
const DInst *narrow(Core &core, const DInst *i) {
  return lanes(core, i, [](int l, Sources s, Sources) { return whole(s[0][l]) & 0xffff; });
}
const DInst *widen(Core &core, const DInst *i) {
  return lanes(core, i, [](int l, Sources s, Sources) { return whole(s[0][l] & 0xffff); });
}
const DInst *select(Core &core, const DInst *i) {
  const uint8_t *m = core.mask(i->a), *unknown = core.checker->mask(i->a);
  return lanes(core, i, [=](int l, Sources s, Sources v) -> uint32_t {
    if (unknown[l]) return s[1][l] | s[2][l] | (v[1][l] ^ v[2][l]);
    return m[l] ? s[1][l] : s[2][l];
  });
}
const DInst *constant(Core &core, const DInst *i) {
  return lanes(core, i, [](int, Sources, Sources) { return 0u; });
}
const DInst *splat(Core &core, const DInst *i) {
  uint32_t bits = core.checker->scalar[i->a] ? ~0u : 0;
  return lanes(core, i, [=](int, Sources, Sources) { return bits; });
}
const DInst *toScalar(Core &core, const DInst *i) {
  core.checker->scalar[i->dst] = core.checker->vreg(i->a)[0] != 0;
  return runInner(core, i);
}

const DInst *maskConstant(Core &core, const DInst *i) {
  std::memset(core.checker->mask(i->dst), 0, kMaskBytes);
  return runInner(core, i);
}
// Garbage goes through mask instructions as through andBits and orBits.
const DInst *maskBinary(Core &core, const DInst *i) {
  Checker &c = *core.checker;
  const uint8_t *a = core.mask(i->a), *b = core.mask(i->b), *sa = c.mask(i->a), *sb = c.mask(i->b);
  uint8_t out[kMaskBytes];
  for (int l = 0; l < kMaskBytes; ++l) {
    bool any = sa[l] | sb[l];
    if (i->op == Op::MAnd) any = any && (sa[l] | a[l]) && (sb[l] | b[l]);
    if (i->op == Op::MOr) any = any && (sa[l] | !a[l]) && (sb[l] | !b[l]);
    out[l] = any;
  }
  const DInst *next = runInner(core, i);
  std::memcpy(c.mask(i->dst), out, sizeof out);
  return next;
}

// The handler on the shadow core: bits move as the data's do.
const DInst *moved(Core &core, const DInst *i) {
  Core &shadow = core.checker->shadow;
  std::copy(core.s, core.s + kScalars, shadow.s);
  i->inner(shadow, i);
  return runInner(core, i);
}
const DInst *movedBySource(Core &core, const DInst *i) {
  bool unknown = i->b != kNone && core.checker->scalar[i->b];
  const DInst *next = moved(core, i);
  if (unknown) std::memset(core.checker->vreg(i->dst), 0xff, isa::kVregBytes);
  return next;
}
const DInst *packBf16(Core &core, const DInst *i) {
  Checker &c = *core.checker;
  uint32_t saved[2][kLanes];  // sources may be one register, and the destination either
  const uint8_t regs[] = {i->a, i->b};
  for (int k = 0; k < 2; ++k) std::memcpy(saved[k], c.vreg(regs[k]), sizeof saved[k]);
  DInst pack = *i;
  pack.a = kScratch;
  pack.b = kScratch - 1;
  for (int l = 0; l < kLanes; ++l) {
    c.vreg(kScratch)[l] = whole(saved[0][l]);
    c.vreg(kScratch - 1)[l] = whole(saved[1][l]);
  }
  core.kernels->handlers[static_cast<int>(Op::VPack16)](c.shadow, &pack);
  return runInner(core, i);
}
// Permutations by lanes of b: garbage positions give garbage.
const DInst *permute(Core &core, const DInst *i) {
  Checker &c = *core.checker;
  uint32_t unknown[kLanes];
  std::memcpy(unknown, c.vreg(i->b), sizeof unknown);
  std::memcpy(c.vreg(kScratch), core.vreg(i->b), isa::kVregBytes);
  DInst by = *i;
  by.b = kScratch;
  i->inner(c.shadow, &by);
  for (int l = 0; l < kLanes; ++l) c.vreg(i->dst)[l] |= whole(unknown[l]);
  return runInner(core, i);
}

// All of a sublane, or of a lane in all sublanes.
const DInst *reduce(Core &core, const DInst *i) {
  Checker &c = *core.checker;
  bool alongLanes = i->op == Op::XSumLaneF || i->op == Op::XMinLaneF || i->op == Op::XMaxLaneF ||
                    i->op == Op::XSumLaneI || i->op == Op::XMinLaneI || i->op == Op::XMaxLaneI;
  uint32_t any[128] = {};
  auto slot = [&](int l) -> uint32_t & { return any[alongLanes ? l / 128 : l % 128]; };
  for (int l = 0; l < kLanes; ++l) slot(l) |= whole(c.vreg(i->a)[l]);
  const DInst *next = runInner(core, i);
  for (int l = 0; l < kLanes; ++l) c.vreg(i->dst)[l] = slot(l);
  return next;
}

}  // namespace

Handler checkedVector(const DInst &i) {
  switch (i.op) {
    case Op::VLi:
    case Op::VLaneId:
    case Op::VSubId:
      return constant;
    case Op::VSplat:
      return splat;
    case Op::VAddI:
    case Op::VSubI:
    case Op::VMulI:
      return carries;
    case Op::VAnd:
      return andBits;
    case Op::VOr:
      return orBits;
    case Op::VXor:
      return xorBits;
    case Op::VShl:
    case Op::VShr:
    case Op::VShru:
      return shift;
    case Op::VF2B:
    case Op::VF2H:
      return narrow;
    case Op::VH2F:
      return widen;
    case Op::VSel:
      return select;
    case Op::MLi:
      return maskConstant;
    case Op::MAnd:
    case Op::MOr:
    case Op::MXor:
      return maskBinary;
    case Op::VToS:
      return toScalar;
    case Op::VPackB:
      return packBf16;
    case Op::VMov:
    case Op::VUnpackB:
    case Op::VPack16:
    case Op::VUnpack16:
    case Op::VPack8:
    case Op::VUnpack8:
    case Op::XTrPush:
    case Op::XTrPop:
      return moved;
    case Op::XRotLane:
    case Op::XRotSub:
    case Op::XBcastLane:
    case Op::XBcastSub:
      return movedBySource;
    case Op::XPermLane:
    case Op::XPermSub:
      return permute;
    default:
      break;
  }
  switch (isa::info(i.op).unit) {
    case isa::Unit::VAlu:
    case isa::Unit::Eup:
      return anyBit;
    case isa::Unit::Xlu:
      return reduce;
    default:
      return nullptr;
  }
}

}  // namespace tpuc::exec
