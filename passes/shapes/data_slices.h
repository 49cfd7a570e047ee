// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slices from a place that is data, of sizes that are not: what JAX makes of an index into an array of open sizes.
#pragma once
#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::shapes {

// The operand that says the sizes of a slice whose end is its start and these; null for others. Whether its strides are
// ones is not asked.
mlir::Value sizesOfSlice(stablehlo::RealDynamicSliceOp op);
// Its starts as scalars.
llvm::SmallVector<mlir::Value> startsOfSlice(stablehlo::RealDynamicSliceOp op, mlir::OpBuilder &builder);

}  // namespace tpuc::shapes
