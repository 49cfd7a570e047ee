// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a convolution of few features and many images has its batch along lanes.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "runtime/target/target.h"

namespace tpuc::layout {

// A convolution, or, `isGradient`, one that sums over what the op calls features: images. Compares estimates of both
// forms' cycles: bytes of padded arrays, rows of the arrays, copies in VMEM. It has to gain more than a transpose of
// what is around would cost. With features along lanes it is a gradient if `isGradientOtherwise`.
bool paysInBatchLanes(stablehlo::ConvolutionOp op, bool isGradient, bool isGradientOtherwise,
                      const target::Target &target);

}  // namespace tpuc::layout
