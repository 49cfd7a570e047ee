// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What lies in a storage over its life, where all who meet it may find it in VMEM.
#pragma once
#include "dialects/kernel/kernel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tpuc::plan {

// A kernel whose blocks a grid moves, so that its arrays may lie in VMEM.
bool movesWholeBlocks(mlir::Operation *op);

// One array that a kernel makes, and its views; or what loops and branches carry: the values that kernels make for it,
// one after the other.
struct Contents {
  mlir::Value whole;  // the array; of what is carried the first value that a loop or branch hands on
  llvm::SmallVector<mlir::OpResult> made;                              // by kernels and fetches
  llvm::SmallVector<std::pair<mlir::Operation *, mlir::Value>> reads;  // by kernels
  bool isCarried = false, hasViews = false;
  bool isCopied = false;  // control flow may copy it from or to another storage
};

// `values`: all that the storage holds. Null where one of them, or a reader, asks for HBM.
std::optional<Contents> contentsOf(llvm::ArrayRef<mlir::Value> values);

// Whether control flow hands the value on: what a loop or its body is given, what a loop or branches give back.
bool isHandedOn(mlir::Value v);

// Results of loops that may be carried in VMEM, and that have readers which want them in HBM: they are copied there
// when the loop has ended.
llvm::DenseSet<mlir::Value> resultsForHbm(mlir::func::FuncOp main);

}  // namespace tpuc::plan
