// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementary functions, and what they cost.
#pragma once
#include "mlir/IR/Operation.h"

namespace tpuc::analysis {

// Vector instructions that an elementary function takes for a vreg, roughly; 0 for other ops. Fusion and plans compute
// an op with a cost once.
int64_t elementaryCost(mlir::Operation *op);

}  // namespace tpuc::analysis
