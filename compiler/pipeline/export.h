// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program as a portable artifact, for other compilers and later versions.
#pragma once
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinOps.h"

namespace tpuc {

// The imported module, which is rewritten, as an artifact of the version ("1.13.0"). Located diagnostics on failure.
mlir::LogicalResult exportArtifact(mlir::ModuleOp module, llvm::StringRef version, llvm::raw_ostream &os);

}  // namespace tpuc
