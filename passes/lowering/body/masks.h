// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masks that only ask where an index lies.
#pragma once
#include <optional>

#include "dialects/stablehlo/stablehlo.h"
#include "passes/lowering/code.h"
#include "passes/plan/kernels.h"

namespace tpuc::lowering {

// pred = iota < size, in any shape.
struct SizeMask {
  stablehlo::IotaOp iota;
  mlir::Value size;
};
std::optional<SizeMask> sizeMaskOf(mlir::Value pred);

// The index along a domain dim compared with a number: below it, or not.
struct IndexMask {
  int64_t dim = kUnit, bound = 0;
  bool isBelow = true;
};
// `map`: the dims of `pred`.
std::optional<IndexMask> indexMaskOf(mlir::Value pred, DimMap map);

}  // namespace tpuc::lowering
