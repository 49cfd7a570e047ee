// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments and results that other programs share lie as their types and shapes say (isa::sharedOrder), or as the
// program does (mhlo.layout_mode).
#pragma once
#include "mlir/IR/BuiltinOps.h"

namespace tpuc {

// Puts a barrier behind every argument of main and before every result, so that the orders of dims that later passes
// choose end there. The barriers go before kernels are made.
void pinLayouts(mlir::ModuleOp module);

}  // namespace tpuc
