// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the elements of a sort lie in VMEM while they are sorted, and what that takes.
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MathExtras.h"
#include "runtime/isa/isa.h"

namespace tpuc::plan {

// Where the elements of a sequence lie: `vregs` of a unit, a power of two, and in each of them the slots that are of
// one sequence, along lanes, sublanes or both. What is along neither is another sequence.
struct SortShape {
  int64_t units = 1, vregs = 1, size = 1;
  bool lanes = false, sublanes = false;

  int64_t slotBits() const { return (lanes ? 7 : 0) + (sublanes ? 3 : 0); }
  int64_t vregBits() const { return llvm::Log2_64(vregs); }
  int64_t bits() const { return vregs > 1 ? slotBits() + vregBits() : llvm::Log2_64_Ceil(size); }
  int64_t positions() const { return vregs << slotBits(); }
  // VMEM of so many values of each element.
  int64_t words(int64_t values) const { return units * vregs * 8 * values; }

  // Cycles that a network takes to sort a unit, or to find the first runs of `kept` vregs of it; roughly.
  int64_t cyclesOfSort() const;
  int64_t cyclesOfFirst(int64_t kept) const;
};

// The first `kept` of each sequence, one a round. Keys lie as a network's would before it sorts. Each round takes the
// first key, of equal ones the one of the lowest position, and removes it: `last` is a key that comes after all others.
struct FirstRounds {
  SortShape shape;  // of the keys; any number of vregs
  int64_t kept = 0;
  bool descending = false;
  uint32_t last = 0;
  int64_t word = 0;

  // Keys and positions of the first, in the order of slots.
  SortShape outcome() const;
  int64_t outcomeWord() const { return word + shape.words(1); }
  int64_t words() const { return shape.words(1) + outcome().words(2) + shape.units * 8; }
  int64_t cycles() const;  // that a unit takes, roughly
};

// A sequence's blocks, longer than VMEM holds. They lie one after the other in HBM, the values of each as its network
// has them. Of two slots in VMEM one is worked on while the other one's transfers are under way.
struct SortBlocks {
  SortShape shape;  // of a block; `units` sequences go side by side
  int64_t blocks = 1, values = 1;
  int64_t word = 0;       // of the first slot
  int64_t semaphore = 0;  // the first of four

  int64_t slotWords() const { return shape.words(values); }
  int64_t words() const { return 2 * slotWords(); }
  // HBM that `sequences` of them take.
  int64_t bytes(int64_t sequences) const { return sequences * blocks * values * shape.vregs * isa::kVregBytes; }
};

}  // namespace tpuc::plan
