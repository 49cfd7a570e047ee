// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradient of a depthwise convolution with respect to its weights.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "passes/lowering/kernels.h"

namespace tpuc::lowering {

mlir::LogicalResult lowerDepthwiseGradientKernel(KernelContext &context, Code &code, stablehlo::ConvolutionOp conv,
                                                 mlir::Value start, mlir::Value count);

}  // namespace tpuc::lowering
