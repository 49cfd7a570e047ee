// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// x^y of f64 with 11 bits more than a double on the way.
//
//  1. |x| = 2^e (1 + f); s = f / (2 + f) by 64 bits of a long division, log2(1 + f) = 2 / ln 2 s (1 + s^2 / 3 + s^4 / 5
//     + ...).
//  2. L = e + log2(1 + f) as 63 bits and an exponent; y L likewise, then an integer k and a fraction of 64 bits.
//  3. 2^fraction by its series, scaled by 2^k. Then the cases of IEEE 754's pow.
#include <cmath>

#include "passes/legalise/softfloat/double_elementary.h"

using namespace mlir;

namespace tpuc::legalise {
namespace {

using V = Value;

// sign significand 2^exponent; the exponent is a signed number in a ui32.
struct Scaled {
  V negative, exponent;
  Pair significand;
};

// n / d 2^63 for n, d in [2^54, 2^55): a bit, then 7 digits of 9 bits by estimates as in Doubles::div.
Pair divideLong(Doubles &d, Pair n, Pair by) {
  Lanes &l = d.l;
  V one = l.le(by, n);
  Pair r = l.select(one, l.sub(n, by), n), q{l.toU(one), l.u(0)};
  V lead = l.convert(l.add(by.hi, l.u(1)), l.b.getF32Type());
  V reciprocal = l.op<stablehlo::DivOp>(l.f(0x1.ffffe0p-1f), lead);
  for (int digit = 0; digit < 7; ++digit) {
    r = l.shl(r, l.u(9));
    V e = l.convert(l.mul(l.convert(r.hi, l.b.getF32Type()), reciprocal), l.u32());
    r = l.sub(r, l.mul(by, Pair{e, l.u(0)}));
    V more = l.le(by, r);
    r = l.select(more, l.sub(r, by), r);
    q = l.add(l.shl(q, l.u(9)), Pair{l.add(e, l.toU(more)), l.u(0)});
  }
  return q;
}

// log2 of x > 0.
Scaled logarithm(Doubles &d, Pair x) {
  Lanes &l = d.l;
  V e;
  Pair f;
  splitPower(d, x, e, f);
  V below = l.isNegative(f);
  Pair size = toFixed(d, f, 62), whole = l.pair(1ull << 63);
  Pair by = l.select(below, l.sub(whole, size), l.add(whole, size));
  V zerosF = l.clz(size), zerosD = l.clz(by);
  Pair q = divideLong(d, l.shr(l.shl(size, zerosF), l.u(9)), l.shr(l.shl(by, zerosD), l.u(9)));
  V top = l.ne(l.shr(q.hi, 31), l.u(0));
  q = l.select(top, q, l.bor(l.shl(q, l.u(1)), l.pair(1)));  // what was cut off is half a unit on average
  q = l.select(l.isZero(size), l.pair(0), q);
  // s = q 2^(small - 63)
  V small = l.sub(l.sub(zerosD, zerosF), l.select(top, l.u(0), l.u(1)));
  Pair s = l.shr(q, l.sub(l.u(0xffffffff), small));
  // g = 2 / ln 2 (1 + s^2 (1/3 + s^2/5 + ...)) of scale 2^62, s^2 <= 0.03 of scale 2^69
  SmallVector<long double> series;
  for (int n = 1; n <= 14; ++n) series.push_back(1.0L / (2 * n + 1));
  Pair z = d.mulHigh(s, s), p = polynomial(d, z, series);
  Pair more = d.mulHigh(l.shl(p, l.u(1)), l.shl(z, l.u(5)));  // of scale 2^68
  constexpr long double kTwoOverLn2 = 2.885390081777926814719849362003784L;
  Pair factor = l.pair(static_cast<uint64_t>(std::ldexp(kTwoOverLn2, 62)));
  Pair g = l.add(factor, l.shr(d.mulHigh(more, factor), l.u(4)));
  Pair h = d.mulHigh(q, g);  // t = h 2^(small - 61)
  // With e != 0: both of scale 2^(64 - width of e).
  V negativeE = l.ne(l.shr(e, 31), l.u(0)), size32 = l.select(negativeE, l.sub(l.u(0), e), e);
  V width = l.sub(l.u(32), l.clz(size32));
  Pair large = l.shl(Pair{size32, l.u(0)}, l.sub(l.u(64), width));
  Pair moved = l.shr(h, l.sub(l.sub(width, l.u(3)), small));
  V same = l.eq(l.toU(negativeE), l.toU(below));
  Pair sum = l.select(same, l.add(large, moved), l.sub(large, moved));
  V none = l.isZero(e);
  return {l.bor(l.band(none, below), l.band(l.bnot(none), negativeE)),
          l.select(none, l.sub(small, l.u(61)), l.sub(width, l.u(64))), l.select(none, h, sum)};
}

// 2^(v) for v = sign significand 2^exponent; overflow and underflow included.
Pair exponential(Doubles &d, Scaled v) {
  Lanes &l = d.l;
  V zeros = l.clz(v.significand);
  // At 2^11 and more nothing is left but 0 and infinity.
  V bits = l.sub(l.add(v.exponent, l.u(64)), zeros);
  V huge = l.lt(l.asSigned(l.u(11)), l.asSigned(bits));
  huge = l.band(huge, l.bnot(l.isZero(v.significand)));
  V down = l.sub(l.u(0), v.exponent);
  V most = l.select(l.lt(l.u(127), down), l.u(127), down);
  Pair whole = l.shr(v.significand, most);
  Pair fraction = l.select(l.le(most, l.u(64)), l.shl(v.significand, l.sub(l.u(64), most)),
                           l.shr(v.significand, l.sub(most, l.u(64))));
  fraction = l.bor(fraction, l.shr(l.pair(1ull << 63), most));  // half a unit, as above
  V rounds = l.band(v.negative, l.bnot(l.isZero(fraction)));
  fraction = l.select(v.negative, l.neg(fraction), fraction);
  V k = l.select(v.negative, l.sub(l.u(0), l.add(whole.lo, l.toU(rounds))), whole.lo);
  SmallVector<long double> series{1.0L};
  for (int n = 1; n <= 19; ++n) series.push_back(series.back() / n);
  Pair p = polynomial(d, d.mulHigh(fraction, l.pair(0xb17217f7d1cf79abull)), series);
  V two = l.ne(l.shr(p.hi, 31), l.u(0));
  p = l.select(two, l.shrSticky(p, l.u(1)), p);
  Pair result = d.pack(l.u(0), l.add(l.add(k, l.u(1023)), l.toU(two)), p);
  return l.select(huge, l.select(v.negative, d.constant(0.0), d.constant(INFINITY)), result);
}

}  // namespace

Pair doublePower(Doubles &d, Pair x, Pair y) {
  Lanes &l = d.l;
  Pair one = d.constant(1.0), inf = d.constant(INFINITY), zero = d.constant(0.0), nan = l.pair(0x7ff8000000000000ull);
  Pair magnitude = d.abs(x);
  Scaled log = logarithm(d, magnitude);
  V zeros = l.clz(log.significand);
  Doubles::Parts parts = d.unpack(y);
  Pair product = d.mulHigh(parts.significand, l.shl(log.significand, zeros));
  product = l.select(l.isZero(log.significand), l.pair(0), product);
  V exponent = l.sub(l.add(l.sub(parts.exponent, l.u(1022)), log.exponent), zeros);
  V negativeY = l.isNegative(y), up = l.bnot(l.eq(l.toU(negativeY), l.toU(log.negative)));
  Pair result = exponential(d, {up, exponent, product});

  Pair whole = d.round(y, Doubles::Rounding::Zero), halves = d.mul(y, d.constant(0.5));
  V integral = l.eq(whole, y), odd = l.band(integral, l.bnot(l.eq(d.round(halves, Doubles::Rounding::Zero), halves)));
  V infY = d.isInf(y), negative = l.band(l.isNegative(x), odd), infinite = l.bnot(infY);
  // Bases and exponents without a logarithm or a product.
  V grows = l.bxor(l.lt(magnitude, one), negativeY);  // towards 0
  result = l.select(infY, l.select(l.eq(magnitude, one), one, l.select(grows, zero, inf)), result);
  V endX = l.bor(d.isZero(x), d.isInf(x));
  result = l.select(l.band(endX, infinite), l.select(l.bxor(d.isZero(x), negativeY), zero, inf), result);
  Pair signedResult = {result.lo, l.bxor(result.hi, l.shl(l.toU(negative), 31))};
  V invalid =
      l.band(l.band(l.isNegative(x), l.bnot(integral)), l.band(d.isFinite(x), l.bnot(l.bor(infY, d.isZero(x)))));
  result = l.select(l.bor(invalid, l.bor(d.isNan(x), d.isNan(y))), nan, signedResult);
  return l.select(l.bor(d.isZero(y), l.eq(x, one)), one, result);
}

}  // namespace tpuc::legalise
