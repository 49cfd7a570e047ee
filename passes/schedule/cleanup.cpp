// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Renaming of values that share a register, removal of dead instructions.
#include "passes/schedule/cleanup.h"

#include <algorithm>

namespace tpuc::schedule {

namespace {

// The places where a register is live at a block's border, joined where one is the continuation of another.
class Webs {
 public:
  Webs(Flow &flow, const Liveness &liveness) : flow_(flow), live_(liveness), taken_(flow.regs.size(), 0) {}

  void run() {
    size_t numBlocks = flow_.blocks.size();
    in_.resize(numBlocks);
    out_.resize(numBlocks);
    lastWrite_.assign(flow_.regs.size(), -1);
    current_.assign(flow_.regs.size(), kNone);
    for (size_t b = 0; b < numBlocks; ++b) {
      live_.in[b].forEach([&](Reg r) { in_[b].push_back({r, newNode()}); });
      live_.out[b].forEach([&](Reg r) { out_[b].push_back({r, newNode()}); });
    }
    for (size_t b = 0; b < numBlocks; ++b) join(b);
    names_.assign(parents_.size(), kNone);
    for (auto [r, node] : in_[0]) claim(r, node);  // what arrives in a register keeps its name
    for (size_t b = 0; b < numBlocks; ++b) rename(b);
  }

 private:
  using Border = std::vector<std::pair<Reg, int>>;  // registers in ascending order, and their nodes

  int newNode() {
    parents_.push_back(static_cast<int>(parents_.size()));
    return parents_.back();
  }
  int find(int node) {
    while (parents_[node] != node) node = parents_[node] = parents_[parents_[node]];
    return node;
  }

  void joinBorders(const Border &a, const Border &b, const std::vector<int> *unless) {
    auto i = a.begin(), j = b.begin();
    while (i != a.end() && j != b.end()) {
      if (i->first < j->first)
        ++i;
      else if (j->first < i->first)
        ++j;
      else {
        if (!unless || (*unless)[i->first] < 0) parents_[find(i->second)] = find(j->second);
        ++i, ++j;
      }
    }
  }

  void findWrites(size_t b, bool clear) {
    const auto &insts = flow_.blocks[b].insts;
    for (size_t i = 0; i < insts.size(); ++i)
      if (insts[i].dst >= 0) lastWrite_[insts[i].dst] = clear ? -1 : static_cast<int>(i);
  }

  void join(size_t b) {
    findWrites(b, false);
    joinBorders(in_[b], out_[b], &lastWrite_);
    findWrites(b, true);
    for (int s : successors(flow_, static_cast<int>(b))) joinBorders(out_[b], in_[s], nullptr);
  }

  Reg fresh(Reg r) {
    if (taken_[r]) return flow_.newReg(flow_.regs[r]);
    taken_[r] = 1;
    return r;
  }
  Reg claim(Reg r, int node) {
    Reg &name = names_[find(node)];
    return name = name == kNone ? fresh(r) : name;
  }

  void rename(size_t b) {
    Block &block = flow_.blocks[b];
    for (auto [r, node] : in_[b]) current_[r] = claim(r, node);
    findWrites(b, false);
    std::vector<Reg> writes;
    for (int k = 0; k < block.numBundles(); ++k) {
      for (int i = block.begin(k); i < block.end(k); ++i) forEachUse(block.insts[i], [&](Reg &r) { r = current_[r]; });
      for (int i = block.begin(k); i < block.end(k); ++i) {
        Reg &d = block.insts[i].dst;
        if (d < 0) continue;
        writes.push_back(d);
        bool leaves = lastWrite_[d] == i && live_.out[b].has(d);
        d = current_[d] = leaves ? claim(d, nodeOf(out_[b], d)) : fresh(d);
      }
    }
    for (Reg r : writes) lastWrite_[r] = -1;
  }

  static int nodeOf(const Border &border, Reg r) {
    return std::lower_bound(border.begin(), border.end(), std::pair<Reg, int>{r, -1})->second;
  }

  Flow &flow_;
  const Liveness &live_;
  std::vector<Border> in_, out_;
  std::vector<int> parents_, lastWrite_;
  std::vector<Reg> names_, current_;
  std::vector<char> taken_;
};

}  // namespace

void splitWebs(Flow &flow, const Liveness &liveness) { Webs(flow, liveness).run(); }

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
