// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops of MHLO that XLA leaves in what it prints as StableHLO: they have no twin there, or lie in chlo.
#ifndef TPUC_COMPILER_FRONTEND_MHLO_H
#define TPUC_COMPILER_FRONTEND_MHLO_H

#include "mlir/IR/BuiltinOps.h"

namespace tpuc::frontend {

// So that `mhlo.copy %x : tensor<4xf32>` is read.
void loadMhlo(mlir::MLIRContext &context);
// Puts what they mean in their places, verified. Others of the dialect stay, for the check of ops to refuse.
mlir::LogicalResult replaceMhlo(mlir::ModuleOp module);

}  // namespace tpuc::frontend

#endif  // TPUC_COMPILER_FRONTEND_MHLO_H
