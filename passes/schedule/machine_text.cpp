// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Printing of the machine program.
#include "passes/schedule/machine_text.h"

#include "passes/schedule/flow.h"

namespace tpuc::schedule {
namespace {

class Printer {
 public:
  explicit Printer(std::string &out) : out_(out) {}

  void routine(const machine::Routine &r) {
    regs_ = &r.regs;
    out_ += (r.isEntry ? "entry routine " : "routine ") + (r.name.empty() ? "_" : r.name);
    if (r.gridStart != kNone) out_ += " grid_start=" + name(r.gridStart);
    if (r.gridCount != kNone) out_ += " grid_count=" + name(r.gridCount);
    attribute("spill_vmem", r.spillVmemWord, 0);
    attribute("spill_smem", r.spillSmemByte, 0);
    out_ += " {\n";
    kinds(r.regs);
    region(r.body, 1);
    out_ += "}\n";
  }

 private:
  static char letter(RegKind kind) {
    return kind == RegKind::S ? 's' : kind == RegKind::V ? 'v' : kind == RegKind::M ? 'm' : '_';
  }
  std::string name(Reg r) const { return letter((*regs_)[r]) + std::to_string(r); }
  void attribute(const char *key, int64_t value, int64_t unless) {
    if (value == unless) return;
    out_ += ' ';
    out_ += key;
    out_ += '=' + std::to_string(value);
  }
  void indent(int depth) { out_.append(static_cast<size_t>(depth) * 2, ' '); }

  void kinds(const std::vector<RegKind> &regs) {
    if (regs.empty()) return;
    out_ += "  regs";
    for (size_t i = 0; i < regs.size();) {
      size_t end = i;
      while (end < regs.size() && regs[end] == regs[i]) ++end;
      out_ += ' ';
      out_ += letter(regs[i]) + std::to_string(end - i);
      i = end;
    }
    out_ += '\n';
  }

  void region(const machine::Region &nodes, int depth) {
    for (const machine::Node &node : nodes) {
      indent(depth);
      std::visit([&](const auto &n) { print(n, depth); }, node.value);
    }
  }
  void braces(const machine::Region &nodes, int depth) {
    out_ += "{\n";
    region(nodes, depth + 1);
    indent(depth);
    out_ += '}';
  }

  void print(const MInst &inst, int) {
    const isa::InstInfo &info = isa::info(inst.op);
    if (inst.dst != kNone) out_ += name(inst.dst) + " = ";
    out_ += info.mnemonic;
    int count = 3;
    while (count > 0 && inst.src[count - 1] == kNone) --count;
    for (int i = 0; i < count; ++i) {
      out_ += i ? ", " : " ";
      out_ += inst.src[i] == kNone ? "_" : name(inst.src[i]);
    }
    if (inst.mask != kNone) out_ += " mask=" + name(inst.mask);
    for (int i = 0; i < info.numFields; ++i) {
      if (isControl(inst) && info.fields[i].name == "target") continue;
      attribute(std::string(info.fields[i].name).c_str(), fieldOf(inst, info.fields[i].name), 0);
    }
    attribute("routine", inst.callee, -1);
    attribute("region", inst.region, -1);
    attribute("loc", inst.loc, -1);
    out_ += '\n';
  }
  void print(const machine::LoopNode &loop, int depth) {
    out_ += "loop " + (loop.count != kNone ? name(loop.count) : std::to_string(loop.countImm));
    out_ += loop.independent ? " independent " : " ";
    braces(loop.body, depth);
    out_ += '\n';
  }
  void print(const machine::IfNode &node, int depth) {
    out_ += "if " + name(node.cond) + " ";
    braces(node.then, depth);
    if (!node.otherwise.empty()) {
      out_ += " else ";
      braces(node.otherwise, depth);
    }
    out_ += '\n';
  }
  void print(const machine::WhileNode &node, int depth) {
    out_ += "while ";
    braces(node.before, depth);
    out_ += " " + name(node.cond) + " ";
    braces(node.body, depth);
    out_ += '\n';
  }

  std::string &out_;
  const std::vector<RegKind> *regs_ = nullptr;
};

}  // namespace

std::string toText(const machine::Routine &routine) {
  std::string out;
  Printer(out).routine(routine);
  return out;
}

std::string toText(const machine::Program &program) {
  std::string out;
  for (size_t i = 0; i < program.locations.size(); ++i) {
    out += "loc " + std::to_string(i) + " \"";
    for (char c : program.locations[i]) {
      if (c == '"' || c == '\\') out += '\\';
      out += c == '\n' ? ' ' : c;
    }
    out += "\"\n";
  }
  for (const machine::Routine &routine : program.routines) Printer(out).routine(routine);
  return out;
}

}  // namespace tpuc::schedule
