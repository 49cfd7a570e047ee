// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine program's tree as a list of blocks.
#include "passes/schedule/flow.h"

#include <cassert>

namespace tpuc::schedule {

Successors successors(const Flow &flow, int index) {
  const Block &block = flow.blocks[index];
  const MInst *control = controlOf(block);
  if (!control) return {{index + 1, 0}, 1};
  switch (control->op) {
    case Op::Br:
      return {{block.target, 0}, 1};
    case Op::Bz:
    case Op::Bnz:
      return {{index + 1, block.target}, 2};
    // `loop` skips to what follows its loop.end; loop.end goes back to what follows its loop.
    case Op::Loop:
      return {{index + 1, block.target + 1}, 2};
    case Op::LoopEnd:
      return {{block.target + 1, index + 1}, 2};
    case Op::Ret:
    case Op::Halt:
      return {{0, 0}, 0};
    default:
      return {{index + 1, 0}, 1};
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
  if (isa::info(op).field("imm"))
    setFieldOf(inst, "imm", imm);
  else if (isa::info(op).field("off"))
    setFieldOf(inst, "off", imm);
  inst.loc = loc;
  return inst;
}

MInst makeMove(RegKind kind, Reg dst, Reg src, int32_t loc) {
  switch (kind) {
    case RegKind::S:
      return makeInst(Op::SAdd, dst, {src}, 0, loc);
    case RegKind::V:
      return makeInst(Op::VMov, dst, {src}, 0, loc);
    default:
      return makeInst(Op::MOr, dst, {src, src}, 0, loc);
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

// A loop's ends go into the last bundle of bundled code before them: the block that was opened after it is dropped.
void FlowBuilder::joinBundles(int after) {
  int last = current() - 1;
  if (!block().insts.empty() || last <= after) return;
  const Block &previous = flow_.blocks[last];
  if (!previous.bundled || controlOf(previous)) return;
  flow_.blocks.pop_back();
  block().ends.back()++;
}

int FlowBuilder::beginLoop(Reg count, int64_t countImm, int32_t loc) {
  joinBundles(-1);
  int loop = current();
  control(Op::Loop, count, countImm, loc, -1);
  openBlock();
  return loop;
}

void FlowBuilder::endLoop(int loop) {
  joinBundles(loop);
  flow_.blocks[loop].target = current();
  control(Op::LoopEnd, kNone, 0, flow_.blocks[loop].insts.back().loc, loop);
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

// Walks the tree once and appends each instruction.
class Linearizer {
 public:
  Linearizer(const machine::Routine &routine, const LoopHook &hook, Flow &flow)
      : routine_(routine), hook_(hook), flow_(flow), builder_(flow) {}

  void run() {
    region(routine_.body);
    builder_.append(makeInst(routine_.isEntry ? Op::Halt : Op::Ret, kNone, {}, 0, lastLoc_));
  }

 private:
  void region(const machine::Region &nodes) {
    for (const machine::Node &node : nodes) std::visit([&](const auto &n) { visit(n); }, node.value);
  }

  void visit(const MInst &inst) {
    lastLoc_ = inst.loc;
    builder_.append(inst);
    if (isCall(inst)) builder_.openBlock();
  }

  void visit(const machine::LoopNode &loop) {
    if (isStraight(loop.body) && hook_ && hook_(loop, builder_, flow_)) return;
    int handle = builder_.beginLoop(loop.count, loop.countImm, lastLoc_);
    region(loop.body);
    builder_.endLoop(handle);
  }

  void visit(const machine::IfNode &node) {
    int branch = builder_.beginIf(node.cond, lastLoc_);
    region(node.then);
    int jump = builder_.otherwise(branch);
    region(node.otherwise);
    builder_.endIf(jump);
  }

  void visit(const machine::WhileNode &node) {
    int head = builder_.beginWhile();
    region(node.before);
    int leave = builder_.leaveUnless(node.cond, lastLoc_);
    region(node.body);
    builder_.endWhile(head, leave);
  }

  static bool isStraight(const machine::Region &body) {
    if (body.empty()) return false;
    for (const machine::Node &node : body) {
      const MInst *inst = std::get_if<MInst>(&node.value);
      if (!inst || unitOf(*inst) == Unit::Control || unitOf(*inst) == Unit::Dma) return false;
    }
    return true;
  }

  const machine::Routine &routine_;
  const LoopHook &hook_;
  Flow &flow_;
  FlowBuilder builder_;
  int32_t lastLoc_ = -1;
};

}  // namespace

void linearize(const machine::Routine &routine, const LoopHook &hook, Flow &flow) {
  flow.blocks.clear();
  flow.regs = routine.regs;
  flow.gridStart = routine.gridStart;
  flow.gridCount = routine.gridCount;
  Linearizer(routine, hook, flow).run();
}

}  // namespace tpuc::schedule
