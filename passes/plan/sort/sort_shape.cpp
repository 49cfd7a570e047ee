// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/plan/sort/sort_shape.h"

namespace tpuc::plan {

int64_t SortShape::cyclesOfSort() const { return bits() * (bits() + 1) / 2 * vregs * 5 / 2; }

int64_t SortShape::cyclesOfFirst(int64_t kept) const {
  int64_t k = llvm::Log2_64(kept), steps = vregs * (k * (k + 1) / 2 + k + 1) + (bits() - vregBits()) * kept * (k + 2);
  return steps * 3 / 2 + kept * 3;
}

SortShape FirstRounds::outcome() const {
  SortShape out = shape;
  out.size = kept;
  int64_t vregs = llvm::divideCeil(kept, int64_t{1} << shape.slotBits());
  out.vregs = llvm::alignTo(vregs, shape.slotBits() ? 4 : 32);  // results are read by whole words
  return out;
}

int64_t FirstRounds::cycles() const { return kept * (2 * shape.vregs + (shape.slotBits() ? 4 : 2)); }

}  // namespace tpuc::plan
