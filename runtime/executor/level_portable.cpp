// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The level that every CPU runs: no FMA instruction, no wide vectors.
#define TPUC_LEVEL portable
#include "runtime/executor/level_impl.h"

namespace tpuc::exec {

const Kernels *portableKernels() {
  static const Kernels kernels = portable::makeKernels("portable");
  return &kernels;
}

}  // namespace tpuc::exec
