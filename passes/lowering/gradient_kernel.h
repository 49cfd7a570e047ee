// Gradients of convolutions with respect to their weights.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "passes/lowering/kernels.h"

namespace tpuc::lowering {

mlir::LogicalResult lowerGradientKernel(KernelContext &context, Code &code, stablehlo::ConvolutionOp conv, mlir::Value start, mlir::Value count);

}  // namespace tpuc::lowering
