// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the elements of a sort lie in VMEM while they are sorted, and what that takes.
#pragma once
#include "llvm/ADT/SmallVector.h"
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
  // The low bits of the order are rows'. Where sublanes have bits of it and there are vregs enough for these to trade
  // places with them, a row is a word; else a vreg.
  bool hasWordRows() const { return sublanes && vregBits() >= 3; }
  int64_t rowBits() const { return vregBits() + (hasWordRows() ? 3 : 0); }
  // VMEM of so many values of each element.
  int64_t words(int64_t values) const { return units * vregs * 8 * values; }

  // Cycles that a network takes to sort a unit, or to find the first runs of `kept` vregs of it; roughly.
  int64_t cyclesOfSort() const;
  int64_t cyclesOfFirst(int64_t kept) const;
  // Instructions of the vector ALUs for that, where an element is so many values.
  int64_t instructionsOfSort(int64_t values) const;
  // Bits of the order that rows in registers differ in: 5 bits of a single value are 32 vregs, 3 bits of three values
  // are 24.
  static int64_t bitsAtOnce(int64_t values) { return values == 1 ? 5 : values <= 3 ? 3 : values <= 6 ? 2 : 1; }
  // Loops over all vregs that a network is made of, roughly.
  int64_t loopsOfSort(int64_t values) const;
};

// The first `kept` of each sequence, found without sorting it. Keys lie as a network's would before it sorts. `last` is
// a key that comes after all others; of equal ones the lowest position comes first.
struct FirstKeys {
  SortShape shape;  // of the keys; any number of vregs
  int64_t kept = 0;
  bool descending = false;
  uint32_t last = 0;
  int64_t word = 0;
};

// One a round: each round takes the first key and removes it.
struct FirstRounds : FirstKeys {
  explicit FirstRounds(const FirstKeys &keys) : FirstKeys(keys) {}

  // Keys and positions of the first, in the order of slots.
  SortShape outcome() const;
  int64_t outcomeWord() const { return word + shape.words(1); }
  int64_t words() const { return shape.words(1) + outcome().words(2) + shape.units * 8; }
  int64_t cycles() const;  // that a unit takes, roughly
};

// By groups, where slots are lanes.
//
//  1. Each level divides its elements into groups: those of vreg v belong to group v mod `groups`, each lane apart. The
//     first element of each group is an element of the next level.
//  2. The last level has few vregs and is sorted whole.
//  3. Back from there: the first few of a level name the groups in which the first few of the level before it are.
//     These groups are gathered, each into one lane, and sorted.
struct FirstGroups : FirstKeys {
  static constexpr int64_t kSorted = 4;  // vregs that are sorted at once

  explicit FirstGroups(const FirstKeys &keys) : FirstKeys(keys) {}

  // Whether a vreg's lanes hold all that is kept, and a unit has more vregs than the last level.
  static bool suits(const SortShape &shape, int64_t kept);
  // `vregs` rounded up: each group of the first level has as many.
  static int64_t vregsFor(int64_t vregs, int64_t kept);

  struct Level {
    int64_t vregs = 1, groups = 1, word = 0;         // keys alone in the first level, then keys and positions
    int64_t size() const { return vregs / groups; }  // of a group
  };
  llvm::SmallVector<Level> levels() const;
  // Gathered groups lie side by side in a vreg, as often as lanes hold what is kept.
  int64_t sides() const { return sidesFor(kept); }

  // Keys and positions of the first lie in the first vreg of each unit.
  SortShape outcome() const;
  int64_t outcomeWord() const;
  int64_t words() const { return outcomeWord() + outcome().words(2) - word; }
  int64_t cycles() const;  // that a unit takes, roughly

 private:
  static int64_t sidesFor(int64_t kept);
  static int64_t groupsFor(int64_t vregs, int64_t kept);
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
