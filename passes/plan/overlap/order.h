// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An order of steps in which transfers to other chips run beside kernels that do not need them.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace tpuc::plan {

// One of a list; whatever it needs comes before it there.
struct Step {
  enum Kind : uint8_t { Work, Start, Done };
  Kind kind = Work;
  double time = 0;     // nanoseconds: of work, or that a start's transfers keep the links
  double latency = 0;  // of a start: from then until they are there
  double launch = 0;   // of a kernel: paid once for those that follow one another
  int64_t start = -1;  // of a done
  llvm::SmallVector<int64_t, 4> needs;
};

// The steps' numbers in their new order. At most `most` transfers are under way at a time.
llvm::SmallVector<int64_t> overlappedOrder(llvm::ArrayRef<Step> steps, int64_t most);
// How long the steps take in an order.
double timeOf(llvm::ArrayRef<Step> steps, llvm::ArrayRef<int64_t> order);

}  // namespace tpuc::plan
