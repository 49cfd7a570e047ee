// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The invariants of a routine that the scheduler relies on.
#include "passes/schedule/flow.h"

namespace tpuc::schedule {
namespace {

class Checker {
 public:
  Checker(const machine::Routine &routine, std::string &error) : routine_(routine), error_(error) {}

  bool run() {
    return checkReg(routine_.gridStart, RegKind::S, true, "grid start") &&
           checkReg(routine_.gridCount, RegKind::S, true, "grid count") && region(routine_.body);
  }

 private:
  bool region(const machine::Region &nodes) {
    for (const machine::Node &node : nodes)
      if (!std::visit([&](const auto &n) { return check(n); }, node.value)) return false;
    return true;
  }

  bool check(const machine::LoopNode &loop) {
    if (loop.count == kNone && (loop.countImm > INT32_MAX || loop.countImm < INT32_MIN))
      return fail("loop count " + std::to_string(loop.countImm) + " does not fit the instruction");
    return checkReg(loop.count, RegKind::S, true, "loop count") && region(loop.body);
  }
  bool check(const machine::IfNode &node) {
    return checkReg(node.cond, RegKind::S, false, "condition") && region(node.then) && region(node.otherwise);
  }
  bool check(const machine::WhileNode &node) {
    return region(node.before) && checkReg(node.cond, RegKind::S, false, "condition") && region(node.body);
  }

  bool check(const MInst &inst) {
    if (static_cast<int>(inst.op) >= isa::kNumOps) return fail("unknown opcode");
    const isa::InstInfo &info = isa::info(inst.op);
    if (info.unit == Unit::Control && !isCall(inst))
      return fail(std::string(info.mnemonic) + " in a structured routine");
    if (isCall(inst) && inst.callee < 0) return fail(std::string(info.mnemonic) + " without a routine");
    if (!checkReg(inst.dst, info.result, info.result == RegKind::None, info.mnemonic)) return false;
    for (int i = 0; i < 3; ++i) {
      const isa::Source &source = info.sources[i];
      bool optional = source.kind == RegKind::None || source.orImm || source.optional;
      if (!checkReg(inst.src[i], source.kind, optional, info.mnemonic)) return false;
    }
    return checkReg(inst.mask, info.masked ? RegKind::M : RegKind::None, true, info.mnemonic);
  }

  bool checkReg(Reg reg, RegKind kind, bool optional, std::string_view where) {
    if (reg == kNone) return optional || fail(std::string(where) + ": expects a register, but got none");
    if (reg < 0 || reg >= static_cast<Reg>(routine_.regs.size()))
      return fail(std::string(where) + ": register " + std::to_string(reg) + " out of range");
    if (routine_.regs[reg] != kind)
      return fail(std::string(where) + ": register " + std::to_string(reg) + " is of a wrong kind");
    return true;
  }

  bool fail(const std::string &what) {
    error_ = what;
    return false;
  }

  const machine::Routine &routine_;
  std::string &error_;
};

}  // namespace

bool checkRoutine(const machine::Routine &routine, std::string &error) { return Checker(routine, error).run(); }

}  // namespace tpuc::schedule
