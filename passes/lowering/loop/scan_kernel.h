// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans: running sums, products, extremes.
#pragma once
#include "passes/analysis/scan.h"
#include "passes/lowering/kernels.h"

namespace tpuc::lowering {

mlir::LogicalResult lowerScanKernel(KernelContext &context, Code &code, stablehlo::ReduceWindowOp op,
                                    const analysis::Scan &scan, mlir::Value start, mlir::Value count);

}  // namespace tpuc::lowering
