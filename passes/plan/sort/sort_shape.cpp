// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/plan/sort/sort_shape.h"

namespace tpuc::plan {

int64_t SortShape::cyclesOfSort() const { return bits() * (bits() + 1) / 2 * vregs * 5 / 2; }

int64_t SortShape::cyclesOfFirst(int64_t kept) const {
  int64_t k = llvm::Log2_64(kept), steps = vregs * (k * (k + 1) / 2 + k + 1) + (bits() - vregBits()) * kept * (k + 2);
  return steps * 3 / 2 + kept * 3;
}

// A row's exchange takes half of a pair's: a minimum and a maximum, or four instructions that compare two values or
// more and two choices of each. Within a vreg nothing is shared by a pair, and a mask tells its ends apart.
int64_t SortShape::instructionsOfSort(int64_t values) const {
  const int64_t rows = rowBits(), merges = bits() - rows;
  const int64_t ofRow = values == 1 ? 1 : 2 + values, ofSlot = values == 1 ? 3 : 5 + values;
  const int64_t rowSteps = rows * (rows + 1) / 2 + merges * (rows + 1), slotSteps = merges * (merges - 1) / 2;
  return vregs * (rowSteps * ofRow + slotSteps * ofSlot + merges);
}

int64_t SortShape::loopsOfSort(int64_t values) const {
  const int64_t rows = rowBits(), each = bitsAtOnce(values);
  int64_t loops = 2;  // in and out
  for (int64_t stage = 1; stage <= rows; ++stage) loops += llvm::divideCeil(stage, each);
  return loops + (bits() - rows) * (1 + llvm::divideCeil(rows, each));
}

SortShape FirstRounds::outcome() const {
  SortShape out = shape;
  out.size = kept;
  int64_t vregs = llvm::divideCeil(kept, int64_t{1} << shape.slotBits());
  out.vregs = llvm::alignTo(vregs, shape.slotBits() ? 4 : 32);  // results are read by whole words
  return out;
}

int64_t FirstRounds::cycles() const { return kept * (2 * shape.vregs + (shape.slotBits() ? 4 : 2)); }

int64_t FirstGroups::sidesFor(int64_t kept) {
  constexpr int64_t kMostSides = 8;
  return std::clamp<int64_t>(128 / static_cast<int64_t>(llvm::PowerOf2Ceil(kept)), 1, kMostSides);
}

int64_t FirstGroups::groupsFor(int64_t vregs, int64_t kept) {
  return static_cast<int64_t>(llvm::PowerOf2Ceil(llvm::divideCeil(vregs, kSorted * sidesFor(kept))));
}

bool FirstGroups::suits(const SortShape &shape, int64_t kept) {
  return shape.lanes && !shape.sublanes && kept <= 128 && shape.size > kSorted * 128;
}

int64_t FirstGroups::vregsFor(int64_t vregs, int64_t kept) { return llvm::alignTo(vregs, groupsFor(vregs, kept)); }

llvm::SmallVector<FirstGroups::Level> FirstGroups::levels() const {
  llvm::SmallVector<Level> all;
  int64_t at = word;
  for (int64_t vregs = shape.vregs; vregs > kSorted || all.empty(); vregs = all.back().groups) {
    all.push_back({vregs, groupsFor(vregs, kept), at});
    at += shape.units * vregs * 8 * (all.size() == 1 ? 1 : 2);
  }
  return all;
}

SortShape FirstGroups::outcome() const {
  SortShape out = shape;
  out.vregs = kSorted;
  out.size = kSorted << shape.slotBits();
  return out;
}

int64_t FirstGroups::outcomeWord() const {
  const auto all = levels();
  return all.back().word + shape.units * all.back().vregs * 8 * (all.size() == 1 ? 1 : 2);
}

// A group's first take a comparison and two choices an element, more where positions decide; gathering, a permutation
// and a choice of each value. Few units do not fill the loops of a network.
int64_t FirstGroups::cycles() const {
  constexpr int64_t kLoops = 700;
  int64_t cycles = 0;
  for (const Level &l : levels()) {
    const bool first = l.word == word;
    cycles += l.vregs * (first ? 5 : 8) / 4 + l.vregs * (first ? 3 : 6) / 2;
    cycles += outcome().cyclesOfSort() + kLoops / shape.units;
  }
  return cycles + outcome().cyclesOfSort() + kLoops / shape.units;
}

}  // namespace tpuc::plan
