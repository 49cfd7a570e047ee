// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of a sorting network: what the bits of the order that whole rows differ in are of a row's place in VMEM.
#pragma once
#include "passes/lowering/code.h"

namespace tpuc::lowering {

// A unit has 2^bits rows, one unit after the other. A row is a vreg, or a word: then the sublanes of a vreg are eight
// rows, and a load's stride says which eight. So steps between rows of one vreg take no permutation.
struct SortRows {
  int64_t units = 1;
  int64_t bits = 0;
  bool words = false;
  int64_t turned = 0;  // bit b of the order is bit (b + turned) mod bits of a row's number

  // Which of a group's bits says that the bits below them are mirrored.
  enum class Mirror { None, Lowest, Highest };
  // Rows that are in registers at once: those that differ in these bits of their numbers, from the lowest of the order
  // to the highest. Where bit number `by` is 1, the bits of `mirrored` are the other way round.
  struct Group {
    llvm::SmallVector<int64_t> bits;
    llvm::SmallVector<bool> mirrored;
    int64_t by = 0;
  };
  // Bits [from - n, from) of the order.
  Group group(int64_t from, int64_t n, Mirror mirror) const;
  // Bits [from, from + n) of a row's number.
  Group neighbours(int64_t from, int64_t n) const;
  // Up to `most` bits below bit `from` of the order that can be in registers at once.
  int64_t mostOf(int64_t from, int64_t most, Mirror mirror) const;

  // Whether the two runs that merge number `stage` (from 1) takes are of rows one behind the other.
  bool areRunsInPlace(int64_t stage) const;

  // Where a vreg lies: the row of its first sublane, and how many rows the next one's is after it (where rows are
  // words).
  struct Spot {
    Linear row;
    int64_t stride = 1;
  };
  // The vregs of group `number`, of all units'.
  llvm::SmallVector<Spot> spots(Code &c, const Group &group, mlir::Value number) const;

 private:
  int64_t bitOf(int64_t b) const { return (b + turned) % bits; }
  // The lowest of three neighbouring bits that sublanes can have; -1: there are none.
  int64_t sublaneBit(const Group &group) const;
  bool isFree(const Group &group, int64_t bit) const;
};

}  // namespace tpuc::lowering
