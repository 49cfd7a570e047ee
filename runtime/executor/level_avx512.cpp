// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CPUs with AVX-512 (F, BW, CD, DQ, VL).
#if defined(__AVX512F__)
#define TPUC_LEVEL avx512
#include "runtime/executor/level_impl.h"

namespace tpuc::exec {

const Kernels *avx512Kernels() {
  static const Kernels kernels = avx512::makeKernels("avx512");
  return &kernels;
}

}  // namespace tpuc::exec
#else
#include "runtime/executor/kernels.h"
namespace tpuc::exec {
const Kernels *avx512Kernels() { return nullptr; }
}  // namespace tpuc::exec
#endif
