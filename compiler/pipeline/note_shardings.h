// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How arguments and results of one device's program are parts of whole arrays.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace tpuc {

// What main's attributes say (dialects/kernel/shardings.h), in the module's attribute encoder::kShardingsAttr.
void noteShardings(mlir::ModuleOp module);

}  // namespace tpuc
