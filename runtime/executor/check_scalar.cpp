// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checking mode: the scalar unit and control.
#include <cstring>

#include "runtime/executor/check.h"
#include "runtime/executor/program.h"

namespace tpuc::exec {
namespace {

using isa::Op;

bool garbage(Core &core, uint8_t reg) { return reg != kNone && core.checker->scalar[reg]; }

const DInst *arithmetic(Core &core, const DInst *i) {
  core.checker->scalar[i->dst] = garbage(core, i->a) || garbage(core, i->b);
  return runInner(core, i);
}

const DInst *constant(Core &core, const DInst *i) {
  core.checker->scalar[i->dst] = false;
  return runInner(core, i);
}

const DInst *unary(Core &core, const DInst *i) {
  core.checker->scalar[i->dst] = garbage(core, i->a);
  return runInner(core, i);
}

const DInst *select(Core &core, const DInst *i) {
  core.checker->scalar[i->dst] = garbage(core, i->a) || garbage(core, core.s[i->a] ? i->b : i->c);
  return runInner(core, i);
}

// A branch, a count of a loop or grid.
const DInst *decide(Core &core, const DInst *i) {
  return garbage(core, i->a) ? core.checker->fail(core, i, "control flow depends on garbage") : runInner(core, i);
}

const char *touched(Core &core, int64_t at, int64_t bytes, bool write) {
  const InFlight &pending = core.checker->pending;
  const auto smem = isa::Space::Smem;
  if (pending.find(smem, InFlight::Destination, at, at + bytes,
                   [&](const Pending &p) { return p.dst.touches(at, at + bytes); }))
    return "SMEM that a DMA in flight writes is used";
  if (write && pending.find(smem, InFlight::Source, at, at + bytes,
                            [&](const Pending &p) { return p.src.touches(at, at + bytes); }))
    return "SMEM that a DMA in flight reads is written";
  return nullptr;
}

int64_t address(Core &core, uint8_t base, const DInst *i) {
  return static_cast<int64_t>(static_cast<uint64_t>(core.s[base]) + static_cast<uint64_t>(i->imm));
}

template <int kBytes>
const DInst *load(Core &core, const DInst *i) {
  Checker &c = *core.checker;
  if (garbage(core, i->a)) return c.fail(core, i, "the address is garbage");
  int64_t at = address(core, i->a, i);
  if (const char *why = touched(core, at, kBytes, false)) return c.fail(core, i, why);
  const DInst *next = runInner(core, i);
  if (!next) return nullptr;
  uint64_t bits = 0;
  std::memcpy(&bits, c.shadow.smem + at, kBytes);
  c.scalar[i->dst] = bits != 0;
  return next;
}

template <int kBytes>
const DInst *store(Core &core, const DInst *i) {
  Checker &c = *core.checker;
  if (garbage(core, i->b)) return c.fail(core, i, "the address is garbage");
  int64_t at = address(core, i->b, i);
  if (const char *why = touched(core, at, kBytes, true)) return c.fail(core, i, why);
  const DInst *next = runInner(core, i);
  if (next) std::memset(c.shadow.smem + at, garbage(core, i->a) ? 0xff : 0, kBytes);
  return next;
}

const DInst *copyMaskChecked(Core &core, const DInst *i) {
  std::memcpy(core.checker->mask(i->dst), core.checker->mask(i->a), kMaskBytes);
  return runInner(core, i);
}

// The end of the program, or of a grid's steps.
const DInst *end(Core &core, const DInst *i) {
  const DInst *next = runInner(core, i);
  if (next || core.error) return next;
  if (const char *why = core.checker->finish()) return stop(core, i, why);
  return nullptr;
}

}  // namespace

Handler checkedScalar(const DInst &i) {
  if (i.fn == copyScalar) return unary;
  if (i.fn == copyMask) return copyMaskChecked;
  switch (i.op) {
    case Op::SLi:
      return constant;
    case Op::SSext32:
      return unary;
    case Op::SSel:
      return select;
    case Op::SLdw:
      return load<4>;
    case Op::SLdd:
      return load<8>;
    case Op::SStw:
      return store<4>;
    case Op::SStd:
      return store<8>;
    case Op::Bz:
    case Op::Bnz:
    case Op::Loop:
    case Op::Grid:
      return decide;
    case Op::Ret:
    case Op::Halt:
      return end;
    default:
      return isa::info(i.op).unit == isa::Unit::Scalar ? arithmetic : nullptr;
  }
}

}  // namespace tpuc::exec
