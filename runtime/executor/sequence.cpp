// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A bundle reads before it writes; one instruction after the other has to be put in an order where that holds.
#include <algorithm>

#include "runtime/executor/program.h"

namespace tpuc::exec {
namespace {

using isa::Op;
using isa::RegKind;
using isa::Unit;

// Memories and units with state: what reads goes before what writes, lower steps first.
//   0 wait; 1 loads, pops; 2 arithmetic; 3 pushes (before a swap of the weights); 4 stores, swap; 5 loads of weights
//   (after the swap); 6 DMA starts, host calls; 7 control
int step(Op op) {
  switch (op) {
    case Op::DmaWait:
    case Op::SemWait:
      return 0;
    case Op::VLd:
    case Op::SLdw:
    case Op::SLdd:
    case Op::MxuPop:
    case Op::XTrPop:
      return 1;
    case Op::MxuPushB:
    case Op::MxuPushI:
    case Op::MxuPushF:
      return 3;
    case Op::VSt:
    case Op::SStw:
    case Op::SStd:
    case Op::MxuSwap:
    case Op::XTrPush:
      return 4;
    case Op::MxuLdwB:
    case Op::MxuLdwI:
    case Op::MxuLdwF:
      return 5;
    case Op::DmaStart:
    case Op::HostCall:
    case Op::DmaRemote:
    case Op::SemSignal:
      return 6;
    default:
      return isa::info(op).unit == Unit::Control ? 7 : 2;
  }
}

bool isVmem(Op op) { return op == Op::VLd || op == Op::VSt; }
bool isSmem(Op op) { return op == Op::SLdw || op == Op::SLdd || op == Op::SStw || op == Op::SStd; }
bool isMxu(Op op) {
  Unit u = isa::info(op).unit;
  return u == Unit::MxuWeight || u == Unit::MxuPush || u == Unit::MxuPop;
}

// A load and a store of VMEM by the same base register whose words do not meet.
bool disjoint(const DInst &load, const DInst &store) {
  if (load.a != store.b || load.aux != 1 || store.aux != 1) return false;
  return load.imm + isa::kSublanes <= store.imm || store.imm + isa::kSublanes <= load.imm;
}

bool memoryBefore(const DInst &x, const DInst &y) {
  if (step(x.op) >= step(y.op)) return false;
  if (step(x.op) == 0 || step(y.op) >= 6) return true;
  if (isVmem(x.op) && isVmem(y.op)) return !disjoint(x, y);
  if (isMxu(x.op) && isMxu(y.op)) return x.mxu == y.mxu;
  return (isSmem(x.op) && isSmem(y.op)) || (x.op == Op::XTrPop && y.op == Op::XTrPush);
}

bool reads(const DInst &i, RegKind kind, uint8_t reg) {
  const isa::InstInfo &info = isa::info(i.op);
  const uint8_t sources[] = {i.a, i.b, i.c};
  for (int k = 0; k < info.numSources; ++k)
    if (info.sources[k].kind == kind && sources[k] == reg) return true;
  return info.masked && kind == RegKind::M && i.m == reg;
}

void replace(DInst &i, RegKind kind, uint8_t from, uint8_t to) {
  const isa::InstInfo &info = isa::info(i.op);
  uint8_t *sources[] = {&i.a, &i.b, &i.c};
  for (int k = 0; k < info.numSources; ++k)
    if (info.sources[k].kind == kind && *sources[k] == from) *sources[k] = to;
  if (info.masked && kind == RegKind::M && i.m == from) i.m = to;
}

// x reads what y writes.
bool registerBefore(const DInst &x, const DInst &y) {
  RegKind kind = isa::info(y.op).result;
  return kind != RegKind::None && reads(x, kind, y.dst);
}

DInst copyTo(RegKind kind, uint8_t to, uint8_t from, uint32_t bundle) {
  DInst copy;
  copy.op = Op::VMov;
  copy.fn = kind == RegKind::S   ? copyScalar
            : kind == RegKind::M ? copyMask
                                 : nullptr;  // null: filled in by the decoder
  copy.dst = to;
  copy.a = from;
  copy.bundle = bundle;
  return copy;
}

}  // namespace

bool sequenceBundle(std::vector<DInst> &bundle) {
  if (bundle.size() < 2) return true;
  std::vector<DInst> out, rest = std::move(bundle);
  int hidden[4] = {};
  auto blocked = [&](size_t k) {
    for (size_t j = 0; j < rest.size(); ++j)
      if (j != k && (memoryBefore(rest[j], rest[k]) || registerBefore(rest[j], rest[k]))) return true;
    return false;
  };
  while (!rest.empty()) {
    size_t k = 0;
    while (k < rest.size() && blocked(k)) ++k;
    if (k < rest.size()) {
      out.push_back(rest[k]);
      rest.erase(rest.begin() + k);
      continue;
    }
    // A cycle: one whose only obstacle are readers of its result; they get the old value from a hidden register.
    k = 0;
    auto waitsForMemory = [&](size_t x) {
      return std::any_of(rest.begin(), rest.end(), [&](const DInst &j) { return memoryBefore(j, rest[x]); });
    };
    while (k < rest.size() && waitsForMemory(k)) ++k;
    RegKind kind = isa::info(rest[k].op).result;
    int base = kind == RegKind::S ? isa::kNumScalars : kind == RegKind::V ? isa::kNumVregs : isa::kNumMasks;
    int &used = hidden[static_cast<int>(kind)];
    if (used == kHidden) return false;
    uint8_t to = static_cast<uint8_t>(base + used++), from = rest[k].dst;
    out.push_back(copyTo(kind, to, from, rest[k].bundle));
    for (size_t j = 0; j < rest.size(); ++j)
      if (j != k) replace(rest[j], kind, from, to);
  }
  bundle = std::move(out);
  return true;
}

}  // namespace tpuc::exec
