// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/executor/cores.h"

#include "runtime/executor/jit_compile.h"

namespace tpuc::exec {
namespace {

int64_t roundUp(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

}  // namespace

Cores::Cores(const MachineShape &shape, const MemorySizes &sizes, const Kernels &kernels, bool checking)
    : shape_(shape), sizes_(sizes), kernels_(kernels), checking_(checking) {}

bool Cores::init() {
  size_t shared = static_cast<size_t>(sizes_.vmemSharedBytes);
  if (!vmemShared_.init(shared) || (checking_ && !shadowShared_.init(shared))) return false;
  main_ = makeCore();
  if (main_) main_->core.alone = true;
  return main_ != nullptr;
}

bool Cores::makeWorkers(int count) {
  while (numWorkers() < count) {
    std::unique_ptr<Owned> owned = makeCore();
    if (!owned) return false;
    if (!checking_ && owned->views.init(owned->core, sizes_.vmemSharedBytes)) owned->core.views = &owned->views;
    workers_.push_back(std::move(owned));
  }
  return true;
}

MxuLog *Cores::mxuLog() {
  if (mxuLog_) return mxuLog_.get();
  auto log = std::make_unique<MxuLog>();
  if (log->init()) mxuLog_ = std::move(log);
  return mxuLog_.get();
}

bool Cores::fits(const MemorySizes &sizes) const {
  return sizes.vmemSharedBytes == sizes_.vmemSharedBytes && sizes.vmemBytes <= sizes_.vmemBytes &&
         sizes.smemBytes <= sizes_.smemBytes && sizes.semaphores <= sizes_.semaphores;
}

std::unique_ptr<Cores::Owned> Cores::makeCore() {
  auto owned = std::make_unique<Owned>();
  Core &core = owned->core;
  const int64_t side = shape_.mxuSide, groups = shape_.accumulatorRows / isa::kSublanes;
  const int64_t weights = roundUp(weightBytes(shape_.mxuSide), 4096), sums = groups * isa::kSublanes * side * 4;
  owned->vregs = device::Mapping(kVregFile);
  owned->masks = device::Mapping(kMaskFile);
  owned->vmem = vmemShared_.image(static_cast<size_t>(roundUp(sizes_.vmemBytes, isa::kWordBytes)));
  owned->smem = device::Mapping(static_cast<size_t>(sizes_.smemBytes));
  owned->transpose = device::Mapping(2 * kTransposeBytes);
  owned->mxu = device::Mapping(static_cast<size_t>(shape_.mxus * (2 * weights + sums)));
  owned->spills = device::Mapping(64 * jit::kSpillSlots);
  for (const device::Mapping *m :
       {&owned->spills, &owned->vregs, &owned->masks, &owned->vmem, &owned->smem, &owned->transpose, &owned->mxu})
    if (!m->data()) return nullptr;
  owned->groupStates.resize(shape_.mxus * groups);
  owned->touched.resize(shape_.mxus * groups);
  owned->semaphores.resize(sizes_.semaphores);
  owned->loops.resize(kMaxLoops);
  owned->calls.resize(kMaxCalls);
  owned->used.resize(2 * shape_.mxus);

  core.v = owned->vregs.data();
  core.m = owned->masks.data();
  core.vmem = owned->vmem.data();
  core.vmemWords = sizes_.vmemBytes / isa::kWordBytes;
  core.smem = owned->smem.data();
  core.smemBytes = sizes_.smemBytes;
  core.transpose = owned->transpose.data();
  core.spills = owned->spills.data();
  core.mxus = shape_.mxus;
  core.side = static_cast<int>(side);
  core.groups = static_cast<int>(groups);
  for (int k = 0; k < shape_.mxus; ++k) {
    uint8_t *base = owned->mxu.data() + k * (2 * weights + sums);
    core.mxu[k].stage = base;
    core.mxu[k].active = base + weights;
    core.mxu[k].stageUsed = &owned->used[2 * k];
    core.mxu[k].activeUsed = &owned->used[2 * k + 1];
    core.mxu[k].accumulators = reinterpret_cast<float *>(base + 2 * weights);
    core.mxu[k].groupState = owned->groupStates.data() + k * groups;
    core.mxu[k].touched = owned->touched.data() + k * groups;
  }
  core.semaphores = owned->semaphores.data();
  core.numSemaphores = sizes_.semaphores;
  core.kernels = &kernels_;
  core.loops = owned->loops.data();
  core.calls = owned->calls.data();
  if (!checking_) return owned;
  owned->checker = Checker::make(core, shadowShared_.image(owned->vmem.size()));
  core.checker = owned->checker.get();
  return core.checker ? std::move(owned) : nullptr;
}

}  // namespace tpuc::exec
