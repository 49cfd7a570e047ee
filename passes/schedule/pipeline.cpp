// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is pipelined and how it is guarded.
//
//   known trip count n:     prologue of stages - 1 iterations (and of those that the unrolling leaves over), kernel,
//   epilogue; all of it straight where n is too small for the kernel
//   trip count in register: if (n is too small) plain loop of n; else prologue, kernel, epilogue, and a plain loop of
//   what the unrolling leaves over
#include "passes/schedule/pipeline.h"

#include <algorithm>

#include "passes/schedule/expand_kernel.h"
#include "passes/schedule/list_schedule.h"

namespace tpuc::schedule {
namespace {

constexpr size_t kMaxInstructions = 512;  // larger bodies have enough parallelism of their own
constexpr int kMaxRetries = 4;
constexpr int kMaxDynamicUnroll = 8;  // iterations that the unrolling leaves over run in the plain loop

std::vector<MInst> instructionsOf(const machine::LoopNode &loop) {
  std::vector<MInst> insts;
  for (const machine::Node &node : loop.body) insts.push_back(std::get<MInst>(node.value));
  return insts;
}

// What the body reads before it assigns it: live from iteration to iteration.
RegSet liveAround(const std::vector<MInst> &insts, size_t numRegs) {
  RegSet live(numRegs), written(numRegs);
  for (const MInst &inst : insts) {
    forEachUse(inst, [&](Reg r) {
      if (!written.has(r)) live.add(r);
    });
    if (inst.dst >= 0) written.add(inst.dst);
  }
  return live;
}

// A few less than there are.
ClassCounts registersOf(const Options &options) { return {options.scalars - 4, options.vregs - 4, options.masks - 2}; }

int log2Of(int powerOfTwo) { return __builtin_ctz(static_cast<unsigned>(powerOfTwo)); }

void emitPlain(const std::vector<MInst> &insts, Reg count, FlowBuilder &builder) {
  int loop = builder.beginLoop(count, 0, insts[0].loc);
  for (const MInst &inst : insts) builder.append(inst);
  builder.endLoop(loop);
}

bool emitStatic(const KernelCode &code, int64_t count, FlowBuilder &builder, Flow &flow) {
  const ModuloSchedule &s = code.schedule();
  int64_t steady = count - (s.stages - 1);
  int64_t length = s.length();
  KernelCode::Names names = code.names(count - 1, flow);
  code.initialise(names, builder, flow);
  if (steady < 2 * s.unroll) return code.rows(0, (count - 1) * s.ii + length, count, names, false, builder, flow);
  int64_t passes = steady / s.unroll;
  int64_t start = (s.stages - 1 + steady % s.unroll) * s.ii;
  if (!code.rows(0, start, count, names, false, builder, flow)) return false;
  int loop = builder.beginLoop(kNone, passes, code.loc());
  if (!code.rows(start, start + int64_t{s.unroll} * s.ii, count, names, true, builder, flow)) return false;
  builder.endLoop(loop);
  return code.rows(count * s.ii, (count - 1) * s.ii + length, count, names, false, builder, flow);
}

bool emitDynamic(const KernelCode &code, const std::vector<MInst> &plain, Reg count, FlowBuilder &builder, Flow &flow) {
  const ModuloSchedule &s = code.schedule();
  int32_t loc = code.loc();
  Reg steady = flow.newReg(RegKind::S), small = flow.newReg(RegKind::S), rest = flow.newReg(RegKind::S);
  builder.append(makeInst(Op::SAdd, steady, {count}, -(s.stages - 1), loc));
  builder.append(makeInst(Op::SLt, small, {steady}, s.unroll, loc));
  int branch = builder.beginIf(small, loc);
  if (s.unroll == 1)
    emitPlain(plain, count, builder);
  else
    builder.append(makeMove(RegKind::S, rest, count, loc));
  int jump = builder.otherwise(branch);

  Reg passes = steady;
  if (s.unroll > 1) {
    passes = flow.newReg(RegKind::S);
    builder.append(makeInst(Op::SShr, passes, {steady}, log2Of(s.unroll), loc));
    builder.append(makeInst(Op::SAnd, rest, {steady}, s.unroll - 1, loc));
  }
  // The registers' names are those of a kernel that runs once: more iterations are whole passes, after which the names
  // come again.
  int64_t start = int64_t{s.stages - 1} * s.ii, iterations = s.stages - 1 + s.unroll;
  KernelCode::Names names = code.names(iterations - 1, flow);
  code.initialise(names, builder, flow);
  if (!code.rows(0, start, iterations, names, false, builder, flow)) return false;
  int loop = builder.beginLoop(passes, 0, loc);
  if (!code.rows(start, start + int64_t{s.unroll} * s.ii, iterations, names, true, builder, flow)) return false;
  builder.endLoop(loop);
  if (!code.rows(iterations * s.ii, (iterations - 1) * s.ii + s.length(), iterations, names, false, builder, flow))
    return false;
  builder.endIf(jump);
  if (s.unroll > 1) emitPlain(plain, rest, builder);
  return true;
}

}  // namespace

ModuloLimits Pipeliner::limitsOf(const machine::LoopNode &loop, const LoopStats &result) const {
  ModuloLimits limits;
  limits.minIi = std::max(result.resMii, result.recMii);
  if (auto known = minIi_.find(next_ - 1); known != minIi_.end()) limits.minIi = std::max(limits.minIi, known->second);
  limits.maxIi = result.plainCycles - 1;
  limits.powerOfTwo = loop.count != kNone;
  limits.maxUnroll = limits.powerOfTwo ? std::min(options_.maxUnroll, kMaxDynamicUnroll) : options_.maxUnroll;
  limits.registers = registersOf(options_);
  if (loop.count == kNone) limits.iterations = loop.countImm;
  return limits;
}

// The loop's body with a schedule. Where registers keep it from the shortest interval, it makes values from outside
// anew, if that makes it shorter. `before`: the straight code up to the loop.
std::optional<Pipeliner::Pipelined> Pipeliner::schedule(const std::vector<MInst> &insts, const machine::LoopNode &loop,
                                                        const std::vector<MInst> &before, Flow &flow,
                                                        LoopStats &result) {
  LoopBody body = prepareLoop(insts, loop.independent, flow, resources_);
  result.resMii = resourceBound(resources_, body.insts);
  result.recMii = recurrenceBound(body.graph, result.plainCycles + 1);
  const std::vector<Reg> invariants = body.invariants;
  ModuloLimits limits = limitsOf(loop, result);
  std::optional<Pipelined> best;
  if (auto first = moduloSchedule(body, flow.regs, resources_, limits))
    best = Pipelined{insts, std::move(body), std::move(*first)};
  const int least = limits.minIi;
  for (int room : {least, least * 9 / 8, least * 5 / 4}) {
    if (best && 9 * best->schedule.ii <= 10 * room) break;
    auto again = makeAgain(insts, before, invariants, constants_, room, resources_, flow);
    if (!again) continue;
    LoopBody other = prepareLoop(*again, loop.independent, flow, resources_);
    limits.minIi = std::max(least, resourceBound(resources_, other.insts));
    if (best) limits.maxIi = best->schedule.ii - 1;
    if (auto sooner = moduloSchedule(other, flow.regs, resources_, limits))
      best = Pipelined{std::move(*again), std::move(other), std::move(*sooner)};
  }
  if (!best || loop.count != kNone) return best;
  const int64_t pipelined = (loop.countImm - 1) * best->schedule.ii + best->schedule.length();
  return pipelined < loop.countImm * result.plainCycles ? std::move(best) : std::nullopt;
}

bool Pipeliner::emit(const machine::LoopNode &loop, FlowBuilder &builder, Flow &flow) {
  std::vector<MInst> insts = instructionsOf(loop);
  if (loop.count == kNone && loop.countImm <= 1) {
    if (loop.countImm == 1)
      for (const MInst &inst : insts) builder.append(inst);
    return true;
  }
  int number = next_++;
  LoopStats &result = stats.emplace_back();
  result.loc = insts[0].loc;
  result.instructions = static_cast<int>(insts.size());
  if (!options_.pipeline || insts.size() > kMaxInstructions || retries_[number] > kMaxRetries) return false;

  RegSet around = liveAround(insts, flow.regs.size());
  result.plainCycles = listSchedule(insts, flow.regs, resources_, &around, &around, registersOf(options_)).cycles;
  size_t numRegs = flow.regs.size();
  std::optional<Pipelined> found = schedule(insts, loop, builder.block().insts, flow, result);
  if (!found) {
    flow.regs.resize(numRegs);
    return false;
  }
  result.ii = found->schedule.ii;
  result.stages = found->schedule.stages;
  result.unroll = found->schedule.unroll;
  KernelCode code(found->body, found->schedule, number);
  size_t numBlocks = flow.blocks.size();
  Block open = builder.block();
  bool done = loop.count == kNone ? emitStatic(code, loop.countImm, builder, flow)
                                  : emitDynamic(code, found->insts, loop.count, builder, flow);
  if (done) return true;
  // An immediate could not absorb its steps: as before, without pipelining.
  flow.blocks.resize(numBlocks);
  flow.blocks.back() = std::move(open);
  result.ii = 0;
  return false;
}

void Pipeliner::relax(int loop) {
  int now = stats[loop].ii;
  minIi_[loop] = now + std::max(1, now / 8);
  retries_[loop]++;
}

}  // namespace tpuc::schedule
