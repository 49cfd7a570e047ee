// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Encoding of scheduled blocks.
#include "passes/schedule/emit.h"

namespace tpuc::schedule {

std::vector<RegKind> physicalKinds() {
  std::vector<RegKind> kinds(kNumPhysical, RegKind::S);
  for (Reg r = kFirstVreg; r < kFirstMask; ++r) kinds[r] = RegKind::V;
  for (Reg r = kFirstMask; r < kNumPhysical; ++r) kinds[r] = RegKind::M;
  return kinds;
}

void applyColours(Flow &flow, const std::vector<int> &physical) {
  auto replace = [&](Reg &r) {
    if (r < 0) return;
    RegKind kind = flow.regs[r];
    r = physical[r] + (kind == RegKind::S ? 0 : kind == RegKind::V ? kFirstVreg : kFirstMask);
  };
  for (Block &block : flow.blocks)
    for (MInst &inst : block.insts) {
      forEachUse(inst, replace);
      replace(inst.dst);
    }
  flow.regs = physicalKinds();
}

namespace {

class Emitter {
 public:
  Emitter(const Flow &flow, machine::Scheduled &out, std::string &error) : flow_(flow), out_(out), error_(error) {}

  bool run(bool isEntry) {
    out_.code.clear();
    out_.bundleLoc.clear();
    findUselessBranches();
    number(isEntry ? 1 : 0);
    if (isEntry) {
      isa::Inst zero;
      zero.op = Op::SLi;
      zero.dst = machine::kZeroReg;
      zero.last = 1;
      out_.code.push_back(zero);
      out_.bundleLoc.push_back(-1);
    }
    for (size_t b = 0; b < flow_.blocks.size(); ++b)
      if (!block(static_cast<int>(b))) return false;
    return true;
  }

 private:
  // Branches over nothing but empty blocks, from the last to the first: dropping one can empty another's way.
  void findUselessBranches() {
    useless_.assign(flow_.blocks.size(), false);
    std::vector<char> empty(flow_.blocks.size());
    for (int b = static_cast<int>(flow_.blocks.size()) - 1; b >= 0; --b) {
      const Block &block = flow_.blocks[b];
      if (const MInst *control = controlOf(block); control && control->op == Op::Br && block.target > b) {
        bool over = true;
        for (int k = b + 1; k < block.target; ++k) over &= empty[k] != 0;
        useless_[b] = over;
      }
      empty[b] = block.insts.size() == (useless_[b] ? 1u : 0u);
    }
  }

  int bundlesOf(int b) const {
    const Block &block = flow_.blocks[b];
    int count = block.numBundles();
    bool alone = count > 0 && block.end(count - 1) - block.begin(count - 1) == 1;
    return useless_[b] && alone ? count - 1 : count;
  }

  void number(int next) {
    for (size_t b = 0; b < flow_.blocks.size(); ++b) {
      start_.push_back(next);
      next += bundlesOf(static_cast<int>(b));
    }
  }

  bool block(int b) {
    const Block &block = flow_.blocks[b];
    for (int k = 0; k < bundlesOf(b); ++k) {
      int32_t loc = out_.bundleLoc.empty() ? -1 : out_.bundleLoc.back();
      bool located = false;
      for (int i = block.begin(k); i < block.end(k); ++i) {
        const MInst &inst = block.insts[i];
        if (isControl(inst) && useless_[b]) continue;
        if (!instruction(inst, b)) return false;
        if (!located && inst.loc >= 0) loc = inst.loc, located = true;
      }
      out_.code.back().last = 1;
      out_.bundleLoc.push_back(loc);
    }
    return true;
  }

  bool instruction(const MInst &inst, int b) {
    isa::Inst encoded;
    encoded.op = inst.op;
    encoded.dst = physical(inst.dst);
    for (int i = 0; i < 3; ++i) encoded.source(i) = physical(inst.src[i]);
    encoded.m = physical(inst.mask);
    encoded.imm = inst.imm;
    if (isa::info(inst.op).field("target") && !isa::setField(encoded, "target", targetOf(inst, b))) {
      error_ = "branch target out of range";
      return false;
    }
    out_.code.push_back(encoded);
    return true;
  }

  int64_t targetOf(const MInst &inst, int b) const {
    int target = flow_.blocks[b].target;
    switch (inst.op) {
      case Op::Call:
      case Op::Grid:
        return inst.callee;
      // The bundle of the other end: both are the last of their blocks.
      case Op::Loop:
      case Op::LoopEnd:
        return start_[target] + bundlesOf(target) - 1;
      default:
        return start_[target];
    }
  }

  static uint8_t physical(Reg r) {
    if (r == kNone) return isa::kNoReg;
    if (r == kZero) return machine::kZeroReg;
    return static_cast<uint8_t>(r < kFirstVreg ? r : r < kFirstMask ? r - kFirstVreg : r - kFirstMask);
  }

  const Flow &flow_;
  machine::Scheduled &out_;
  std::string &error_;
  std::vector<char> useless_;
  std::vector<int> start_;
};

}  // namespace

bool emit(const Flow &flow, bool isEntry, machine::Scheduled &out, std::string &error) {
  return Emitter(flow, out, error).run(isEntry);
}

}  // namespace tpuc::schedule
