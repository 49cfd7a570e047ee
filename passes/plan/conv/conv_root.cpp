// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/plan/conv/conv_root.h"

using namespace mlir;

namespace tpuc::plan {

LogicalResult ConvRoot::chooseArraysMode(bool isFloat) {
  root_ = conv_;
  auto mode = chooseMxuMode(context_.target, elementOf(conv_.getLhs()), elementOf(conv_.getRhs()), elementOf(conv_),
                            conv_.getPrecisionConfig(), context_.matmulPrecision);
  if (!mode || (isFloat && (mode->suffix == "s8" || mode->intFromBf16)))
    return refuseMode(conv_.getLhs(), conv_.getRhs(), isFloat ? "bf16 or f32" : "bf16, f32 or i8");
  mode_ = *mode;
  side_ = context_.target.core().mxu_side();
  arrays_ = context_.target.core().mxus();
  return success();
}

int64_t ConvRoot::addDim(int64_t extent) {
  domain_.dims.push_back(extent);
  return static_cast<int64_t>(domain_.dims.size()) - 1;
}

}  // namespace tpuc::plan
