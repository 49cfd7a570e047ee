// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which loops' scalar registers can be known n iterations ahead, and how their accumulator groups advance.
//
// 1. A register that the body writes once, as r = r +- (immediate or a register that the body does not write), is an
//    induction.
// 2. Every other written register must not depend on itself across iterations. A read that comes before the write sees
//    the last iteration's value; the longest chain of such reads gives `depth`: after that many iterations with
//    inductions moved ahead, the register holds what it would have held.
// 3. The slope of a register is what it advances by an iteration, from the slopes of what it is computed from.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "runtime/timing/decode.h"

namespace tpuc::timing {
namespace {

using isa::Inst;
using isa::kNoReg;
using isa::Op;
using Slope = SimpleLoop::Slope;

class LoopAnalysis {
 public:
  LoopAnalysis(const DecodedProgram &program, uint32_t begin, uint32_t end)
      : program_(program), begin_(begin), end_(end) {}

  SimpleLoop run() {
    SimpleLoop out;
    if (!collect()) return out;
    findInductions(out);
    for (size_t i = 0; i < insts_.size(); ++i) {
      std::optional<int> depth = depthOf(i);
      if (!depth) return out;
      out.depth = std::max(out.depth, *depth + 1);
    }
    out.simple = groups(out);
    return out;
  }

 private:
  struct Placed {
    Inst inst;
    uint32_t bundle;
  };

  // The body's scalar instructions; false when something in it rules the loop out.
  bool collect() {
    for (uint32_t b = begin_ + 1; b <= end_; ++b) {
      const DecodedBundle &d = program_.bundles[b], &next = program_.bundles[b + 1];
      if (b != end_ && d.control != Op::kCount) return false;
      if (d.unitCounts[static_cast<int>(isa::Unit::Dma)]) return false;
      for (uint32_t i = d.scalars; i < next.scalars; ++i) {
        const Inst &inst = program_.scalars[i];
        if (inst.op == Op::SStw || inst.op == Op::SStd || inst.op == Op::VToS) return false;
        writers_[inst.dst].push_back(insts_.size());
        insts_.push_back({inst, b});
      }
    }
    return true;
  }

  bool written(uint8_t reg) const { return writers_.count(reg); }

  void findInductions(SimpleLoop &out) {
    for (auto &[reg, by] : writers_) {
      const Inst &inst = insts_[by[0]].inst;
      if (by.size() != 1 || (inst.op != Op::SAdd && inst.op != Op::SSub) || inst.a != reg) continue;
      if (inst.b != kNoReg && written(inst.b)) continue;
      if (inst.op == Op::SSub && inst.b != kNoReg) continue;  // not worth a negated register
      int64_t imm = inst.b == kNoReg ? isa::getField(inst, "imm") : 0;
      Slope step{true, inst.op == Op::SSub ? -imm : imm, inst.b};
      inductions_[reg] = step;
      out.inductions.push_back({reg, step});
    }
  }

  // The write that a read in bundle `b` sees: one of an earlier bundle, else the last one of the iteration before.
  struct Seen {
    size_t by;
    bool carried;
  };
  Seen seen(uint8_t reg, uint32_t b) const {
    const std::vector<size_t> &by = writers_.at(reg);
    for (size_t i = by.size(); i-- > 0;)
      if (insts_[by[i]].bundle < b) return {by[i], false};
    return {by.back(), true};
  }

  template <class F>
  bool forEachRead(const Inst &inst, F &&f) const {
    const isa::InstInfo &info = isa::info(inst.op);
    for (int k = 0; k < info.numSources; ++k)
      if (info.sources[k].kind == isa::RegKind::S && inst.source(k) != kNoReg && !f(inst.source(k))) return false;
    return true;
  }

