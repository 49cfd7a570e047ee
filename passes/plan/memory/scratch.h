// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays in HBM that kernels have for themselves.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "runtime/target/target.h"

namespace tpuc::plan {

// Gives each kernel that needs one on this target an array as a further result, which is undefined and which nobody
// reads.
void reserveScratch(mlir::func::FuncOp main, const target::Target &target);

}  // namespace tpuc::plan
