// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first k of each sequence, one a round.
#pragma once
#include "passes/lowering/sort/sort_network.h"

namespace tpuc::lowering {

// Keys lie as a network's would before it sorts. Each round takes the first key, of equal ones the one of the lowest
// position, and removes it: `last` is a key that comes after all others.
struct FirstRounds {
  SortShape shape;  // of the keys; any number of vregs
  int64_t kept = 0;
  bool descending = false;
  uint32_t last = 0;
  int64_t word = 0;

  static constexpr int64_t kFoundRegion = 2000, kLastRegion = 3000;

  // Keys and positions of the first, in the order of slots.
  SortShape outcome() const;
  int64_t outcomeWord() const { return word + SortNetwork::words(shape, 1); }
  int64_t words() const { return SortNetwork::words(shape, 1) + SortNetwork::words(outcome(), 2) + shape.units * 8; }
  void emit(Code &c) const;
  int64_t cycles() const;  // that a unit takes, roughly

 private:
  struct Best {
    mlir::Value key, position;
  };
  Best take(Code &c, Best best, mlir::Value removed, mlir::Value slots, const Linear &unit, const Linear &vreg) const;
  mlir::Value over(Code &c, mlir::Value v, bool most) const;
};

}  // namespace tpuc::lowering
