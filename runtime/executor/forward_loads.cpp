// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A load is forwarded when 1. it reads 8 words in a row, 2. nothing but readers of vregs in memory uses what it loaded,
// all in its block, and these know of lanes that it makes zero, 3. nothing between it and the last of them may write to
// VMEM.
#include "runtime/executor/forward_loads.h"

#include "runtime/executor/known_zeros.h"
#include "runtime/executor/program.h"

namespace tpuc::exec {
namespace {

using isa::Op;
using isa::RegKind;
using isa::Unit;

// Their handlers find a source by Core::source.
bool readsMemory(const DInst &i) {
  switch (i.op) {
    case Op::VPackB:
    case Op::VPack16:
    case Op::VUnpackB:
    case Op::VUnpack16:
    case Op::XTrPush:
    case Op::XRotLane:
    case Op::MxuLdwB:
    case Op::MxuLdwI:
    case Op::MxuLdwF:
    case Op::MxuPushB:
    case Op::MxuPushI:
    case Op::MxuPushF:
      return true;
    default:
      return false;
  }
}

bool mayWriteVmem(const DInst &i) {
  Unit unit = isa::info(i.op).unit;
  return i.op == Op::VSt || unit == Unit::Dma || unit == Unit::Control;
}

// The sources of `i` that are vreg `reg`, as a bit each.
uint8_t sourcesOf(const DInst &i, uint8_t reg) {
  const isa::InstInfo &info = isa::info(i.op);
  const uint8_t sources[] = {i.a, i.b, i.c};
  uint8_t found = 0;
  for (int k = 0; k < info.numSources; ++k)
    found |= static_cast<uint8_t>((info.sources[k].kind == RegKind::V && sources[k] == reg) << k);
  return found;
}

bool isPlain(const DInst &i) { return i.fn != enterBlock && i.fn != copyScalar && i.fn != copyMask; }

// Forwards the load at `at` if it can be.
void forward(LiveBlock &block, size_t at) {
  std::vector<DInst> &insts = block.insts;
  const uint8_t reg = insts[at].dst;
  size_t last = at, end = at + 1;
  for (; end < insts.size(); ++end) {
    const DInst &i = insts[end];
    if (!isPlain(i)) continue;
    if (uint8_t found = sourcesOf(i, reg)) {
      if (!readsMemory(i) || found > 3 || (insts[at].lanes < isa::kLanes && !goesByFrom(i.op))) return;
      last = end;
    }
    if (isa::info(i.op).result == RegKind::V && i.dst == reg) break;
  }
  if (last == at || (end == insts.size() && block.out.vregs[reg])) return;
  for (size_t k = at + 1; k < last; ++k)
    if (isPlain(insts[k]) && mayWriteVmem(insts[k])) return;
  insts[at].fn = noteForwarded;
  for (size_t k = at + 1; k <= last; ++k)
    if (isPlain(insts[k])) insts[k].forwarded |= sourcesOf(insts[k], reg);
}

}  // namespace

const DInst *noteForwarded(Core &core, const DInst *i) {
  int64_t word = vmemWord(core, core.s[i->a], i->imm, i->aux);
  if (word < 0) return stop(core, i, "v.ld outside of VMEM");
  core.forwarded[i->dst] = vmemSource(core, word, i->aux);
  return i + 1;
}

void forwardLoads(LiveBlock &block) {
  for (size_t at = 0; at < block.insts.size(); ++at)
    if (const DInst &i = block.insts[at]; isPlain(i) && i.op == Op::VLd && i.aux == 1 && i.lanes % kLaneGroup == 0)
      forward(block, at);
}

}  // namespace tpuc::exec
