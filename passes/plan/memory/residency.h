// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which arrays stay in VMEM from the kernel that makes them to the kernels that read them.
#pragma once
#include <map>

#include "dialects/kernel/counts.h"
#include "passes/plan/grid/grid.h"
#include "passes/plan/memory/contents.h"
#include "passes/plan/memory/storage.h"
#include "runtime/target/target.h"

namespace tpuc::plan {

struct Residency {
  struct Kept {
    llvm::SmallVector<Resident> places;  // one for each type that its views give it, all at one word
    int64_t first = 0, last = 0;         // kernels, counted in program order
    bool isReadAgain = false;            // in the next iteration of a loop, which ends after kernel `last`
    bool isCarried = false;              // by loops or branches: control flow, or several kernels, bring it there
    mlir::Value whole;                   // the array itself; of what is carried one of its values
    std::vector<mlir::OpResult> held;    // that say so in the text: of kernels, loops and branches
    int64_t over = -1;  // the storage in whose place it lies, block by block, from the kernel on that reads that last
    bool isPerCore = false;  // each core has it in a loop that cores share; others are in the program's core
  };
  std::map<int64_t, Kept> kept;                       // by storage
  llvm::DenseMap<mlir::Operation *, int64_t> number;  // of each kernel
  // The low part of VMEM that they share; kernels' own blocks lie behind. Arrays of the program's core come first, then
  // those of which each core has its own.
  int64_t words = 0, programWords = 0;

  // Behind which a kernel's own blocks lie.
  int64_t wordsAt(mlir::Operation *kernel) const { return kernel::loopOverCores(kernel) ? words : programWords; }
};

// A temporary that may stay in VMEM, where one core runs the kernels that make and read it.
struct Keepable {
  llvm::SmallVector<mlir::Value> values;  // itself, and its views
  llvm::SetVector<mlir::Operation *> kernels;
};
std::vector<Keepable> keepableArrays(mlir::func::FuncOp main, const target::Target &target, const StorageMap &map);

// Also marks in `map` what stays. `mayReplace`: arrays may lie over others that their kernel reads last. Arrays that
// stay take the room for them, divided by `divisor`, at most.
Residency planResidency(mlir::func::FuncOp main, const target::Target &target, StorageMap &map, bool mayReplace,
                        int64_t divisor);

// What the kernels say that they keep, where it may be kept; a located diagnostic otherwise.
mlir::LogicalResult readResidency(mlir::func::FuncOp main, const target::Target &target, StorageMap &map,
                                  Residency &residency);
// Writes it on the kernels.
void writeResidency(mlir::func::FuncOp main, const StorageMap &map, const Residency &residency);

}  // namespace tpuc::plan
