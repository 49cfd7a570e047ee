// The machine program's tree as a list of blocks, with a check of its operands.
#include "passes/schedule/flow.h"

#include <cassert>

namespace tpuc::schedule {

Successors successors(const Flow &flow, int index) {
  const Block &block = flow.blocks[index];
  const MInst *control = controlOf(block);
  if (!control) return {{index + 1, 0}, 1};
  switch (control->op) {
    case Op::Br: return {{block.target, 0}, 1};
    case Op::Bz:
    case Op::Bnz: return {{index + 1, block.target}, 2};
    // `loop` skips to what follows its loop.end; loop.end goes back to what follows its loop.
    case Op::Loop: return {{index + 1, block.target + 1}, 2};
    case Op::LoopEnd: return {{block.target + 1, index + 1}, 2};
    case Op::Ret:
    case Op::Halt: return {{0, 0}, 0};
    default: return {{index + 1, 0}, 1};
  }
}

int64_t fieldOf(const MInst &inst, std::string_view name) {
  isa::Inst encoded;
  encoded.op = inst.op;
  encoded.imm = inst.imm;
  return isa::getField(encoded, name);
}

bool setFieldOf(MInst &inst, std::string_view name, int64_t value) {
  isa::Inst encoded;
  encoded.op = inst.op;
  encoded.imm = inst.imm;
  if (!isa::setField(encoded, name, value)) return false;
  inst.imm = encoded.imm;
  return true;
}

MInst makeInst(Op op, Reg dst, std::initializer_list<Reg> src, int64_t imm, int32_t loc) {
  MInst inst{};
  inst.op = op;
  inst.dst = dst;
  int slot = 0;
  for (Reg reg : src) inst.src[slot++] = reg;
  if (isa::info(op).field("imm")) setFieldOf(inst, "imm", imm);
  else if (isa::info(op).field("off")) setFieldOf(inst, "off", imm);
  inst.loc = loc;
  return inst;
}

MInst makeMove(RegKind kind, Reg dst, Reg src, int32_t loc) {
  switch (kind) {
    case RegKind::S: return makeInst(Op::SAdd, dst, {src}, 0, loc);
    case RegKind::V: return makeInst(Op::VMov, dst, {src}, 0, loc);
    default: return makeInst(Op::MOr, dst, {src, src}, 0, loc);
  }
}

int FlowBuilder::openBlock() {
  flow_.blocks.emplace_back();
  return current();
}

void FlowBuilder::appendBundled(Block &&bundled) {
  if (!block().insts.empty()) openBlock();
  block() = std::move(bundled);
  openBlock();
}

void FlowBuilder::control(Op op, Reg reg, int64_t imm, int32_t loc, int target) {
  append(makeInst(op, kNone, {reg}, imm, loc));
  block().target = target;
}

int FlowBuilder::beginLoop(Reg count, int64_t countImm, int32_t loc) {
  int loop = current();
  control(Op::Loop, count, countImm, loc, -1);
  openBlock();
  return loop;
}

void FlowBuilder::endLoop(int loop) {
  // The end of a bundled body goes into its last bundle.
  bool join = block().insts.empty() && current() - 1 > loop && flow_.blocks[current() - 1].bundled &&
              !controlOf(flow_.blocks[current() - 1]);
  if (join) flow_.blocks.pop_back();
  flow_.blocks[loop].target = current();
  control(Op::LoopEnd, kNone, 0, flow_.blocks[loop].insts.back().loc, loop);
  if (join) block().ends.back()++;
  openBlock();
}

int FlowBuilder::beginIf(Reg cond, int32_t loc) {
  int branch = current();
  control(Op::Bz, cond, 0, loc, -1);
  openBlock();
  return branch;
}

int FlowBuilder::otherwise(int branch) {
  int jump = current();
  control(Op::Br, kNone, 0, flow_.blocks[branch].insts.back().loc, -1);
  flow_.blocks[branch].target = openBlock();
  return jump;
}

void FlowBuilder::endIf(int jump) { flow_.blocks[jump].target = openBlock(); }

int FlowBuilder::beginWhile() { return openBlock(); }

int FlowBuilder::leaveUnless(Reg cond, int32_t loc) {
  int leave = current();
  control(Op::Bz, cond, 0, loc, -1);
  openBlock();
  return leave;
}

void FlowBuilder::endWhile(int head, int leave) {
  control(Op::Br, kNone, 0, flow_.blocks[leave].insts.back().loc, head);
  flow_.blocks[leave].target = openBlock();
}

namespace {

// Walks the tree once: checks each instruction and appends it.
class Linearizer {
 public:
  Linearizer(const machine::Routine &routine, const LoopHook &hook, Flow &flow, std::string &error)
      : routine_(routine), hook_(hook), flow_(flow), builder_(flow), error_(error) {}

