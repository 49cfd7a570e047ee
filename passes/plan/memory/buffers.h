// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places of arrays: arguments, results and constants have buffers of their own in HBM, temporaries share an arena by
// liveness, or stay in VMEM.
#pragma once
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "passes/plan/memory/residency.h"
#include "runtime/target/target.h"

namespace tpuc::plan {

// What may stay in VMEM between kernels: nothing; arrays apart from each other; also arrays over those that their
// kernel reads last.
enum class OnChip { None, Apart, Replaced };

struct BufferPlan {
  struct Entry {
    mlir::Value value;
    std::string symbol, kind;  // "argument", "result", "constant", "arena", "vmem"
    int64_t index = 0, offset = 0, size = 0;
    mlir::ElementsAttr constant;
    int64_t alias = -1;           // result: the argument whose memory it is
    int64_t first = 0, last = 0;  // vmem: the kernels between which it is alive, in program order
    bool isReadAgain = false;     // vmem: in the next iteration of a loop, which ends after kernel `last`
    bool isCarried = false;       // vmem: by loops or branches
    std::string over;             // arena, vmem: the one that it replaces
  };
  // A part of another buffer: a plane of a wide array.
  struct View {
    mlir::Value value;
    std::string symbol, whole;
    int64_t offset = 0, size = 0;
  };
  llvm::SmallVector<Entry> entries;  // one for each storage
  llvm::SmallVector<View> views;
  std::unique_ptr<StorageMap> storage;
  llvm::DenseMap<mlir::Value, std::string> symbol;
  Residency residency;
  ResidentMap residents;  // by symbol
  int64_t arenaBytes = 0, peakBytes = 0;
};

// Arrays that share memory, and what control flow copies, with donated arguments. `apart`: results of loops that do not
// lie where the loop carries them.
std::unique_ptr<StorageMap> storageOf(mlir::func::FuncOp main, const llvm::DenseSet<mlir::Value> &apart = {});

// Chooses the places. A located diagnostic when the program does not fit the target's HBM: the peak, and the three
// largest arrays alive at it. Arrays on chip take the room for them, divided by `divisor`.
mlir::LogicalResult planBuffers(mlir::func::FuncOp main, const target::Target &target, OnChip onChip, int64_t divisor,
                                BufferPlan &plan);
// The same with what the kernels say that they keep on chip.
mlir::LogicalResult readBuffers(mlir::func::FuncOp main, const target::Target &target, BufferPlan &plan);

}  // namespace tpuc::plan
