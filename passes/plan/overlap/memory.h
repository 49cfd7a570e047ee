// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much memory an order of kernels needs, roughly: before arrays have places.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tpuc::plan {

// Bytes of arguments and constants, and the most of other arrays that are alive at a time.
double peakBytes(mlir::func::FuncOp main);

}  // namespace tpuc::plan
