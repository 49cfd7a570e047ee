// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans: running sums, products, extremes.
#pragma once
#include "dialects/kernel/scan.h"
#include "passes/lowering/kernels.h"

namespace tpuc::lowering {

mlir::LogicalResult lowerScanKernel(KernelContext &context, Code &code, stablehlo::ReduceWindowOp op,
                                    const kernel::Scan &scan, mlir::Value start, mlir::Value count);

}  // namespace tpuc::lowering
