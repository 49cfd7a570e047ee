// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slices from a place that is data, of sizes that are not: what JAX makes of an index into an array of open sizes.
#pragma once
#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::shapes {

// The operand that has a slice's sizes, where the slice's ends are its starts plus these; null for other slices.
// Strides may be any.
mlir::Value sizesOfSlice(stablehlo::RealDynamicSliceOp op);
// The starts of such a slice as scalars.
llvm::SmallVector<mlir::Value> startsOfSlice(stablehlo::RealDynamicSliceOp op, mlir::OpBuilder &builder);

}  // namespace tpuc::shapes
