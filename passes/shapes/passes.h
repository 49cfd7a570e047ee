// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the shapes stage: every size of the program known.
#pragma once
#include "dialects/kernel/sizes.h"
#include "dialects/stablehlo/chlo.h"
#include "dialects/stablehlo/stablehlo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace tpuc::shapes {

// On a scalar argument of main: the symbol whose size its value is.
inline constexpr llvm::StringLiteral kSizeAttr = "shapes.size";

using kernel::kDimsAttr;
using kernel::kExtentAttr;
// On main: what sizes have to fulfil, {size, zero, message} each. And why the program cannot be bucketed.
inline constexpr llvm::StringLiteral kConditionsAttr = "shapes.conditions";
inline constexpr llvm::StringLiteral kExactAttr = "shapes.exact";

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/shapes/passes.h.inc"

// The stage: calls inlined, sizes named, shapes refined.
void buildShapesPipeline(mlir::OpPassManager &pm, const RefineShapesPassOptions &options);
// The stage for one bucket: the range of each symbol, "b=17..32".
void buildBucketPipeline(mlir::OpPassManager &pm, llvm::ArrayRef<std::string> ranges);
// Registers --tpuc-shapes-stage.
void registerShapesPipeline();

}  // namespace tpuc::shapes
