// The matrix unit's state: staged and active weights, accumulators. The sums are the CPU level's.
#include <cstring>
#include <utility>

#include "runtime/executor/kernels.h"
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

TypeFacts factsOf(WeightType type) { return type == WeightType::Bf16 ? kBf16 : type == WeightType::Int8 ? kInt8 : kF32; }

MxuKernels::Load loaderOf(const MxuKernels &kernels, WeightType type) {
  return type == WeightType::Bf16 ? kernels.loadBf16 : type == WeightType::Int8 ? kernels.loadInt8 : kernels.loadF32;
}

uint64_t allUnits(const Core &core, WeightType type) {
  int units = core.side / factsOf(type).rows * (core.side / isa::kLanes);
  return units == 64 ? ~uint64_t{0} : (uint64_t{1} << units) - 1;
}

// What no load has touched since the last swap is zero.
void zeroTheRest(Core &core, Mxu &mxu) {
  alignas(64) static const uint8_t zeros[isa::kVregBytes] = {};
  MxuKernels::Load load = loaderOf(core.kernels->mxu, mxu.stageType);
  int columns = core.side / isa::kLanes, units = core.side / factsOf(mxu.stageType).rows * columns;
  for (int unit = 0; unit < units; ++unit)
    if (!(mxu.stageLoaded >> unit & 1)) load(mxu.stage, zeros, core.side, unit / columns, unit % columns, mxu.stageTransposed, mxu.stageUsed);
  mxu.stageLoaded = allUnits(core, mxu.stageType);
}

template <WeightType kType> const DInst *loadWeights(Core &core, const DInst *i) {
  Mxu &mxu = core.mxu[i->mxu];
  bool transposed = i->flags;
  if (mxu.stageType != WeightType::None && mxu.stageType != kType) return stop(core, i, "the stage holds weights of another type");
  mxu.stageType = kType;
  if (mxu.stageLoaded && transposed != mxu.stageTransposed && mxu.stageLoaded != allUnits(core, kType)) zeroTheRest(core, mxu);
  mxu.stageTransposed = transposed;
  mxu.stageLoaded |= uint64_t{1} << (i->imm * (core.side / isa::kLanes) + i->aux);
  loaderOf(core.kernels->mxu, kType)(mxu.stage, core.vreg(i->a), core.side, static_cast<int>(i->imm), static_cast<int>(i->aux), transposed, mxu.stageUsed);
  return i + 1;
}

const DInst *swap(Core &core, const DInst *i) {
  Mxu &mxu = core.mxu[i->mxu];
  if (mxu.stageType != WeightType::None) {
    zeroTheRest(core, mxu);
    if (mxu.stageType == WeightType::Int8) core.kernels->mxu.finishInt8(mxu.stage, core.side);
  }
  std::swap(mxu.stage, mxu.active);
  mxu.activeUsed = std::exchange(mxu.stageUsed, UsedWeights());
  mxu.activeType = mxu.stageType;
  mxu.stageType = WeightType::None;
  mxu.stageLoaded = 0;
  return i + 1;
}

template <WeightType kType> const DInst *push(Core &core, const DInst *i) {
  constexpr TypeFacts facts = kType == WeightType::Bf16 ? kBf16 : kType == WeightType::Int8 ? kInt8 : kF32;
  Mxu &mxu = core.mxu[i->mxu];
  int64_t group = i->c == kNone ? i->imm : core.s[i->c];
  if (group < 0 || group > core.groups - facts.groups) return stop(core, i, "push outside of the accumulators");
  if (mxu.activeType == WeightType::None) {  // zero weights
    std::memset(mxu.active, 0, weightBytes(core.side));
    mxu.activeUsed = UsedWeights();
    mxu.activeType = kType;
  }
  if (mxu.activeType != kType) return stop(core, i, "the active weights are of another type");
  uint8_t *state = mxu.groupState + group;
  for (int g = 0; g < facts.groups; ++g) state[g] = kGroupDirty | (kType == WeightType::Int8 ? kGroupInt : 0);
  const MxuKernels &k = core.kernels->mxu;
  MxuKernels::Push fn = kType == WeightType::Bf16 ? k.pushBf16 : kType == WeightType::Int8 ? k.pushInt8 : k.pushF32;
  fn(mxu.accumulators + group * isa::kSublanes * core.side, mxu.active, core.vreg(i->a), i->b == kNone ? nullptr : core.vreg(i->b), core.side, mxu.activeUsed);
  return i + 1;
}

const DInst *pop(Core &core, const DInst *i) {
  Mxu &mxu = core.mxu[i->mxu];
  int64_t group = i->a == kNone ? i->imm : core.s[i->a];
  if (group < 0 || group >= core.groups) return stop(core, i, "pop outside of the accumulators");
  float *from = mxu.accumulators + group * isa::kSublanes * core.side + i->aux * isa::kLanes;
  core.kernels->mxu.pop(from, core.side, core.vreg(i->dst), mxu.groupState[group] & kGroupInt, i->flags);
  if (i->flags && core.side == isa::kLanes) mxu.groupState[group] = 0;
  return i + 1;
}

}  // namespace

Handler mxuHandler(Op op) {
  switch (op) {
    case Op::MxuLdwB: return loadWeights<WeightType::Bf16>;
    case Op::MxuLdwI: return loadWeights<WeightType::Int8>;
    case Op::MxuLdwF: return loadWeights<WeightType::F32>;
    case Op::MxuSwap: return swap;
    case Op::MxuPushB: return push<WeightType::Bf16>;
    case Op::MxuPushI: return push<WeightType::Int8>;
    case Op::MxuPushF: return push<WeightType::F32>;
    case Op::MxuPop: return pop;
    default: return nullptr;
  }
}

}  // namespace tpuc::exec
