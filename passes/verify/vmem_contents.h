// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What lies where in VMEM between kernels, followed through the program.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tpuc::verify {

// Whether each kernel, and whatever hands arrays on, finds in VMEM what it reads there; a located diagnostic otherwise.
mlir::LogicalResult verifyVmemContents(mlir::func::FuncOp main);

}  // namespace tpuc::verify
