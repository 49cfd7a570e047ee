// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/executor/live_registers.h"

#include <utility>

#include "runtime/executor/program.h"

namespace tpuc::exec {

using isa::Op;
using isa::RegKind;

bool packs(Op op) {
  switch (op) {
    case Op::VPackB:
    case Op::VPack16:
    case Op::VPack8:
    case Op::VUnpackB:
    case Op::VUnpack16:
    case Op::VUnpack8:
      return true;
    default:
      return false;
  }
}

namespace {

// What sources have to hold for `wanted` of the result.
VregExtent extentOfSources(const DInst &i, VregExtent wanted) {
  if (packs(i.op)) return {isa::kSublanes, wanted.lanes};
  switch (i.op) {
    case Op::VSt:
      return extentOf(i);
    case Op::VToS:
      return {1, 1};
    case Op::XRotSub:
    case Op::XBcastSub:
    case Op::XPermSub:
    case Op::XSumSubF:
    case Op::XMinSubF:
    case Op::XMaxSubF:
    case Op::XSumSubI:
      return {isa::kSublanes, wanted.lanes};
    case Op::XRotLane:
    case Op::XBcastLane:
    case Op::XPermLane:
    case Op::XSumLaneF:
    case Op::XMinLaneF:
    case Op::XMaxLaneF:
    case Op::XSumLaneI:
    case Op::XMinLaneI:
    case Op::XMaxLaneI:
      return {wanted.sublanes, isa::kLanes};
    default:
      break;
  }
  const isa::Unit unit = isa::info(i.op).unit;
  return unit == isa::Unit::VAlu || unit == isa::Unit::Eup ? wanted : kWholeVreg;
}

// Takes a register's extent away.
VregExtent take(VregExtent &extent) { return std::exchange(extent, VregExtent()); }

}  // namespace

void LiveRegisters::operator|=(const LiveRegisters &o) {
  vregs |= o.vregs;
  masks |= o.masks;
  for (int r = 0; r < kVregs; ++r) vregExtents[r] |= o.vregExtents[r];
  for (int r = 0; r < kMasks; ++r) maskExtents[r] |= o.maskExtents[r];
}

VregExtent LiveRegisters::extent() const {
  VregExtent out;
  for (VregExtent e : vregExtents) out |= e;
  for (VregExtent e : maskExtents) out |= e;
  return out;
}

void stepBack(const DInst &i, LiveRegisters &live) {
  if (i.fn == copyScalar || i.fn == enterBlock) return;
  if (i.fn == copyMask) {
    const VregExtent wanted = take(live.maskExtents[i.dst]);
    live.masks.reset(i.dst);
    live.masks.set(i.a);
    live.maskExtents[i.a] |= wanted;
    return;
  }
  if (i.op == Op::Ret || i.op == Op::Halt) live = LiveRegisters();
  if (i.op == Op::Call || i.op == Op::Grid) {  // the routine may read any
    live.vregs.set();
    live.masks.set();
    live.vregExtents.fill(kWholeVreg);
    live.maskExtents.fill(kWholeVreg);
  }
  const isa::InstInfo &info = isa::info(i.op);
  VregExtent wanted;
  if (info.result == RegKind::V) {
    wanted = take(live.vregExtents[i.dst]);
    live.vregs.reset(i.dst);
  }
  if (info.result == RegKind::M) {
    wanted = take(live.maskExtents[i.dst]);
    live.masks.reset(i.dst);
  }
  wanted = extentOfSources(i, wanted);
  auto readsVreg = [&](uint8_t reg, int source) {
    live.vregs.set(reg);
    const uint8_t lanes = source < 2 ? std::min(wanted.lanes, i.from[source]) : wanted.lanes;
    live.vregExtents[reg] |= VregExtent{wanted.sublanes, lanes};
  };
  auto readsMask = [&](uint8_t reg) {
    live.masks.set(reg);
    live.maskExtents[reg] |= wanted;
  };
  const uint8_t sources[] = {i.a, i.b, i.c};
  for (int k = 0; k < info.numSources; ++k) {
    if (sources[k] == kNone) continue;
    if (info.sources[k].kind == RegKind::V) readsVreg(sources[k], k);
    if (info.sources[k].kind == RegKind::M) readsMask(sources[k]);
  }
  if (info.masked && i.m != kNone) readsMask(i.m);
}

void findLiveRegisters(std::vector<LiveBlock> &blocks) {
  std::vector<LiveRegisters> in(blocks.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = blocks.size(); b-- > 0;) {
      LiveBlock &block = blocks[b];
      for (int next : block.successors) block.out |= in[next];
      LiveRegisters live = block.out;
      for (size_t k = block.insts.size(); k-- > 0;) stepBack(block.insts[k], live);
      changed |= !(live == in[b]);
      in[b] = live;
    }
  }
  for (LiveBlock &block : blocks) {
    LiveRegisters live = block.out;
    for (size_t k = block.insts.size(); k-- > 0;) {
      DInst &i = block.insts[k];
      if (i.fn != enterBlock && isa::info(i.op).result == RegKind::V) {
        const int lanes = std::max<int>(live.vregExtents[i.dst].lanes, 1);
        i.resultLanes = static_cast<uint8_t>((lanes + kLaneGroup - 1) / kLaneGroup * kLaneGroup);
      }
      stepBack(i, live);
    }
  }
}

}  // namespace tpuc::exec
