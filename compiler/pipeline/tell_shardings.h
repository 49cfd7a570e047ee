// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shardings that a program asks for (jax.debug.inspect_array_sharding), told once it is partitioned.
#pragma once
#include "compiler/pipeline/compile.h"

namespace tpuc {

mlir::LogicalResult tellShardings(mlir::ModuleOp module, const CompileOptions &options);

}  // namespace tpuc
