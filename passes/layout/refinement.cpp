// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/layout/refinement.h"

namespace tpuc::layout {
using llvm::ArrayRef;
using llvm::SmallVector;

std::optional<Refinement> refine(ArrayRef<int64_t> whole, ArrayRef<int64_t> split) {
  Refinement r;
  size_t a = 0, b = 0;
  int64_t leftA = 1, leftB = 1;
  auto next = [](ArrayRef<int64_t> shape, size_t &i, int64_t &left, SmallVector<SmallVector<int64_t>> &dims) {
    while (left == 1 && i < shape.size()) {
      left = shape[i++];
      dims.emplace_back();
    }
  };
  while (true) {
    next(whole, a, leftA, r.ofWhole);
    next(split, b, leftB, r.ofSplit);
    if (leftA == 1 && leftB == 1) return r;
    int64_t part = std::min(leftA, leftB);
    if (part <= 1 || leftA % part || leftB % part) return std::nullopt;
    r.ofWhole.back().push_back(r.parts.size());
    r.ofSplit.back().push_back(r.parts.size());
    r.parts.push_back(part);
    leftA /= part;
    leftB /= part;
  }
}

}  // namespace tpuc::layout