  // Iterations back that instruction i's value reaches, inductions apart; nothing when it reaches back for ever.
  std::optional<int> depthOf(size_t i) {
    if (inductions_.count(insts_[i].inst.dst)) return 0;
    if (auto it = depths_.find(i); it != depths_.end()) return it->second;
    if (!active_.insert(i).second) return std::nullopt;
    int depth = 0;
    bool fine = forEachRead(insts_[i].inst, [&](uint8_t reg) {
      if (!written(reg) || inductions_.count(reg)) return true;
      Seen s = seen(reg, insts_[i].bundle);
      std::optional<int> below = depthOf(s.by);
      if (below) depth = std::max(depth, *below + s.carried);
      return below.has_value();
    });
    active_.erase(i);
    if (!fine) return std::nullopt;
    depths_[i] = depth;
    return depth;
  }

  Slope slopeOfRead(uint8_t reg, uint32_t b) {
    if (!written(reg)) return {true, 0, kNoReg};
    if (auto it = inductions_.find(reg); it != inductions_.end()) return it->second;
    return slopeOf(seen(reg, b).by);
  }

  // Only sums and constants have slopes that are worth knowing.
  Slope slopeOf(size_t i) {
    const Inst &inst = insts_[i].inst;
    uint32_t b = insts_[i].bundle;
    Slope zero{true, 0, kNoReg}, unknown;
    if (inst.op == Op::SAdd || inst.op == Op::SSub) {
      Slope left = slopeOfRead(inst.a, b);
      if (inst.b == kNoReg) return left;
      Slope right = slopeOfRead(inst.b, b);
      if (right == zero) return left;
      if (inst.op == Op::SAdd && left == zero) return right;
    }
    bool constant = forEachRead(inst, [&](uint8_t reg) { return slopeOfRead(reg, b) == zero; });
    return constant ? zero : unknown;
  }

  // Registers at entry that a group's value is computed from.
  void inputs(uint8_t reg, uint32_t b, std::set<uint8_t> &out, std::set<size_t> &visited) {
    if (!written(reg) || inductions_.count(reg)) {
      out.insert(reg);
      if (auto it = inductions_.find(reg); it != inductions_.end() && it->second.reg != kNoReg)
        out.insert(it->second.reg);
      return;
    }
    Seen s = seen(reg, b);
    if (s.carried) out.insert(reg);
    if (!visited.insert(s.by).second) return;
    if (insts_[s.by].inst.op == Op::SLdw || insts_[s.by].inst.op == Op::SLdd) loads_ = true;
    forEachRead(insts_[s.by].inst, [&](uint8_t r) {
      inputs(r, insts_[s.by].bundle, out, visited);
      return true;
    });
  }

  // False when an array's groups do not all advance alike.
  bool groups(SimpleLoop &out) {
    std::set<uint8_t> needed;
    std::set<size_t> visited;
    std::optional<Slope> slopes[isa::kMaxMxus];
    for (uint32_t b = begin_ + 1; b <= end_; ++b)
      for (uint32_t i = program_.bundles[b].ops; i < program_.bundles[b + 1].ops; ++i) {
        const UnitOp &op = program_.ops[i];
        if (op.unit != isa::Unit::MxuPush && op.unit != isa::Unit::MxuPop) continue;
        Slope slope{true, 0, kNoReg};
        if (op.reg != kNoReg) {
          slope = slopeOfRead(op.reg, b);
          inputs(op.reg, b, needed, visited);
        }
        if (!slope.known || (slopes[op.array] && !(*slopes[op.array] == slope))) return false;
        slopes[op.array] = slope;
      }
    for (int i = 0; i < isa::kMaxMxus; ++i) out.slopes[i] = slopes[i].value_or(Slope{true, 0, kNoReg});
    out.groupInputs.assign(needed.begin(), needed.end());
    return !loads_;
  }

  const DecodedProgram &program_;
  uint32_t begin_, end_;
  std::vector<Placed> insts_;
  std::map<uint8_t, std::vector<size_t>> writers_;
  std::map<uint8_t, Slope> inductions_;
  std::map<size_t, int> depths_;
  std::set<size_t> active_;
  bool loads_ = false;
};

}  // namespace

SimpleLoop analyseLoop(const DecodedProgram &program, uint32_t begin, uint32_t end) {
  return LoopAnalysis(program, begin, end).run();
}

}  // namespace tpuc::timing
