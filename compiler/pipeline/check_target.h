// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a target has no machine for, said before anything is lowered.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "runtime/target/target.h"

namespace tpuc {

// v1 has one array for int8 and nothing else: a located diagnostic for a matmul of another type.
mlir::LogicalResult checkTarget(mlir::ModuleOp module, const target::Target &target);

}  // namespace tpuc
