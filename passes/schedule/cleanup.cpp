// Renaming of block-local values, removal of dead instructions.
#include "passes/schedule/cleanup.h"

#include <algorithm>
#include <unordered_map>

namespace tpuc::schedule {

void splitWebs(Flow &flow, const Liveness &liveness) {
  std::vector<int> defs(flow.regs.size(), 0);
  for (const Block &block : flow.blocks)
    for (const MInst &inst : block.insts)
      if (inst.dst >= 0) defs[inst.dst]++;
  for (size_t b = 0; b < flow.blocks.size(); ++b) {
    Block &block = flow.blocks[b];
    if (block.bundled) continue;
    std::unordered_map<Reg, int> last;  // its last assignment in the block
    for (size_t i = 0; i < block.insts.size(); ++i)
      if (Reg d = block.insts[i].dst; d >= 0 && defs[d] > 1) last[d] = static_cast<int>(i);
    std::unordered_map<Reg, Reg> name;
    for (size_t i = 0; i < block.insts.size(); ++i) {
      MInst &inst = block.insts[i];
      forEachUse(inst, [&](Reg &r) {
        if (auto it = name.find(r); it != name.end()) r = it->second;
      });
      auto it = inst.dst >= 0 ? last.find(inst.dst) : last.end();
      if (it == last.end()) continue;
      Reg r = inst.dst;
      bool leaves = it->second == static_cast<int>(i) && liveness.out[b].has(r);
      name[r] = inst.dst = leaves ? r : flow.newReg(flow.regs[r]);
    }
  }
}

namespace {

bool onlyMakesResult(const MInst &inst) {
  if (inst.dst < 0 || inst.op == Op::XTrPop) return false;
  Unit unit = unitOf(inst);
  return unit == Unit::Scalar || unit == Unit::VAlu || unit == Unit::Eup || unit == Unit::Xlu || unit == Unit::VLoad;
}

}  // namespace

void removeDead(Flow &flow, const Liveness &liveness) {
  for (size_t b = 0; b < flow.blocks.size(); ++b) {
    Block &block = flow.blocks[b];
    if (block.bundled) continue;
    RegSet live = liveness.out[b];
    std::vector<MInst> kept;
    for (size_t i = block.insts.size(); i-- > 0;) {
      const MInst &inst = block.insts[i];
      if (onlyMakesResult(inst) && !live.has(inst.dst)) continue;
      if (inst.dst >= 0) live.remove(inst.dst);
      forEachUse(inst, [&](Reg r) { live.add(r); });
      kept.push_back(inst);
    }
    std::reverse(kept.begin(), kept.end());
    block.insts = std::move(kept);
  }
}

}  // namespace tpuc::schedule
