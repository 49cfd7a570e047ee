// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which arrays are brought into VMEM before the kernels that read them begin.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/plan/memory/buffers.h"
#include "runtime/target/target.h"

namespace tpuc::plan {

// Arrays that found no place in VMEM: for all of their readers, or even for the first alone.
struct Unplaced {
  llvm::DenseSet<mlir::Value> forAll, forFirst;
};

// Makes kernels of kind "fetch" where their readers gain by them, and lets the readers read the results. `plan`: where
// arrays lie without. Whether there are any.
bool insertFetches(mlir::func::FuncOp main, const target::Target &target, const BufferPlan &plan,
                   const Unplaced &unplaced);

// Notes in `unplaced` the arrays of fetches that have no place in `plan`; whether there are any.
bool noteUnplaced(mlir::func::FuncOp main, const BufferPlan &plan, Unplaced &unplaced);

// Readers read the arrays themselves again.
void eraseFetches(mlir::func::FuncOp main);

}  // namespace tpuc::plan
