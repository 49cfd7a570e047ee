// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By result: the error that matmuls of f32 with rounded inputs explain.
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace tpuc {

// What a comparison with an exact reference has to allow, and only for results that depend on such a matmul: the
// module's attribute kernel::kMatmulErrorsAttr has a number for each. Of one function without calls; `precision` as it
// was asked for, empty: as the program says.
void noteMatmulErrors(mlir::ModuleOp module, llvm::StringRef precision);

}  // namespace tpuc
