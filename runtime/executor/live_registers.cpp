// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/executor/live_registers.h"

#include "runtime/executor/program.h"

namespace tpuc::exec {

using isa::Op;
using isa::RegKind;

void stepBack(const DInst &i, LiveRegisters &live) {
  if (i.fn == copyScalar || i.fn == enterBlock) return;
  if (i.fn == copyMask) {
    live.masks.reset(i.dst);
    live.masks.set(i.a);
    return;
  }
  if (i.op == Op::Ret || i.op == Op::Halt) live = LiveRegisters();
  if (i.op == Op::Call || i.op == Op::Grid) {  // the routine may read any
    live.vregs.set();
    live.masks.set();
  }
  const isa::InstInfo &info = isa::info(i.op);
  if (info.result == RegKind::V) live.vregs.reset(i.dst);
  if (info.result == RegKind::M) live.masks.reset(i.dst);
  const uint8_t sources[] = {i.a, i.b, i.c};
  for (int k = 0; k < info.numSources; ++k) {
    if (sources[k] == kNone) continue;
    if (info.sources[k].kind == RegKind::V) live.vregs.set(sources[k]);
    if (info.sources[k].kind == RegKind::M) live.masks.set(sources[k]);
  }
  if (info.masked && i.m != kNone) live.masks.set(i.m);
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
}

}  // namespace tpuc::exec
