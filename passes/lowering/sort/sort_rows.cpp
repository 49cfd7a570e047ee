// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/lowering/sort/sort_rows.h"

using namespace mlir;

namespace tpuc::lowering {

constexpr int64_t kSublaneBits = 3;

SortRows::Group SortRows::group(int64_t from, int64_t n, Mirror mirror) const {
  Group g;
  g.mirrored.assign(bits, false);
  for (int64_t b = from - n; b < from; ++b) g.bits.push_back(bitOf(b));
  for (int64_t b = 0; mirror != Mirror::None && b < from - n; ++b) g.mirrored[bitOf(b)] = true;
  g.by = mirror == Mirror::Highest ? n - 1 : 0;
  return g;
}

SortRows::Group SortRows::neighbours(int64_t from, int64_t n) const {
  Group g;
  g.mirrored.assign(bits, false);
  for (int64_t b = from; b < from + n; ++b) g.bits.push_back(b);
  return g;
}

bool SortRows::isFree(const Group &group, int64_t bit) const { return !llvm::is_contained(group.bits, bit); }

int64_t SortRows::sublaneBit(const Group &group) const {
  for (int64_t at = 0; at + kSublaneBits <= bits; ++at) {
    bool fits = true;
    for (int64_t b = at; b < at + kSublaneBits; ++b)
      fits &= isFree(group, b) && group.mirrored[b] == group.mirrored[at];
    if (fits) return at;
  }
  return -1;
}

bool SortRows::areRunsInPlace(int64_t stage) const {
  for (int64_t b = 0; b < stage - 1; ++b)
    if (bitOf(b) > bitOf(stage - 1)) return false;
  return true;
}

int64_t SortRows::mostOf(int64_t from, int64_t most, Mirror mirror) const {
  int64_t n = std::min(most, from);
  while (words && n > 1 && sublaneBit(group(from, n, mirror)) < 0) --n;
  return n;
}

// A group's number has the bits of rows that neither its vregs nor their sublanes differ in, from the lowest on, and
// then the unit. Bits side by side are taken out of it at once.
SmallVector<SortRows::Spot> SortRows::spots(Code &c, const Group &group, Value number) const {
  const int64_t sublane = words ? sublaneBit(group) : -1;
  auto isCounted = [&](int64_t b) {
    return isFree(group, b) && (sublane < 0 || b < sublane || b >= sublane + kSublaneBits);
  };
  Linear low, high;  // first rows, as they are and mirrored
  int64_t taken = 0;
  auto take = [&](int64_t at, int64_t count, bool isLast, bool isMirrored) {
    Linear field = c.divL(c.linear(number), int64_t{1} << taken);
    if (!isLast) field = c.remL(field, int64_t{1} << count);
    const int64_t weight = int64_t{1} << at;
    low = low + field * weight;
    high = high + (isMirrored ? field * -weight + Linear(((int64_t{1} << count) - 1) * weight) : field * weight);
    taken += count;
  };
  int64_t counted = 0;
  for (int64_t b = 0; b < bits; ++b) counted += isCounted(b);
  for (int64_t b = 0; b < bits;) {
    int64_t end = b;
    while (end < bits && isCounted(end) && group.mirrored[end] == group.mirrored[b]) ++end;
    const bool takesUnit = end == bits && !group.mirrored[b];
    if (end > b) take(b, end - b, taken + end - b == counted && (units == 1 || takesUnit), group.mirrored[b]);
    b = std::max(end, b + 1);
  }
  const bool unitTaken = bits > 0 && isCounted(bits - 1) && !group.mirrored[bits - 1];
  if (units > 1 && !unitTaken) take(bits, 0, true, false);

  SmallVector<Spot> all;
  const int64_t stride = sublane < 0 ? 1 : int64_t{1} << sublane;
  for (int64_t i = 0; i < int64_t{1} << group.bits.size(); ++i) {
    int64_t offset = 0;
    for (auto [k, bit] : llvm::enumerate(group.bits)) offset += (i >> k & 1) << bit;
    const bool isHigh = i >> group.by & 1;
    const bool goesDown = isHigh && sublane >= 0 && group.mirrored[sublane];
    all.push_back({(isHigh ? high : low) + Linear(offset + (goesDown ? 7 * stride : 0)), goesDown ? -stride : stride});
  }
  return all;
}

}  // namespace tpuc::lowering
