// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// IEEE 754 double precision on pairs of ui32 arrays: round to nearest even (but for sqrt, docs/rationale/numerics.md),
// denormals, one NaN.
#pragma once
#include "passes/builders/pair.h"

namespace tpuc::legalise {
using namespace builders;

class Doubles {
 public:
  explicit Doubles(Lanes &l) : l(l) {}
  Lanes &l;
  using V = mlir::Value;

  Pair constant(double value) { return l.pair(llvm::bit_cast<uint64_t>(value)); }
  Pair neg(Pair x) { return {x.lo, l.bxor(x.hi, l.u(0x80000000))}; }
  Pair abs(Pair x) { return {x.lo, l.band(x.hi, l.u(0x7fffffff))}; }
  Pair copySign(Pair x, Pair sign) {
    return {x.lo, l.bor(l.band(x.hi, l.u(0x7fffffff)), l.band(sign.hi, l.u(0x80000000)))};
  }
  Pair add(Pair x, Pair y);
  Pair sub(Pair x, Pair y) { return add(x, neg(y)); }
  Pair mul(Pair x, Pair y);
  Pair div(Pair x, Pair y);
  Pair sqrt(Pair x);
  Pair max(Pair x, Pair y);
  Pair min(Pair x, Pair y);
  V isNan(Pair x) { return l.lt(l.pair(0x7ff0000000000000ull), abs(x)); }
  V isInf(Pair x) { return l.eq(abs(x), l.pair(0x7ff0000000000000ull)); }
  V isFinite(Pair x) { return l.lt(abs(x).hi, l.u(0x7ff00000)); }
  V isZero(Pair x) { return l.isZero(abs(x)); }
  V isNegative(Pair x) { return l.isNegative(x); }
  V eq(Pair x, Pair y);
  V lt(Pair x, Pair y);
  V le(Pair x, Pair y);
  V compare(stablehlo::ComparisonDirection d, Pair x, Pair y, bool total);
  enum class Rounding { Down, Up, NearestEven, NearestAway, Zero };
  Pair round(Pair x, Rounding mode);
  // x 2^n for -1022 <= n <= 1023; 0 and what leaves the range excepted.
  Pair scale(Pair x, V n);

  Pair fromInteger(Pair x, bool isSigned);
  Pair toInteger(Pair x, bool isSigned);  // truncated, saturated, NaN to 0
  Pair fromFloat(V x);
  // Nearest; `toOdd`: truncated with its last bit set when inexact, for a second rounding to a narrower type.
  V toFloat(Pair x, bool toOdd = false);

  // A number's parts: biased exponent, 64-bit significand with its leading one at bit 63 (zero: anything).
  struct Parts {
    V sign, exponent;  // sign: 0 or 1
    Pair significand;
  };
  Parts unpack(Pair x);
  // significand 2^(exponent - 1023 - 62), its leading one at bit 62 or all zero; `exponent` is a signed number in a
  // ui32.
  Pair pack(V sign, V exponent, Pair significand);
  // High 64 bits of a 128-bit product; with `sticky` the lowest bit tells of what lies below.
  Pair mulHigh(Pair x, Pair y, bool sticky = false);

 private:
  Pair orderKey(Pair x, bool total);
  // m with the exponent's bits added, infinite from there on.
  Pair finished(Pair m, V base, V sign);
};

}  // namespace tpuc::legalise
