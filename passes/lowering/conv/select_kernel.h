// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// select_and_scatter.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "passes/lowering/kernels.h"

namespace tpuc::lowering {

mlir::LogicalResult lowerSelectKernel(KernelContext &context, Code &code, stablehlo::SelectAndScatterOp op,
                                      mlir::Value start, mlir::Value count);

}  // namespace tpuc::lowering
