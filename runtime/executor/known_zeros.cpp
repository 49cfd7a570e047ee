// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/executor/known_zeros.h"

#include <algorithm>
#include <array>

#include "runtime/executor/program.h"

namespace tpuc::exec {
namespace {

using isa::Op;

// By vreg: from which lane on all sublanes are zero.
using Lanes = std::array<uint8_t, kVregs>;

Lanes anything() {
  Lanes lanes;
  lanes.fill(isa::kLanes);
  return lanes;
}

uint8_t lanesOfResult(const DInst &i, const Lanes &now) {
  auto most = [&] { return std::max(now[i.a], now[i.b]); };
  switch (i.op) {
    case Op::VLd:
      return i.lanes;
    case Op::VLi:
      return i.imm == 0 ? 0 : isa::kLanes;
    case Op::VSel:
      return std::max(now[i.b], now[i.c]);
    case Op::VOr:
    case Op::VFAdd:
    case Op::VAddI:
    case Op::VPackB:
    case Op::VPack16:
      return most();
    case Op::VAnd:
      return std::min(now[i.a], now[i.b]);
    case Op::VMov:
    case Op::VUnpackB:
    case Op::VUnpack16:
    case Op::XRotSub:
    case Op::XBcastSub:
      return now[i.a];
    case Op::XRotLane: {
      const int64_t by = i.imm & (isa::kLanes - 1);
      return i.b == kNone && now[i.a] + by <= isa::kLanes ? static_cast<uint8_t>(now[i.a] + by) : isa::kLanes;
    }
    default:
      return isa::kLanes;
  }
}

void step(const DInst &i, Lanes &now) {
  if (i.fn == copyScalar || i.fn == copyMask || i.fn == enterBlock) return;
  if (i.op == Op::Call || i.op == Op::Grid) now = anything();
  if (isa::info(i.op).result == isa::RegKind::V) now[i.dst] = lanesOfResult(i, now);
}

uint8_t wholeGroups(int lanes) { return static_cast<uint8_t>((lanes + kLaneGroup - 1) / kLaneGroup * kLaneGroup); }

}  // namespace

bool goesByFrom(Op op) { return op == Op::VPackB || op == Op::VPack16 || op == Op::XRotLane; }

void findKnownZeros(std::vector<LiveBlock> &blocks, const std::vector<bool> &isEntry) {
  std::vector<Lanes> in(blocks.size(), Lanes{});
  for (size_t b = 0; b < blocks.size(); ++b)
    if (isEntry[b]) in[b] = anything();
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = 0; b < blocks.size(); ++b) {
      Lanes now = in[b];
      for (const DInst &i : blocks[b].insts) step(i, now);
      for (int next : blocks[b].successors)
        for (int r = 0; r < kVregs; ++r)
          if (now[r] > in[next][r]) in[next][r] = now[r], changed = true;
    }
  }
  for (size_t b = 0; b < blocks.size(); ++b) {
    Lanes now = in[b];
    for (DInst &i : blocks[b].insts) {
      if (i.fn != enterBlock && i.fn != copyScalar && i.fn != copyMask && goesByFrom(i.op)) {
        i.from[0] = wholeGroups(now[i.a]);
        if (i.op != Op::XRotLane) i.from[1] = wholeGroups(now[i.b]);
      }
      step(i, now);
    }
  }
}

}  // namespace tpuc::exec
