// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference machine's run of bundles over physical registers, with cycles: in-order issue, a bundle waits for its
// operands and units.
#include <algorithm>

#include "passes/schedule/resources.h"
#include "test/unit/schedule/reference.h"

namespace tpuc::schedule::reference {
namespace {

using isa::Inst;
using isa::Op;
using isa::RegKind;

class BundleRunner {
 public:
  BundleRunner(const machine::Scheduled &code, const timing::MachineModel &model, Run &run, int64_t maxSteps)
      : code_(code.code), resources_(model), run_(run), maxSteps_(maxSteps) {
    starts_.push_back(0);
    for (size_t i = 0; i < code_.size(); ++i)
      if (code_[i].last) starts_.push_back(i + 1);
    // What a routine finds in the registers is not its business, except for s31.
    for (int r = 0; r < isa::kNumScalars; ++r) s_[r] = 1000003 * (r + 1);
    for (int r = 0; r < isa::kNumVregs; ++r) v_[r].fill(77777u * (r + 1));
    for (int r = 0; r < isa::kNumMasks; ++r) m_[r] = 0x5a;
    s_[machine::kZeroReg] = 0;
  }

  void run(int64_t gridStart, int64_t gridCount) {
    s_[0] = gridStart;
    s_[1] = gridCount;
    size_t bundle = 0;
    while (true) {
      if (bundle + 1 >= starts_.size()) return fail("runs past the end");
      if (++run_.steps > maxSteps_) return fail("does not end");
      issue(bundle);
      execute(bundle);
      const Inst &last = code_[starts_[bundle + 1] - 1];
      if (last.op == Op::Ret || last.op == Op::Halt) break;
      size_t next = control(bundle, last);
      if (next != bundle + 1) cycle_ += resources_.latency(machineInst(last)) - 1;
      bundle = next;
      if (!run_.error.empty()) return;
    }
    if (!loops_.empty()) return fail("ends within a loop");
    run_.cycles = cycle_;
  }

 private:
  void fail(const std::string &what) { run_.error = what; }

  static machine::MInst machineInst(const Inst &inst) {
    machine::MInst m{};
    m.op = inst.op;
    m.imm = inst.imm;
    return m;
  }

  template <typename F>
  void forEachRead(const Inst &inst, F f) {
    const isa::InstInfo &info = isa::info(inst.op);
    for (int k = 0; k < 3; ++k)
      if (inst.source(k) != isa::kNoReg) f(info.sources[k].kind, inst.source(k));
    if (inst.m != isa::kNoReg) f(RegKind::M, inst.m);
  }
  int64_t &readyAt(RegKind kind, int reg) { return ready_[kind == RegKind::S ? 0 : kind == RegKind::V ? 1 : 2][reg]; }

  // The cycle at which the bundle issues.
  void issue(size_t bundle) {
    int64_t at = cycle_;
    for (size_t i = starts_[bundle]; i < starts_[bundle + 1]; ++i) {
      forEachRead(code_[i], [&](RegKind kind, int reg) { at = std::max(at, readyAt(kind, reg)); });
      Demand d = resources_.demand(machineInst(code_[i]));
      auto &busy = busy_[d.cls];
      busy.resize(std::max(1, resources_.limit(d.cls)));
      at = std::max(at, *std::min_element(busy.begin(), busy.end()));
    }
    for (size_t i = starts_[bundle]; i < starts_[bundle + 1]; ++i) {
      Demand d = resources_.demand(machineInst(code_[i]));
      auto &busy = busy_[d.cls];
      if (d.cycles > 1) *std::min_element(busy.begin(), busy.end()) = at + d.cycles;
      RegKind kind = isa::info(code_[i].op).result;
      if (kind != RegKind::None) readyAt(kind, code_[i].dst) = at + resources_.latency(machineInst(code_[i]));
    }
    cycle_ = at + 1;
  }

  void execute(size_t bundle) {
    std::vector<Operands> operands;
    for (size_t i = starts_[bundle]; i < starts_[bundle + 1]; ++i) {
      const Inst &inst = code_[i];
      const isa::InstInfo &info = isa::info(inst.op);
      Operands in;
      for (int k = 0; k < 3; ++k) {
        uint8_t r = inst.source(k);
        if (r == isa::kNoReg) continue;
        in.present[k] = true;
        if (info.sources[k].kind == RegKind::S) in.s[k] = s_[r];
        if (info.sources[k].kind == RegKind::V) in.v[k] = v_[r];
        if (info.sources[k].kind == RegKind::M) in.m[k] = m_[r];
      }
      if (inst.m != isa::kNoReg) in.mask = m_[inst.m];
      operands.push_back(in);
    }
    controlOperand_ = operands.back();
    for (size_t i = starts_[bundle]; i < starts_[bundle + 1]; ++i) {
      const Inst &inst = code_[i];
      const isa::InstInfo &info = isa::info(inst.op);
      if (info.unit == isa::Unit::Control) continue;
      Result r = run_.memory.execute(inst, operands[i - starts_[bundle]]);
      if (info.result == RegKind::S) s_[inst.dst] = r.s;
      if (info.result == RegKind::V) v_[inst.dst] = r.v;
      if (info.result == RegKind::M) m_[inst.dst] = r.m;
    }
  }

  size_t control(size_t bundle, const Inst &inst) {
    if (isa::info(inst.op).unit != isa::Unit::Control) return bundle + 1;
    bool call = inst.op == Op::Call || inst.op == Op::Grid;
    size_t target = call ? 0 : static_cast<size_t>(isa::getField(inst, "target"));
    int64_t a = controlOperand_.present[0] ? controlOperand_.s[0] : 0;
    switch (inst.op) {
      case Op::Br:
        return target;
      case Op::Bz:
        return a == 0 ? target : bundle + 1;
      case Op::Bnz:
        return a != 0 ? target : bundle + 1;
      case Op::Loop: {
        int64_t count = controlOperand_.present[0] ? a : isa::getField(inst, "imm");
        if (count <= 0) return target + 1;
        loops_.push_back({bundle, count});
        return bundle + 1;
      }
      case Op::LoopEnd:
        if (loops_.empty() || loops_.back().first != target) {
          fail("loop.end of a loop that does not run");
          return bundle + 1;
        }
        if (--loops_.back().second > 0) return target + 1;
        loops_.pop_back();
        return bundle + 1;
      default:  // calls clobber every register
        for (int r = 0; r < machine::kZeroReg; ++r) s_[r] = -5 * r;
        for (auto &v : v_) v.fill(4711);
        m_.fill(0x33);
        return bundle + 1;
    }
  }

  const std::vector<Inst> &code_;
  Resources resources_;
  Run &run_;
  int64_t maxSteps_;
  std::vector<size_t> starts_;
  std::array<int64_t, isa::kNumScalars> s_;
  std::array<Vreg, isa::kNumVregs> v_;
  std::array<uint8_t, isa::kNumMasks> m_;
  std::vector<std::pair<size_t, int64_t>> loops_;
  Operands controlOperand_;
  int64_t cycle_ = 0;
  std::array<std::array<int64_t, isa::kNumVregs>, 3> ready_{};
  std::array<std::vector<int64_t>, kNumClasses> busy_;
};

}  // namespace

Run runScheduled(const machine::Scheduled &code, const timing::MachineModel &model, int64_t gridStart,
                 int64_t gridCount, int64_t maxSteps) {
  Run run;
  BundleRunner(code, model, run, maxSteps).run(gridStart, gridCount);
  return run;
}

}  // namespace tpuc::schedule::reference
