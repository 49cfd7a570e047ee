// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes of HBM that a kernel reads and writes.
#pragma once
#include "dialects/kernel/kernel.h"

namespace tpuc::lowering {

struct Traffic {
  int64_t logical = 0, padded = 0;  // without and with the padding of tiles
  void add(mlir::RankedTensorType type);
};

// What the kernel reads of input `i`: the array, or, where only slices and gathers look into it, no more than what they
// take. An array that the kernel updates where it lies (`inPlace`) is not read, but for the elements that a scatter
// combines with.
Traffic readTraffic(kernel::FusionOp fusion, unsigned i, bool inPlace);
// What it writes of result `i`: the array, or, where it updates one where it lies, the updates.
Traffic writeTraffic(kernel::FusionOp fusion, unsigned i, bool inPlace);

}  // namespace tpuc::lowering
