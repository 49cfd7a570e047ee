// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that differ in their arrays' names and in their source lines alone: a model's layers. Each is planned and
// lowered once.
#pragma once
#include <unordered_map>

#include "dialects/kernel/kernel.h"
#include "passes/plan/memory/buffers.h"

namespace tpuc::plan {

class Twins {
 public:
  // A kernel that was planned, or lowered.
  struct Kernel {
    kernel::FusionOp op;
    llvm::SmallVector<std::string> buffers;  // symbols of its inputs and results
    llvm::SmallVector<int64_t> sizeWords;    // as KernelContext has them; of routines with their results' ends
    mlir::Operation *routine = nullptr;
    int64_t steps = 0;  // of its grid
  };
  explicit Twins(const BufferPlan &plan);
  // Symbols of a kernel's inputs, then of its results.
  llvm::SmallVector<std::string> buffersOf(kernel::FusionOp op) const;
  // The first kernel that does what `op` wants, with other buffers; null: there is none.
  const Kernel *find(kernel::FusionOp op, llvm::ArrayRef<std::string> buffers, llvm::ArrayRef<int64_t> sizeWords) const;
  void add(Kernel kernel);

 private:
  struct Place {
    llvm::StringRef whole;
    int64_t offset = 0;
  };
  size_t hashOf(kernel::FusionOp op, llvm::ArrayRef<std::string> buffers) const;
  llvm::SmallVector<int64_t> patternOf(llvm::ArrayRef<std::string> buffers) const;
  bool liesAlike(llvm::StringRef a, llvm::StringRef b) const;

  const BufferPlan &plan_;
  llvm::StringMap<Place> views_;
  std::unordered_multimap<size_t, Kernel> kernels_;
};

}  // namespace tpuc::plan
