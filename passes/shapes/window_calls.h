// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that JAX makes where a window or a count is symbolic, of bucketed programs.
#pragma once
#include "passes/shapes/padder.h"

namespace tpuc::shapes {

mlir::LogicalResult dynamicReduceWindow(stablehlo::CustomCallOp call, Padder &padder);
mlir::LogicalResult dynamicTopK(stablehlo::CustomCallOp call, Padder &padder);

}  // namespace tpuc::shapes
