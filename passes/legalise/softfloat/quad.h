// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 128-bit numbers on four ui32 arrays, fixed-point and floating, for results of f64 whose terms cancel.
#pragma once
#include <array>

#include "passes/legalise/softfloat/soft_double.h"

namespace tpuc::legalise {

// Words from the lowest up.
using Quad = std::array<mlir::Value, 4>;
// A constant: high and low half.
using QuadBits = std::pair<uint64_t, uint64_t>;

// significand 2^(exponent - 127), the significand's top bit set, or 0; the exponent is a signed number in a ui32.
struct Large {
  mlir::Value exponent;
  Quad significand;
};

// A fixed-point number in two's complement has this many bits behind the point: |x| < 2^11.
constexpr unsigned kFixedBits = 116;

class Quads {
 public:
  explicit Quads(Doubles &d) : d(d), l(d.l) {}
  Doubles &d;
  Lanes &l;
  using V = mlir::Value;

  Quad constant(QuadBits bits);
  Quad top(Pair high) { return {l.u(0), l.u(0), high.lo, high.hi}; }
  Quad add(const Quad &x, const Quad &y);
  // `borrow`: a mask, where x < y as unsigned.
  Quad sub(const Quad &x, const Quad &y, V *borrow = nullptr);
  Quad neg(const Quad &x) { return sub(constant({0, 0}), x); }
  Quad select(V p, const Quad &x, const Quad &y);
  V isNegative(const Quad &x) { return l.ne(l.shr(x[3], 31), l.u(0)); }
  V isZero(const Quad &x) { return l.isZero(l.bor(l.bor(x[0], x[1]), l.bor(x[2], x[3]))); }
  // Shifts by 1 to 31.
  Quad shl(const Quad &x, uint32_t n);
  Quad shr(const Quad &x, uint32_t n);
  // Shifts by 0 to 127, a signed number in two's complement.
  Quad sar(const Quad &x, V n);
  // Shifts by any amount below 2^32 - 64.
  Quad shr(const Quad &x, V n);
  // The high half of a product of unsigned numbers, too small by less than 8.
  Quad mulHigh(const Quad &x, const Quad &y);
  // sum of coefficients[i] z^i, of 120 fractional bits like the coefficients; z in [0, 1) of 128 bits. All coefficients
  // are positive, or (`Alternating`) every second one negative and no partial sum; or partial sums of any sign, below
  // 2^7.
  enum class Signs { Positive, Alternating, Any };
  Quad polynomial(const Quad &z, llvm::ArrayRef<QuadBits> coefficients, Signs signs);

  Large one() { return {l.u(0), constant({1ull << 63, 0})}; }
  // v 2^(exponent - 127).
  Large normalise(const Quad &v, V exponent);
  Large normalise(const Quad &v, int32_t exponent) { return normalise(v, l.u(static_cast<uint32_t>(exponent))); }
  Large select(V p, const Large &x, const Large &y) {
    return {l.select(p, x.exponent, y.exponent), select(p, x.significand, y.significand)};
  }
  Large mul(const Large &x, const Large &y);
  // Within 2^-120 of it; 1 / 0 is anything.
  Large reciprocal(const Large &x);
  // x with `bits` bits behind the point; further bits are cut off.
  Quad toFixed(const Large &x, unsigned bits = kFixedBits);
  // The logarithm of x / y: as a fixed-point number, and, where their quotient is between the roots of 1/2 and 2, with
  // its own precision.
  struct Logarithm {
    Quad fixed;
    V isNear, negative;  // masks
    Large near;          // magnitude
  };
  Logarithm logOfQuotient(const Large &x, const Large &y);

  Large fromDouble(Pair finite);
  // Rounded once; `negative` is a mask.
  Pair toDouble(const Large &x, V negative);
  Pair toDouble(const Quad &fixed);
};

}  // namespace tpuc::legalise
