// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plans of kernels of one op that moves elements: slices and updates at values' positions, gathers, scatters,
// sorts, transposes, copies.
#pragma once
#include "passes/plan/kernels.h"

namespace tpuc::plan {

mlir::LogicalResult planOp(KernelContext &context);

}  // namespace tpuc::plan
