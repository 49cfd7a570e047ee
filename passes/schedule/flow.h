// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A routine as a list of blocks in the order of the code. Between `linearize` and `emit` every step of the scheduler
// works on this form; registers are virtual until colouring.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "passes/schedule/machine.h"

namespace tpuc::schedule {

using isa::Op;
using isa::RegKind;
using isa::Unit;
using machine::kNone;
using machine::MInst;
using machine::Reg;

// Straight-line code; a control instruction can only be the last one. In a bundled block the instructions between two
// `ends` read before any of them writes; otherwise the order is sequential.
struct Block {
  std::vector<MInst> insts;
  std::vector<int32_t> ends;  // bundled: one past the last instruction of each bundle
  bool bundled = false;
  int loop = -1;        // part of pipelined loop number `loop`
  bool kernel = false;  // its steady state: bundles stay as they are
  int target = -1;      // block that the control instruction branches to

  int numBundles() const { return static_cast<int>(bundled ? ends.size() : insts.size()); }
  int begin(int bundle) const { return bundled ? (bundle ? ends[bundle - 1] : 0) : bundle; }
  int end(int bundle) const { return bundled ? ends[bundle] : bundle + 1; }
};

struct Flow {
  std::vector<Block> blocks;
  std::vector<RegKind> regs;
  Reg gridStart = kNone, gridCount = kNone;  // arrive in s0 and s1

  Reg newReg(RegKind kind) {
    regs.push_back(kind);
    return static_cast<Reg>(regs.size() - 1);
  }
};

inline Unit unitOf(const MInst &inst) { return isa::info(inst.op).unit; }
inline bool isControl(const MInst &inst) { return unitOf(inst) == Unit::Control; }
inline bool isCall(const MInst &inst) { return inst.op == Op::Call || inst.op == Op::Grid; }
inline const MInst *controlOf(const Block &block) {
  return !block.insts.empty() && isControl(block.insts.back()) ? &block.insts.back() : nullptr;
}

// Stands for s31, the register that is always zero: it takes no part in liveness and allocation.
inline constexpr Reg kZero = -2;

// The result is the same wherever the instruction stands: cheaper to make again than to keep in memory.
inline bool makesConstant(Op op) {
  return op == Op::SLi || op == Op::VLi || op == Op::MLi || op == Op::VLaneId || op == Op::VSubId;
}

// Blocks that can run after `block`.
struct Successors {
  int at[2];
  int count;
  const int *begin() const { return at; }
  const int *end() const { return at + count; }
};
Successors successors(const Flow &flow, int block);

// Calls f(reg) for every register that `inst` reads, the same register as often as it stands there.
template <typename Inst, typename F>
void forEachUse(Inst &inst, F f) {
  for (auto &reg : inst.src)
    if (reg >= 0) f(reg);
  if (inst.mask >= 0) f(inst.mask);
}

// A field of the immediate by the table's name; the instruction must have it.
int64_t fieldOf(const MInst &inst, std::string_view name);
// False when `value` does not fit.
bool setFieldOf(MInst &inst, std::string_view name, int64_t value);

MInst makeInst(Op op, Reg dst, std::initializer_list<Reg> src, int64_t imm, int32_t loc);
// dst = src, for a register of any kind.
MInst makeMove(RegKind kind, Reg dst, Reg src, int32_t loc);

// Builds a Flow block by block, as the structured program is walked.
class FlowBuilder {
 public:
  explicit FlowBuilder(Flow &flow) : flow_(flow) { openBlock(); }

  int openBlock();  // returns the new block's number
  Block &block() { return flow_.blocks.back(); }
  int current() const { return static_cast<int>(flow_.blocks.size()) - 1; }
  void append(const MInst &inst) { block().insts.push_back(inst); }
  // A block of its own with the given bundles; the next instruction opens another one.
  void appendBundled(Block &&bundled);

  // Structured control. Each `begin` returns a handle for its `end`.
  int beginLoop(Reg count, int64_t countImm, int32_t loc);
  void endLoop(int loop);
  // cond != 0 runs what follows; `otherwise` starts the other side. Both sides always have a block, so that an
  // allocator can place code on either edge.
  int beginIf(Reg cond, int32_t loc);
  int otherwise(int branch);
  void endIf(int jump);
  int beginWhile();
  int leaveUnless(Reg cond, int32_t loc);
  void endWhile(int head, int leave);

 private:
  void joinBundles(int after);
  void control(Op op, Reg reg, int64_t imm, int32_t loc, int target);
  Flow &flow_;
};

// Called for an innermost loop whose body is straight-line code; true when it has emitted the loop.
using LoopHook = std::function<bool(const machine::LoopNode &, FlowBuilder &, Flow &)>;

// False with `error` when the tree is malformed: control instructions in it, registers out of range or of a wrong kind.
bool checkRoutine(const machine::Routine &routine, std::string &error);

void linearize(const machine::Routine &routine, const LoopHook &hook, Flow &flow);

}  // namespace tpuc::schedule
