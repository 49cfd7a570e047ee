// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the matrix units do to their data, as steps that can wait: a core alone in its grid collects them, and when
// results are asked for, the arrays catch up on several host threads. Steps of one array keep their order; arrays share
// nothing.
#pragma once
#include <utility>
#include <vector>

#include "runtime/device/mapping.h"
#include "runtime/device/thread_pool.h"
#include "runtime/executor/core.h"
#include "runtime/executor/kernels.h"

namespace tpuc::exec {

struct MxuStep {
  enum class Kind : uint8_t {
    Load,
    Rest,
    Finish,
    Forget,
    Zero,
    Push
  };  // Forget: no weight is used; Zero: and all are zero
  Kind kind;
  WeightType type = WeightType::None;
  bool transposed = false;
  int16_t row = 0, col = 0;
  uint8_t *weights = nullptr;
  UsedWeights *used = nullptr;
  float *accumulators = nullptr;
  uint16_t *touched = nullptr;               // of the first of their groups
  const uint8_t *a = nullptr, *b = nullptr;  // vregs
  uint64_t zeroed = 0, absent = 0;  // Rest: units that become zero, and that need to only once a push reads them
};

void apply(const MxuStep &step, const MxuKernels &kernels, int side);

// Steps that wait, with copies of the vregs that they read; what was read from memory stays there: whoever writes asks
// refersTo().
class MxuLog {
 public:
  // False when the system refuses memory.
  bool init();

  // Makes the vregs of `step` copies, unless `at` belongs to the bundle of the instruction before and reads the same
  // one.
  void add(const Core &core, int mxu, MxuStep step, const DInst *at);
  bool refersTo(const uint8_t *begin, const uint8_t *end) const {
    return (begin < vmem_.end && vmem_.begin < end) || (begin < hbm_.end && hbm_.begin < end);
  }
  bool full() const { return used_ + 2 > kCopies; }
  bool empty() const { return waiting_ == 0; }
  // Whether there was any step since the last call.
  bool wasUsed() { return std::exchange(everUsed_, false); }
  // Makes all steps, shared among at most `threads` threads; the caller's thread is set up for the kernels.
  void catchUp(const MxuKernels &kernels, int side, device::ThreadPool &pool, int threads);

 private:
  static constexpr int kCopies = 512;
  // What waiting steps read in place lies between.
  struct Span {
    const uint8_t *begin = nullptr, *end = nullptr;
    void add(const uint8_t *vreg);
  };
  const uint8_t *keep(const Core &core, const uint8_t *vreg, bool inMemory);

  device::Mapping copies_;
  Span vmem_, hbm_;
  int used_ = 0;
  int64_t waiting_ = 0;
  bool everUsed_ = false;
  std::vector<MxuStep> steps_[isa::kMaxMxus];
  int64_t pushes_[isa::kMaxMxus] = {};
  const DInst *last_ = nullptr;  // whose copies the next instruction may share
  uint8_t lastA_ = kNone, lastB_ = kNone;
  const uint8_t *copyA_ = nullptr, *copyB_ = nullptr;
};

}  // namespace tpuc::exec
