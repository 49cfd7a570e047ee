// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that the program's core runs alone (kernel.one_core), where a device has several: each core has a VMEM of its
// own, and an array stays in one between kernels where that core alone makes and reads it.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/plan/memory/buffers.h"
#include "runtime/target/target.h"

namespace tpuc::plan {

// Puts the attribute on kernels that are sooner done so, by estimates, with arrays between them in VMEM.
void chooseOneCore(mlir::func::FuncOp main, const target::Target &target, llvm::StringRef precision);

// Takes it off those that meet no array that has found a place in VMEM. Whether there was one.
bool dropOneCore(mlir::func::FuncOp main, const BufferPlan &buffers);

}  // namespace tpuc::plan
