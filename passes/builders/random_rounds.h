// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rounds of counter-based generators (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011), on
// lanes of 32-bit words. `L` is Lanes, or has its own way to multiply.
#pragma once
#include <array>

#include "passes/builders/pair.h"

namespace tpuc::builders {

// Philox-4x32 with 10 rounds; `x` is the counter, low word first.
template <typename L>
std::array<mlir::Value, 4> philoxRounds(L &l, std::array<mlir::Value, 4> x, Pair key) {
  for (int round = 0; round < 10; ++round) {
    Pair a = l.mulWide(x[0], l.u(0xd2511f53)), c = l.mulWide(x[2], l.u(0xcd9e8d57));
    x = {l.bxor(l.bxor(c.hi, x[1]), key.lo), c.lo, l.bxor(l.bxor(a.hi, x[3]), key.hi), a.lo};
    key = {l.add(key.lo, l.u(0x9e3779b9)), l.add(key.hi, l.u(0xbb67ae85))};
  }
  return x;
}

// Threefry-2x32 with 20 rounds.
inline Pair threefryRounds(Lanes &l, Pair x, Pair key) {
  static constexpr uint32_t kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  mlir::Value keys[3] = {key.lo, key.hi, l.bxor(l.bxor(key.lo, key.hi), l.u(0x1bd11bda))};
  x = {l.add(x.lo, keys[0]), l.add(x.hi, keys[1])};
  for (uint32_t group = 0; group < 5; ++group) {
    for (uint32_t r : kRotations[group % 2]) {
      x.lo = l.add(x.lo, x.hi);
      x.hi = l.bxor(x.lo, l.bor(l.shl(x.hi, r), l.shr(x.hi, 32 - r)));
    }
    x = {l.add(x.lo, keys[(group + 1) % 3]), l.add(l.add(x.hi, keys[(group + 2) % 3]), l.u(group + 1))};
  }
  return x;
}

}  // namespace tpuc::builders
