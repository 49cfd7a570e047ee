// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix unit's state: staged and active weights, accumulators. What happens to the data are steps of mxu_steps.h.
#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/executor/kernels.h"
#include "runtime/executor/machine.h"
#include "runtime/executor/mxu_steps.h"
#include "runtime/executor/program.h"

namespace tpuc::exec {
namespace {

using isa::Op;

struct TypeFacts {
  WeightType type;
  int rows;    // of a vreg of this type
  int groups;  // accumulator groups of a push
};
constexpr TypeFacts kBf16{WeightType::Bf16, 16, 2}, kInt8{WeightType::Int8, 32, 4}, kF32{WeightType::F32, 8, 1};

TypeFacts factsOf(WeightType type) {
  return type == WeightType::Bf16 ? kBf16 : type == WeightType::Int8 ? kInt8 : kF32;
}

// Does the step, or has it wait; `at` reads the step's vregs.
void submit(Core &core, const Mxu &mxu, const MxuStep &step, const DInst *at) {
  if (!core.mxuLog) return apply(step, core.kernels->mxu, core.side);
  core.mxuLog->add(core, static_cast<int>(&mxu - core.mxu), step, at);
  if (core.mxuLog->full()) core.machine->catchUp(core);
}

MxuStep stageStep(const Mxu &mxu, MxuStep::Kind kind) {
  MxuStep step{kind};
  step.type = mxu.stageType;
  step.transposed = mxu.stageTransposed;
  step.weights = mxu.stage;
  step.used = mxu.stageUsed;
  return step;
}

void stageLoad(Core &core, const Mxu &mxu, const uint8_t *vreg, int row, int col, const DInst *at) {
  MxuStep step = stageStep(mxu, MxuStep::Kind::Load);
  step.a = vreg;
  step.row = static_cast<int16_t>(row);
  step.col = static_cast<int16_t>(col);
  submit(core, mxu, step, at);
}

uint64_t allUnits(const Core &core, WeightType type) {
  int units = core.side / factsOf(type).rows * (core.side / isa::kLanes);
  return units == 64 ? ~uint64_t{0} : (uint64_t{1} << units) - 1;
}

// Those of `units` that make up whole blocks of kUsedRows rows: pushes pass over a block as a whole.
uint64_t wholeBlocks(const Core &core, WeightType type, uint64_t units) {
  const int rows = factsOf(type).rows, columns = core.side / isa::kLanes, blockRows = std::max(kUsedRows / rows, 1);
  uint64_t block = 0, whole = 0;
  for (int row = 0; row < blockRows; ++row) block |= uint64_t{1} << row * columns;
  for (int row = 0; row < core.side / rows; row += blockRows)
    for (int col = 0; col < columns; ++col)
      if (uint64_t here = block << (row * columns + col); (units & here) == here) whole |= here;
  return whole;
}

// What no load has touched since the last swap is zero. Blocks that pushes mostly pass over may stay as they are until
// one does not.
void zeroTheRest(Core &core, Mxu &mxu, bool mayWait) {
  const uint64_t all = allUnits(core, mxu.stageType), rest = all & ~mxu.stageLoaded;
  if (!rest) return;
  MxuStep step = stageStep(mxu, MxuStep::Kind::Rest);
  step.absent = mayWait ? wholeBlocks(core, mxu.stageType, rest) : 0;
  step.zeroed = rest & ~step.absent;
  submit(core, mxu, step, nullptr);
  mxu.stageLoaded = all;
}

template <WeightType kType>
const DInst *loadWeights(Core &core, const DInst *i) {
  Mxu &mxu = core.mxu[i->mxu];
  bool transposed = i->flags;
  if (mxu.stageType != WeightType::None && mxu.stageType != kType)
    return stop(core, i, "the stage holds weights of another type");
  mxu.stageType = kType;
  if (mxu.stageLoaded && transposed != mxu.stageTransposed && mxu.stageLoaded != allUnits(core, kType))
    zeroTheRest(core, mxu, /*mayWait=*/false);
  mxu.stageTransposed = transposed;
  mxu.stageLoaded |= uint64_t{1} << (i->imm * (core.side / isa::kLanes) + i->aux);
  stageLoad(core, mxu, core.source(i, 0, i->a), static_cast<int>(i->imm), static_cast<int>(i->aux), i);
  return i + 1;
}

const DInst *swap(Core &core, const DInst *i) {
  Mxu &mxu = core.mxu[i->mxu];
  if (mxu.stageType != WeightType::None) {
    zeroTheRest(core, mxu, /*mayWait=*/mxu.stageType != WeightType::Int8);  // Finish reads them all
    if (mxu.stageType == WeightType::Int8) submit(core, mxu, stageStep(mxu, MxuStep::Kind::Finish), nullptr);
  }
  std::swap(mxu.stage, mxu.active);
  std::swap(mxu.stageUsed, mxu.activeUsed);
  submit(core, mxu, stageStep(mxu, MxuStep::Kind::Forget), nullptr);
  mxu.activeType = mxu.stageType;
  mxu.stageType = WeightType::None;
  mxu.stageLoaded = 0;
  return i + 1;
}

template <WeightType kType>
const DInst *push(Core &core, const DInst *i) {
  constexpr TypeFacts facts = kType == WeightType::Bf16 ? kBf16 : kType == WeightType::Int8 ? kInt8 : kF32;
  Mxu &mxu = core.mxu[i->mxu];
  int64_t group = i->c == kNone ? i->imm : core.s[i->c];
  if (group < 0 || group > core.groups - facts.groups) return stop(core, i, "push outside of the accumulators");
  if (mxu.activeType == WeightType::None) {  // zero weights
    MxuStep zero{MxuStep::Kind::Zero};
    zero.weights = mxu.active;
    zero.used = mxu.activeUsed;
    submit(core, mxu, zero, nullptr);
    mxu.activeType = kType;
  }
  if (mxu.activeType != kType) return stop(core, i, "the active weights are of another type");
  uint8_t *state = mxu.groupState + group;
  mxu.groupsUsed = std::max(mxu.groupsUsed, static_cast<int>(group) + facts.groups);
  for (int g = 0; g < facts.groups; ++g) state[g] = kGroupDirty | (kType == WeightType::Int8 ? kGroupInt : 0);
  MxuStep step{MxuStep::Kind::Push, kType};
  step.weights = mxu.active;
  step.used = mxu.activeUsed;
  step.accumulators = mxu.accumulators + group * isa::kSublanes * core.side;
  step.touched = mxu.touched + group;
  step.a = core.source(i, 0, i->a);
  step.b = i->b == kNone ? nullptr : core.source(i, 1, i->b);
  submit(core, mxu, step, i);
  return i + 1;
}

const DInst *pop(Core &core, const DInst *i) {
  Mxu &mxu = core.mxu[i->mxu];
  int64_t group = i->a == kNone ? i->imm : core.s[i->a];
  if (group < 0 || group >= core.groups) return stop(core, i, "pop outside of the accumulators");
  if (core.mxuLog) core.machine->catchUp(core);
  float *from = mxu.accumulators + group * isa::kSublanes * core.side + i->aux * isa::kLanes;
  const Popped what{static_cast<int>(i->aux), (mxu.groupState[group] & kGroupInt) != 0, i->flags != 0, i->resultLanes};
  core.kernels->mxu.pop(from, core.side, core.vreg(i->dst), what, mxu.touched[group]);
  if (i->flags && core.side == isa::kLanes) mxu.groupState[group] = 0;
  return i + 1;
}

}  // namespace

Handler mxuHandler(Op op) {
  switch (op) {
    case Op::MxuLdwB:
      return loadWeights<WeightType::Bf16>;
    case Op::MxuLdwI:
      return loadWeights<WeightType::Int8>;
    case Op::MxuLdwF:
      return loadWeights<WeightType::F32>;
    case Op::MxuSwap:
      return swap;
    case Op::MxuPushB:
      return push<WeightType::Bf16>;
    case Op::MxuPushI:
      return push<WeightType::Int8>;
    case Op::MxuPushF:
      return push<WeightType::F32>;
    case Op::MxuPop:
      return pop;
    default:
      return nullptr;
  }
}

}  // namespace tpuc::exec
