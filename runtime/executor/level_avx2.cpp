// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CPUs with AVX2 and FMA.
#if defined(__AVX2__) && defined(__FMA__)
#define TPUC_LEVEL avx2
#include "runtime/executor/level_impl.h"

namespace tpuc::exec {

const Kernels *avx2Kernels() {
  static const Kernels kernels = avx2::makeKernels("avx2");
  return &kernels;
}

}  // namespace tpuc::exec
#else
#include "runtime/executor/kernels.h"
namespace tpuc::exec {
const Kernels *avx2Kernels() { return nullptr; }
}  // namespace tpuc::exec
#endif
