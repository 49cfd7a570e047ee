// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the plans of convolutions and of their gradients share: the arrays, and the dims of the index space.
#pragma once
#include "dialects/stablehlo/stablehlo.h"
#include "passes/plan/dot/mxu_mode.h"
#include "passes/plan/grid/root_plan.h"

namespace tpuc::plan {

class ConvRoot : protected RootPlan {
 protected:
  ConvRoot(KernelContext &context, stablehlo::ConvolutionOp conv) : RootPlan(context), conv_(conv) {}

  // The arrays and their mode for the op's types, `isFloat`: of floats; a diagnostic at the op where there is none.
  mlir::LogicalResult chooseArraysMode(bool isFloat);
  // The number of a new dim of the index space.
  int64_t addDim(int64_t extent);

  stablehlo::ConvolutionOp conv_;
  MxuMode mode_;
  int64_t side_ = 0, arrays_ = 0;
};

}  // namespace tpuc::plan