  bool run() {
    if (!checkReg(routine_.gridStart, RegKind::S, true, "gridStart") ||
        !checkReg(routine_.gridCount, RegKind::S, true, "gridCount") || !region(routine_.body))
      return false;
    builder_.append(makeInst(routine_.isEntry ? Op::Halt : Op::Ret, kNone, {}, 0, lastLoc_));
    return true;
  }

 private:
  bool region(const machine::Region &nodes) {
    for (const machine::Node &node : nodes)
      if (!std::visit([&](const auto &n) { return visit(n); }, node.value)) return false;
    return true;
  }

  bool visit(const MInst &inst) {
    if (!check(inst)) return false;
    lastLoc_ = inst.loc;
    builder_.append(inst);
    if (isCall(inst)) builder_.openBlock();
    return true;
  }

  bool visit(const machine::LoopNode &loop) {
    if (!checkReg(loop.count, RegKind::S, true, "loop count")) return false;
    if (loop.count == kNone && (loop.countImm > INT32_MAX || loop.countImm < INT32_MIN))
      return fail("loop count " + std::to_string(loop.countImm) + " does not fit the instruction");
    if (isStraight(loop.body)) {
      for (const machine::Node &node : loop.body)
        if (!check(std::get<MInst>(node.value))) return false;
      if (hook_ && hook_(loop, builder_, flow_)) return true;
    }
    int handle = builder_.beginLoop(loop.count, loop.countImm, lastLoc_);
    if (!region(loop.body)) return false;
    builder_.endLoop(handle);
    return true;
  }

  bool visit(const machine::IfNode &node) {
    if (!checkReg(node.cond, RegKind::S, false, "condition")) return false;
    int branch = builder_.beginIf(node.cond, lastLoc_);
    if (!region(node.then)) return false;
    int jump = builder_.otherwise(branch);
    if (!region(node.otherwise)) return false;
    builder_.endIf(jump);
    return true;
  }

  bool visit(const machine::WhileNode &node) {
    if (!checkReg(node.cond, RegKind::S, false, "condition")) return false;
    int head = builder_.beginWhile();
    if (!region(node.before)) return false;
    int leave = builder_.leaveUnless(node.cond, lastLoc_);
    if (!region(node.body)) return false;
    builder_.endWhile(head, leave);
    return true;
  }

  static bool isStraight(const machine::Region &body) {
    if (body.empty()) return false;
    for (const machine::Node &node : body) {
      const MInst *inst = std::get_if<MInst>(&node.value);
      if (!inst || unitOf(*inst) == Unit::Control || unitOf(*inst) == Unit::Dma) return false;
    }
    return true;
  }

  bool check(const MInst &inst) {
    if (static_cast<int>(inst.op) >= isa::kNumOps) return fail("unknown opcode");
    const isa::InstInfo &info = isa::info(inst.op);
    if (info.unit == Unit::Control && !isCall(inst)) return fail(std::string(info.mnemonic) + " in a structured routine");
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
    if (routine_.regs[reg] != kind) return fail(std::string(where) + ": register " + std::to_string(reg) + " is of a wrong kind");
    return true;
  }

  bool fail(const std::string &what) {
    error_ = "routine '" + routine_.name + "': " + what;
    return false;
  }

  const machine::Routine &routine_;
  const LoopHook &hook_;
  Flow &flow_;
  FlowBuilder builder_;
  std::string &error_;
  int32_t lastLoc_ = -1;
};

}  // namespace

bool linearize(const machine::Routine &routine, const LoopHook &hook, Flow &flow, std::string &error) {
  flow.blocks.clear();
  flow.regs = routine.regs;
  flow.gridStart = routine.gridStart;
  flow.gridCount = routine.gridCount;
  return Linearizer(routine, hook, flow, error).run();
}

}  // namespace tpuc::schedule
