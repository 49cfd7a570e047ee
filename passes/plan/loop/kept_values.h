// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop kernel's reductions keep: values that they walk, that others walk again and that are too dear to compute
// twice.
#pragma once
#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/stablehlo.h"

namespace tpuc::plan {

// Whether `v`, which the reduction walks, is kept for its other users.
bool isKept(stablehlo::ReduceOp reduce, mlir::Value v);
// Whether the kernel's results need `argument` for nothing but its reductions and the values that those keep: then all
// of it has been read when the first result is written.
bool isReadByReductionsAlone(kernel::FusionOp op, mlir::BlockArgument argument,
                             llvm::function_ref<bool(mlir::Value)> isKept);

}  // namespace tpuc::plan
