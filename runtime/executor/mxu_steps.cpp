// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/executor/mxu_steps.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "runtime/executor/thread_setup.h"

namespace tpuc::exec {
namespace {

constexpr int64_t kWorthThreads = 4, kWorthWakingFor = 32;  // pushes, of a microsecond or a few each

}  // namespace

void apply(const MxuStep &s, const MxuKernels &k, int side) {
  const bool bf16 = s.type == WeightType::Bf16, int8 = s.type == WeightType::Int8;
  switch (s.kind) {
    case MxuStep::Kind::Load:
      return (bf16   ? k.loadBf16
              : int8 ? k.loadInt8
                     : k.loadF32)(s.weights, s.a, side, s.row, s.col, s.transposed, *s.used);
    case MxuStep::Kind::Rest:
      (bf16 ? k.zeroBf16 : int8 ? k.zeroInt8 : k.zeroF32)(s.weights, side, s.zeroed, s.transposed);
      s.used->absent = s.absent;
      s.used->absentTransposed = s.transposed;
      return;
    case MxuStep::Kind::Finish:
      return k.finishInt8(s.weights, side);
    case MxuStep::Kind::Zero:
      std::memset(s.weights, 0, weightBytes(side));
      [[fallthrough]];
    case MxuStep::Kind::Forget:
      *s.used = UsedWeights();
      return;
    case MxuStep::Kind::Push:
      return (bf16   ? k.pushBf16
              : int8 ? k.pushInt8
                     : k.pushF32)(s.accumulators, s.weights, s.a, s.b, side, *s.used, s.touched);
  }
}

bool MxuLog::init() {
  copies_ = device::Mapping(size_t{kCopies} * isa::kVregBytes);
  return copies_.data();
}

void MxuLog::Span::add(const uint8_t *vreg) {
  begin = begin ? std::min(begin, vreg) : vreg;
  end = std::max(end, vreg + isa::kVregBytes);
}

const uint8_t *MxuLog::keep(const Core &core, const uint8_t *vreg, bool inMemory) {
  if (inMemory && core.hasViews) {
    (vreg >= core.vmem && vreg < core.vmem + core.vmemWords * isa::kWordBytes ? vmem_ : hbm_).add(vreg);
    return vreg;
  }
  uint8_t *to = copies_.data() + size_t{isa::kVregBytes} * used_++;
  std::memcpy(to, vreg, isa::kVregBytes);
  return to;
}

void MxuLog::add(const Core &core, int mxu, MxuStep step, const DInst *at) {
  if (step.a && at) {
    // Instructions of one bundle read the same values; a later time round, the first of them makes new copies.
    bool shared = last_ && at > last_ && at->bundle == last_->bundle && at->a == lastA_ && at->b == lastB_;
    if (!shared) {
      copyA_ = keep(core, step.a, at->forwarded & 1);
      copyB_ = step.b ? keep(core, step.b, at->forwarded & 2) : nullptr;
      lastA_ = at->a;
      lastB_ = at->b;
    }
    last_ = at;
    step.a = copyA_;
    step.b = copyB_;
  }
  pushes_[mxu] += step.kind == MxuStep::Kind::Push;
  steps_[mxu].push_back(step);
  ++waiting_;
}

void MxuLog::catchUp(const MxuKernels &kernels, int side, device::ThreadPool &pool, int threads) {
  // The array with the most pushes goes to the thread with the fewest.
  std::array<int, isa::kMaxMxus> order, threadOf{};
  for (int m = 0; m < isa::kMaxMxus; ++m) order[m] = m;
  std::stable_sort(order.begin(), order.end(), [&](int x, int y) { return pushes_[x] > pushes_[y]; });
  int64_t all = 0;
  for (int64_t p : pushes_) all += p;
  threads = all < kWorthThreads ? 1 : std::min({threads, pool.size(), isa::kMaxMxus});
  std::array<int64_t, isa::kMaxMxus> load{};
  for (int m : order) {
    threadOf[m] = static_cast<int>(std::min_element(load.begin(), load.begin() + threads) - load.begin());
    load[threadOf[m]] += pushes_[m];
  }
  pool.run(
      threads,
      [&](int part, int thread) {
        std::optional<ThreadSetup> setup;
        if (thread > 0) setup.emplace(kernels);
        for (int m = 0; m < isa::kMaxMxus; ++m)
          if (threadOf[m] == part)
            for (const MxuStep &step : steps_[m]) apply(step, kernels, side);
      },
      all >= kWorthWakingFor);
  for (int m = 0; m < isa::kMaxMxus; ++m) steps_[m].clear(), pushes_[m] = 0;
  vmem_ = hbm_ = Span();
  used_ = 0;
  waiting_ = 0;
  last_ = nullptr;
  everUsed_ = true;
}

}  // namespace tpuc::exec
