// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A host thread that executes instructions: IEEE arithmetic with denormals, whatever the thread was set to, and the CPU
// level's own setup.
#pragma once
#include "runtime/executor/kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tpuc::exec {

class ThreadSetup {
 public:
  explicit ThreadSetup(const MxuKernels &kernels) : kernels_(kernels) { enter(); }
  ~ThreadSetup() { leave(); }
  ThreadSetup(const ThreadSetup &) = delete;
  ThreadSetup &operator=(const ThreadSetup &) = delete;

  // Around what is not the machine's: leave(), then enter().
  void enter() {
#if defined(__x86_64__)
    saved_ = _mm_getcsr();
    _mm_setcsr(0x1f80);
#endif
    if (kernels_.enter) kernels_.enter();
  }
  void leave() {
    if (kernels_.leave) kernels_.leave();
#if defined(__x86_64__)
    _mm_setcsr(saved_);
#endif
  }

 private:
  const MxuKernels &kernels_;
  unsigned saved_ = 0;
};

}  // namespace tpuc::exec
