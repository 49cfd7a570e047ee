// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kinds of kernels whose blocks are chosen while they are lowered.
#pragma once
#include "mlir/IR/DialectRegistry.h"

namespace tpuc::lowering {

// "conv", "window" and "copy": the planner asks them whether they fit.
void registerKinds(mlir::DialectRegistry &registry);

}  // namespace tpuc::lowering
