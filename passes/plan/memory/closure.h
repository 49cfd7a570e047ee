// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which gains to take where each needs things that cost: the maximum closure of a bipartite graph, as a minimum cut
// (Picard 1976).
#pragma once
#include <cstddef>
#include <cstdint>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace tpuc::plan {

class Closure {
 public:
  // What may be needed, and costs so much, at least 0; its number.
  size_t addNeeded(double cost);
  // A gain that is had with all of `needs` alone.
  void add(double gain, llvm::ArrayRef<size_t> needs);

  // For each thing that may be needed, whether the best choice needs it. The best is the one of the greatest gains less
  // costs.
  llvm::SmallVector<bool> solve() const;

 private:
  struct Gain {
    double gain;
    llvm::SmallVector<size_t> needs;
  };
  llvm::SmallVector<double> costs_;
  llvm::SmallVector<Gain> gains_;
};

}  // namespace tpuc::plan
