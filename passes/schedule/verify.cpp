// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The invariants of a scheduled routine.
#include <set>

#include "passes/schedule/flow.h"
#include "passes/schedule/schedule.h"

namespace tpuc::schedule {
namespace {

class Verifier {
 public:
  Verifier(const machine::Scheduled &code, const timing::MachineModel &model, bool isEntry)
      : code_(code), model_(model), isEntry_(isEntry) {}

  std::string run() {
    if (code_.code.empty()) return "a routine without instructions";
    if (!code_.code.back().last) return "the last instruction does not end a bundle";
    starts_.push_back(0);
    for (size_t i = 0; i < code_.code.size(); ++i)
      if (code_.code[i].last) starts_.push_back(i + 1);
    if (code_.bundleLoc.size() + 1 != starts_.size())
      return "expects " + std::to_string(starts_.size() - 1) + " locations, but got " +
             std::to_string(code_.bundleLoc.size());
    for (size_t b = 0; b + 1 < starts_.size(); ++b)
      if (std::string bad = bundle(b); !bad.empty()) return "bundle " + std::to_string(b) + ": " + bad;
    const isa::Inst &last = code_.code.back();
    if (last.op != Op::Ret && last.op != Op::Halt && last.op != Op::Br) return "execution runs past the end";
    return {};
  }

 private:
  std::string bundle(size_t b) {
    std::set<std::pair<RegKind, int>> written;
    for (size_t i = starts_[b]; i < starts_[b + 1]; ++i) {
      const isa::Inst &inst = code_.code[i];
      if (std::string bad = isa::validate(inst); !bad.empty()) return bad;
      std::string name(isa::info(inst.op).mnemonic);
      RegKind kind = isa::info(inst.op).result;
      if (kind != RegKind::None && !written.insert({kind, inst.dst}).second)
        return "two writes of the register of " + name;
      bool setsZero = isEntry_ && b == 0 && inst.op == Op::SLi && inst.imm == 0;
      if (kind == RegKind::S && inst.dst == machine::kZeroReg && !setsZero) return name + " writes s31";
      if (std::string bad = control(inst, b, i); !bad.empty()) return name + ": " + bad;
    }
    return timing::checkSlots(model_, &code_.code[starts_[b]], static_cast<int>(starts_[b + 1] - starts_[b]));
  }

  // Whether bundle `target` has `op`, whose own target is `b`.
  bool pairs(int64_t target, Op op, size_t b) const {
    for (size_t i = starts_[target]; i < starts_[target + 1]; ++i)
      if (code_.code[i].op == op) return isa::getField(code_.code[i], "target") == static_cast<int64_t>(b);
    return false;
  }

  std::string control(const isa::Inst &inst, size_t b, size_t i) const {
    if (isa::info(inst.op).unit != Unit::Control) return {};
    if (i + 1 != starts_[b + 1]) return "control is not the last of its bundle";
    if (inst.op == Op::Call || inst.op == Op::Grid || inst.op == Op::Ret || inst.op == Op::Halt) return {};
    int64_t target = isa::getField(inst, "target");
    if (target < 0 || target + 1 >= static_cast<int64_t>(starts_.size()))
      return "target " + std::to_string(target) + " out of range";
    if (inst.op == Op::Loop && (target <= static_cast<int64_t>(b) || !pairs(target, Op::LoopEnd, b)))
      return "no loop.end at its target";
    if (inst.op == Op::LoopEnd && (target >= static_cast<int64_t>(b) || !pairs(target, Op::Loop, b)))
      return "no loop at its target";
    return {};
  }

  const machine::Scheduled &code_;
  const timing::MachineModel &model_;
  bool isEntry_;
  std::vector<size_t> starts_;
};

}  // namespace

std::string verifyScheduled(const machine::Scheduled &code, const timing::MachineModel &model, bool isEntry) {
  return Verifier(code, model, isEntry).run();
}

}  // namespace tpuc::schedule
