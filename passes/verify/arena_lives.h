// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lives of temporaries in HBM, read from the instructions: two that are alive together lie apart.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace tpuc::verify {

mlir::LogicalResult verifyArenaLives(mlir::ModuleOp module, mlir::SymbolTable &symbols);

}  // namespace tpuc::verify
