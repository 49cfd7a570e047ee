// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Backward dataflow over bit sets.
#include "passes/schedule/liveness.h"

#include <algorithm>

namespace tpuc::schedule {

Liveness computeLiveness(const Flow &flow) {
  size_t numBlocks = flow.blocks.size(), numRegs = flow.regs.size();
  Liveness live;
  live.in.assign(numBlocks, RegSet(numRegs));
  live.out.assign(numBlocks, RegSet(numRegs));
  // Read before written in the block; written in the block.
  std::vector<RegSet> gen(numBlocks, RegSet(numRegs)), kill(numBlocks, RegSet(numRegs));
  for (size_t b = 0; b < numBlocks; ++b) {
    const Block &block = flow.blocks[b];
    for (int k = 0; k < block.numBundles(); ++k) {
      for (int i = block.begin(k); i < block.end(k); ++i)
        forEachUse(block.insts[i], [&](Reg r) {
          if (!kill[b].has(r)) gen[b].add(r);
        });
      for (int i = block.begin(k); i < block.end(k); ++i)
        if (block.insts[i].dst != kNone) kill[b].add(block.insts[i].dst);
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (int b = static_cast<int>(numBlocks) - 1; b >= 0; --b) {
      for (int s : successors(flow, b)) live.out[b].merge(live.in[s]);
      for (size_t w = 0; w < live.in[b].numWords(); ++w) {
        uint64_t now = gen[b].word(w) | (live.out[b].word(w) & ~kill[b].word(w));
        changed |= now != live.in[b].word(w);
        live.in[b].word(w) = now;
      }
    }
  }
  return live;
}

ClassCounts blockPressure(const Flow &flow, int index, const Liveness &liveness) {
  const Block &block = flow.blocks[index];
  RegSet live = liveness.out[index];
  ClassCounts now{}, most{};
  auto change = [&](Reg r, int by) { now[classOf(flow.regs[r])] += by; };
  live.forEach([&](Reg r) { change(r, 1); });
  for (int k = block.numBundles() - 1; k >= 0; --k) {
    for (int c = 0; c < 3; ++c) most[c] = std::max(most[c], now[c]);
    ClassCounts dead{};  // written and never read: needs a register for a moment
    for (int i = block.begin(k); i < block.end(k); ++i) {
      Reg r = block.insts[i].dst;
      if (r == kNone) continue;
      if (!live.has(r)) dead[classOf(flow.regs[r])]++;
    }
    for (int c = 0; c < 3; ++c) most[c] = std::max(most[c], now[c] + dead[c]);
    for (int i = block.begin(k); i < block.end(k); ++i) {
      Reg r = block.insts[i].dst;
      if (r == kNone || !live.has(r)) continue;
      live.remove(r);
      change(r, -1);
    }
    for (int i = block.begin(k); i < block.end(k); ++i)
      forEachUse(block.insts[i], [&](Reg r) {
        if (live.has(r)) return;
        live.add(r);
        change(r, 1);
      });
  }
  for (int c = 0; c < 3; ++c) most[c] = std::max(most[c], now[c]);
  return most;
}

}  // namespace tpuc::schedule
