// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scalar unit.
#include <cmath>
#include <cstring>

#include "runtime/executor/program.h"

namespace tpuc::exec {
namespace {

using isa::Op;

template <int64_t (*kFn)(int64_t, int64_t), bool kImmediate>
const DInst *binary(Core &core, const DInst *i) {
  core.s[i->dst] = kFn(core.s[i->a], kImmediate ? i->imm : core.s[i->b]);
  return i + 1;
}

int64_t wrap(uint64_t v) { return static_cast<int64_t>(v); }
uint64_t u(int64_t v) { return static_cast<uint64_t>(v); }
float low(int64_t v) {
  uint32_t bits = static_cast<uint32_t>(v);
  float f;
  std::memcpy(&f, &bits, sizeof f);
  return f;
}
int64_t asF32(float f) {
  uint32_t bits;
  std::memcpy(&bits, &f, sizeof f);
  return f == f ? bits : 0x7fc00000;
}

int64_t add(int64_t a, int64_t b) { return wrap(u(a) + u(b)); }
int64_t sub(int64_t a, int64_t b) { return wrap(u(a) - u(b)); }
int64_t mul(int64_t a, int64_t b) { return wrap(u(a) * u(b)); }
int64_t div(int64_t a, int64_t b) { return b == 0 ? -1 : b == -1 ? wrap(0 - u(a)) : a / b; }
int64_t rem(int64_t a, int64_t b) { return b == 0 ? a : b == -1 ? 0 : a % b; }
int64_t andOp(int64_t a, int64_t b) { return a & b; }
int64_t orOp(int64_t a, int64_t b) { return a | b; }
int64_t xorOp(int64_t a, int64_t b) { return a ^ b; }
int64_t shl(int64_t a, int64_t b) { return wrap(u(a) << (b & 63)); }
int64_t shr(int64_t a, int64_t b) { return a >> (b & 63); }
int64_t shru(int64_t a, int64_t b) { return wrap(u(a) >> (b & 63)); }
int64_t min(int64_t a, int64_t b) { return a < b ? a : b; }
int64_t max(int64_t a, int64_t b) { return a > b ? a : b; }
int64_t eq(int64_t a, int64_t b) { return a == b; }
int64_t ne(int64_t a, int64_t b) { return a != b; }
int64_t lt(int64_t a, int64_t b) { return a < b; }
int64_t le(int64_t a, int64_t b) { return a <= b; }
int64_t ltu(int64_t a, int64_t b) { return u(a) < u(b); }
int64_t fadd(int64_t a, int64_t b) { return asF32(low(a) + low(b)); }
int64_t fsub(int64_t a, int64_t b) { return asF32(low(a) - low(b)); }
int64_t fmul(int64_t a, int64_t b) { return asF32(low(a) * low(b)); }
int64_t flt(int64_t a, int64_t b) { return low(a) < low(b); }
int64_t feq(int64_t a, int64_t b) { return low(a) == low(b); }

const DInst *li(Core &core, const DInst *i) {
  core.s[i->dst] = i->imm;
  return i + 1;
}
const DInst *sext32(Core &core, const DInst *i) {
  core.s[i->dst] = static_cast<int32_t>(core.s[i->a]);
  return i + 1;
}
const DInst *sel(Core &core, const DInst *i) {
  core.s[i->dst] = core.s[i->a] ? core.s[i->b] : core.s[i->c];
  return i + 1;
}

template <typename T>
const DInst *load(Core &core, const DInst *i) {
  int64_t at = add(core.s[i->a], i->imm);
  if (at < 0 || at > core.smemBytes - static_cast<int64_t>(sizeof(T))) return stop(core, i, "load outside of SMEM");
  T value;
  std::memcpy(&value, core.smem + at, sizeof value);
  core.s[i->dst] = value;
  core.scalarsFromData = true;
  return i + 1;
}
template <typename T>
const DInst *store(Core &core, const DInst *i) {
  int64_t at = add(core.s[i->b], i->imm);
  if (at < 0 || at > core.smemBytes - static_cast<int64_t>(sizeof(T))) return stop(core, i, "store outside of SMEM");
  T value = static_cast<T>(core.s[i->a]);
  std::memcpy(core.smem + at, &value, sizeof value);
  return i + 1;
}

template <bool kImmediate>
Handler binaryHandler(Op op) {
  switch (op) {
    case Op::SAdd:
      return binary<add, kImmediate>;
    case Op::SSub:
      return binary<sub, kImmediate>;
    case Op::SMul:
      return binary<mul, kImmediate>;
    case Op::SDiv:
      return binary<div, kImmediate>;
    case Op::SRem:
      return binary<rem, kImmediate>;
    case Op::SAnd:
      return binary<andOp, kImmediate>;
    case Op::SOr:
      return binary<orOp, kImmediate>;
    case Op::SXor:
      return binary<xorOp, kImmediate>;
    case Op::SShl:
      return binary<shl, kImmediate>;
    case Op::SShr:
      return binary<shr, kImmediate>;
    case Op::SShru:
      return binary<shru, kImmediate>;
    case Op::SMin:
      return binary<min, kImmediate>;
    case Op::SMax:
      return binary<max, kImmediate>;
    case Op::SEq:
      return binary<eq, kImmediate>;
    case Op::SNe:
      return binary<ne, kImmediate>;
    case Op::SLt:
      return binary<lt, kImmediate>;
    case Op::SLe:
      return binary<le, kImmediate>;
    case Op::SLtu:
      return binary<ltu, kImmediate>;
    default:
      return nullptr;
  }
}

}  // namespace

const DInst *copyScalar(Core &core, const DInst *i) {
  core.s[i->dst] = core.s[i->a];
  return i + 1;
}

const DInst *copyMask(Core &core, const DInst *i) {
  std::memcpy(core.mask(i->dst), core.mask(i->a), kMaskBytes);
  return i + 1;
}

Handler scalarHandler(Op op, bool immediate) {
  switch (op) {
    case Op::SLi:
      return li;
    case Op::SSext32:
      return sext32;
    case Op::SSel:
      return sel;
    case Op::SFAdd:
      return binary<fadd, false>;
    case Op::SFSub:
      return binary<fsub, false>;
    case Op::SFMul:
      return binary<fmul, false>;
    case Op::SFLt:
      return binary<flt, false>;
    case Op::SFEq:
      return binary<feq, false>;
    case Op::SLdw:
      return load<int32_t>;
    case Op::SLdd:
      return load<int64_t>;
    case Op::SStw:
      return store<int32_t>;
    case Op::SStd:
      return store<int64_t>;
    default:
      return immediate ? binaryHandler<true>(op) : binaryHandler<false>(op);
  }
}

}  // namespace tpuc::exec
