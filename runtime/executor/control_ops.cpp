// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches, counted loops, calls, grids.
#include "runtime/executor/control_trace.h"
#include "runtime/executor/machine.h"
#include "runtime/executor/program.h"

namespace tpuc::exec {
namespace {

using isa::Op;

void record(Core &core, int64_t outcome) {
  if (core.trace) core.trace->outcomes.push_back(outcome);
}

const DInst *br(Core &, const DInst *i) { return i->target; }

template <bool kZero>
const DInst *branch(Core &core, const DInst *i) {
  bool taken = (core.s[i->a] == 0) == kZero;
  record(core, taken);
  return taken ? i->target : i + 1;
}

// `target` is what follows the loop.end.
template <bool kImmediate>
const DInst *loop(Core &core, const DInst *i) {
  int64_t count = kImmediate ? i->imm : core.s[i->a];
  if (!kImmediate) record(core, count);
  if (count <= 0) return i->target;
  if (core.loopDepth == kMaxLoops) return stop(core, i, "loops are nested too deeply");
  core.loops[core.loopDepth++].remaining = count;
  return i + 1;
}

// `target` is what follows the loop.
const DInst *loopEnd(Core &core, const DInst *i) {
  if (--core.loops[core.loopDepth - 1].remaining > 0) return i->target;
  --core.loopDepth;
  return i + 1;
}

const DInst *call(Core &core, const DInst *i) {
  if (core.callDepth == kMaxCalls) return stop(core, i, "calls are nested too deeply");
  core.calls[core.callDepth++] = i + 1;
  return i->target;
}

template <bool kImmediate>
const DInst *grid(Core &core, const DInst *i) {
  return core.machine->runGrid(core, i, kImmediate ? i->imm : core.s[i->a]);
}

const DInst *ret(Core &core, const DInst *i) {
  if (core.callDepth == 0) return stop(core, i, "return without a call");
  return core.calls[--core.callDepth];  // null below a grid's steps: they are done
}

const DInst *halt(Core &core, const DInst *i) {
  return core.callDepth ? stop(core, i, "halt inside of a routine") : nullptr;
}

}  // namespace

const DInst *enterBlock(Core &core, const DInst *i) {
  ++core.blockCounts[i->imm];
  return --core.blocksLeft ? i + 1 : core.machine->moreBlocks(core, i);
}

Handler controlHandler(Op op, bool immediate) {
  switch (op) {
    case Op::Br:
      return br;
    case Op::Bz:
      return branch<true>;
    case Op::Bnz:
      return branch<false>;
    case Op::Loop:
      return immediate ? loop<true> : loop<false>;
    case Op::LoopEnd:
      return loopEnd;
    case Op::Call:
      return call;
    case Op::Grid:
      return immediate ? grid<true> : grid<false>;
    case Op::Ret:
      return ret;
    case Op::Halt:
      return halt;
    default:
      return nullptr;
  }
}

}  // namespace tpuc::exec
