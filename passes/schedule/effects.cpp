// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Effects on memories and units, and their order.
#include "passes/schedule/effects.h"

#include <algorithm>
#include <cstdlib>

namespace tpuc::schedule {

int addressSlot(const MInst &inst) {
  switch (inst.op) {
    case Op::VLd:
    case Op::SLdw:
    case Op::SLdd:
      return 0;
    case Op::VSt:
    case Op::SStw:
    case Op::SStd:
      return 1;
    case Op::SAdd:
      return inst.src[1] == kNone ? 0 : -1;
    default:
      return -1;
  }
}

const char *addressField(const MInst &inst) { return inst.op == Op::SAdd ? "imm" : "off"; }

std::optional<int64_t> inPlaceStep(const MInst &inst) {
  if ((inst.op != Op::SAdd && inst.op != Op::SSub) || inst.src[0] != inst.dst || inst.src[1] != kNone)
    return std::nullopt;
  int64_t imm = fieldOf(inst, "imm");
  return inst.op == Op::SAdd ? imm : -imm;
}

Affine AffineValues::read(Reg reg) {
  if (reg < 0) return {};  // none, or s31
  auto [it, inserted] = values_.try_emplace(reg);
  if (inserted) it->second = {newRoot(reg), 0};
  return it->second;
}

void AffineValues::execute(const MInst &inst) {
  if (inst.dst == kNone || isa::info(inst.op).result != RegKind::S) return;
  Affine result;
  bool known = true;
  if (inst.op == Op::SLi) {
    result = {0, inst.imm};
  } else if (inst.op == Op::SAdd || inst.op == Op::SSub) {
    Affine a = read(inst.src[0]);
    Affine b = inst.src[1] == kNone ? Affine{0, fieldOf(inst, "imm")} : read(inst.src[1]);
    if (inst.op == Op::SSub) b.offset = -b.offset;
    if (b.root == 0)
      result = {a.root, a.offset + b.offset};
    else if (a.root == 0 && inst.op == Op::SAdd)
      result = {b.root, a.offset + b.offset};
    else
      known = false;
  } else {
    known = false;
  }
  values_[inst.dst] = known ? result : Affine{newRoot(kNone), 0};
}

namespace {

Effect memoryEffect(const MInst &inst, Effect::Kind kind, Reg base, int64_t size, AffineValues &values, int latency) {
  Effect e;
  e.kind = kind;
  e.where = inst.region;
  e.latency = latency;
  e.address = values.read(base);
  e.address.offset += fieldOf(inst, "off");
  e.size = size;
  if (kind == Effect::VLoad || kind == Effect::VStore) e.stride = fieldOf(inst, "stride");
  return e;
}

// Accumulator groups named by slot c of a push, slot a of a pop.
Effect groupEffect(const MInst &inst, Effect::Kind kind, Reg group, int64_t size, AffineValues &values,
                   const Resources &resources) {
  Effect e;
  e.kind = kind;
  e.where = static_cast<int32_t>(fieldOf(inst, "mxu"));
  e.latency = resources.latency(inst);
  e.chain = resources.chain(inst);
  e.part = inst.region;
  e.address = group == kNone ? Affine{0, fieldOf(inst, "imm")} : values.read(group);
  e.size = size;
  return e;
}

}  // namespace

void forgetPart(MInst &inst) {
  if (inst.op == Op::MxuPushB || inst.op == Op::MxuPushI || inst.op == Op::MxuPushF || inst.op == Op::MxuPop)
    inst.region = -1;
}

Effect effectOf(const MInst &inst, AffineValues &values, const Resources &resources) {
  int latency = resources.latency(inst);
  switch (inst.op) {
    case Op::VLd:
      return memoryEffect(inst, Effect::VLoad, inst.src[0], 1, values, latency);
    case Op::VSt:
      return memoryEffect(inst, Effect::VStore, inst.src[1], 1, values, latency);
    case Op::SLdw:
      return memoryEffect(inst, Effect::SLoad, inst.src[0], 4, values, latency);
    case Op::SLdd:
      return memoryEffect(inst, Effect::SLoad, inst.src[0], 8, values, latency);
    case Op::SStw:
      return memoryEffect(inst, Effect::SStore, inst.src[1], 4, values, latency);
    case Op::SStd:
      return memoryEffect(inst, Effect::SStore, inst.src[1], 8, values, latency);
    case Op::MxuPushB:
      return groupEffect(inst, Effect::Push, inst.src[2], 2, values, resources);
    case Op::MxuPushI:
      return groupEffect(inst, Effect::Push, inst.src[2], 4, values, resources);
    case Op::MxuPushF:
      return groupEffect(inst, Effect::Push, inst.src[2], 1, values, resources);
    case Op::MxuPop: {
      Effect e = groupEffect(inst, Effect::Pop, inst.src[0], 1, values, resources);
      e.clears = fieldOf(inst, "clear");
      e.tile = fieldOf(inst, "col");
      return e;
    }
    default:
      break;
  }
  Effect e;
  e.latency = latency;
  if (unitOf(inst) == Unit::Dma) {
    e.kind = Effect::Dma;
  } else if (inst.op == Op::XTrPush || inst.op == Op::XTrPop) {
    e.kind = inst.op == Op::XTrPush ? Effect::TrPush : Effect::TrPop;
    e.where = static_cast<int32_t>(fieldOf(inst, "buf"));
    e.tile = fieldOf(inst, "row");
  } else if (unitOf(inst) == Unit::MxuWeight) {
    e.kind = inst.op == Op::MxuSwap ? Effect::WeightSwap : Effect::WeightLoad;
    e.where = static_cast<int32_t>(fieldOf(inst, "mxu"));
    // Type, transposition, row and column: loads that differ in the last two only touch different weights.
    if (e.kind == Effect::WeightLoad)
      e.tile = ((static_cast<int64_t>(inst.op) * 2 + fieldOf(inst, "xpose")) << 16) + (fieldOf(inst, "row") << 8) +
               fieldOf(inst, "col");
  }
  return e;
}

int domainOf(const Effect &e, bool splitRegions) {
  switch (e.kind) {
    case Effect::VLoad:
    case Effect::VStore:
      return splitRegions ? e.where : kAnyVmemDomain;
    case Effect::SLoad:
    case Effect::SStore:
      return kSmemDomain;
    case Effect::TrPush:
    case Effect::TrPop:
      return -3 - e.where;
    default:
      return -8 - e.where;  // arrays
  }
}

bool inOtherPart(const Effect &a, const Effect &b) { return a.part >= 0 && b.part >= 0 && a.part != b.part; }

bool mayOverlap(const Effect &a, const Effect &b, int64_t shift) {
  bool vector = a.kind == Effect::VLoad || a.kind == Effect::VStore;
  if (vector && a.where >= 0 && b.where >= 0 && a.where != b.where) return false;
  if (a.address.root != b.address.root) return true;
  int64_t delta = b.address.offset + shift - a.address.offset;  // start of b relative to a
  if (!vector) return delta < a.size && -delta < b.size;
  constexpr int64_t last = isa::kSublanes - 1;
  int64_t aLow = std::min<int64_t>(0, last * a.stride), aHigh = std::max<int64_t>(0, last * a.stride);
  int64_t bLow = delta + std::min<int64_t>(0, last * b.stride), bHigh = delta + std::max<int64_t>(0, last * b.stride);
  if (bLow > aHigh || aLow > bHigh) return false;
  for (int64_t i = 0; i <= last; ++i)
    for (int64_t j = 0; j <= last; ++j)
      if (i * a.stride == delta + j * b.stride) return true;
  return false;
}

namespace {

int weightOrder(const Effect &first, const Effect &second) {
  using E = Effect;
  if (first.kind == E::WeightLoad && second.kind == E::WeightLoad) {
    bool sameForm = (first.tile >> 16) == (second.tile >> 16);
    return sameForm && first.tile != second.tile ? -1 : 1;
  }
  if (first.kind == E::WeightLoad) return second.kind == E::WeightSwap ? first.latency : -1;
  if (first.kind == E::WeightSwap) return second.kind == E::Push ? first.latency : second.kind == E::Pop ? -1 : 1;
  return second.kind == E::WeightSwap && first.kind == E::Push ? 1
                                                               : -1;  // it waits for the rows to enter, not the core
}

}  // namespace

int orderLatency(const Effect &first, const Effect &second, int64_t shift) {
  using E = Effect;
  if (first.kind == E::None || second.kind == E::None) return -1;
  if (first.kind == E::Dma || second.kind == E::Dma) {
    bool related = (first.kind == E::Dma || first.isMemory()) && (second.kind == E::Dma || second.isMemory());
    bool stores = first.kind == E::VStore || first.kind == E::SStore;
    return !related ? -1 : stores ? first.latency : 1;
  }
  if (first.isMemory()) {
    if (first.reads() && second.reads()) return -1;
    if (!mayOverlap(first, second, shift)) return -1;
    return !first.reads() && second.reads() ? first.latency : 1;
  }
  switch (first.kind) {
    case E::TrPush:
      return second.kind == E::TrPop ? first.latency : first.tile == second.tile ? 1 : -1;
    case E::TrPop:
      return second.kind == E::TrPush ? 1 : -1;
    case E::Push:
    case E::Pop:
      if (second.kind != E::Push && second.kind != E::Pop) break;
      // One is of an earlier unit of rows. Its sums may not have arrived yet, and the other need not wait for them.
      if (inOtherPart(first, second)) return first.kind == E::Push ? 1 : -1;
      if (!mayOverlap(first, second, shift)) return -1;
      if (first.kind == E::Push) return second.kind == E::Pop ? first.latency : first.chain;
      if (second.kind == E::Push) return 1;
      return (first.clears || second.clears) && first.tile == second.tile ? 1 : -1;
    default:
      break;
  }
  return weightOrder(first, second);
}

}  // namespace tpuc::schedule
