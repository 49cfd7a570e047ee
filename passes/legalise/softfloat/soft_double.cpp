// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addition, multiplication, division and square root as in J. Hauser's SoftFloat (its structure, described in its
// documentation), on vectors: both sides of each decision are computed and selected.
#include "passes/legalise/softfloat/soft_double.h"

using namespace mlir;

namespace tpuc::legalise {

using V = Value;

static constexpr uint64_t kNan = 0x7ff8000000000000ull, kInf = 0x7ff0000000000000ull;

static V least(Lanes &l, V x, V y) { return l.op<stablehlo::MinOp>(x, y); }
static V most(Lanes &l, V x, V y) { return l.op<stablehlo::MaxOp>(x, y); }
static V slt(Lanes &l, V x, V y) { return l.lt(l.asSigned(x), l.asSigned(y)); }

// s over 2^10, to nearest even.
static Pair rounded(Lanes &l, Pair s) {
  V half = l.add(l.band(l.shr(s.lo, 10), l.u(1)), l.u(0x1ff));
  return l.shr(l.add(s, half), l.u(10));
}

Doubles::Parts Doubles::unpack(Pair x) {
  V biased = l.band(l.shr(x.hi, 20), l.u(0x7ff));
  V normal = l.ne(biased, l.u(0));
  Pair raw{x.lo, l.bor(l.band(x.hi, l.u(0xfffff)), l.select(normal, l.u(0x100000), l.u(0)))};
  V zeros = l.clz(raw);
  V exponent = l.sub(l.add(l.select(normal, biased, l.u(1)), l.u(11)), zeros);
  return {l.shr(x.hi, 31), exponent, l.shl(raw, zeros)};
}

Pair Doubles::pack(V sign, V exponent, Pair s) {
  V zero = l.isZero(l.bor(s.hi, s.lo)), above = l.asSigned(l.sub(exponent, l.u(1))), none = l.asSigned(l.u(0));
  // Numbers below the normal range have fewer bits left.
  V shift = least(l, l.asUnsigned(most(l, l.sub(none, above), none)), l.u(63));
  V base = least(l, l.asUnsigned(most(l, above, none)), l.u(0x7ff));
  Pair m = rounded(l, l.shrSticky(s, shift));
  // The implicit one, and a carry out of rounding, add 1 to the exponent.
  return finished(m, l.select(zero, l.u(0), l.shl(base, 20)), l.shl(sign, 31));
}

Pair Doubles::finished(Pair m, V base, V sign) {
  V high = l.add(m.hi, base), overflow = l.le(l.u(0x7ff00000), high);
  return {l.select(overflow, l.u(0), m.lo), l.bor(l.select(overflow, l.u(0x7ff00000), high), sign)};
}

Pair Doubles::add(Pair x, Pair y) {
  V swap = l.lt(abs(x), abs(y));
  Pair a = l.select(swap, y, x), b = l.select(swap, x, y);
  auto fields = [&](Pair v, V &exponent, Pair &significand) {
    V biased = l.band(l.shr(v.hi, 20), l.u(0x7ff)), implicit = l.shl(least(l, biased, l.u(1)), 20);
    exponent = most(l, biased, l.u(1));
    significand = l.shl(Pair{v.lo, l.bor(l.band(v.hi, l.u(0xfffff)), implicit)}, l.u(9));
    return biased;
  };
  V ea, eb;
  Pair sa, sb;
  V biasedA = fields(a, ea, sa), biasedB = fields(b, eb, sb);
  sb = l.shrSticky(sb, least(l, l.sub(ea, eb), l.u(63)));
  // A difference is the complement of a sum with the complement.
  V differ = l.asUnsigned(l.sar(l.asSigned(l.bxor(a.hi, b.hi)), l.asSigned(l.u(31))));
  Pair flip{differ, differ}, s = l.bxor(l.add(l.bxor(sa, flip), sb), flip);
  V zero = l.isZero(s), sign = l.band(a.hi, l.u(0x80000000));
  // The leading one to bit 62, or as far as the exponent allows: sums of denormals are exact.
  V shift = least(l, l.sub(l.clz(s), l.u(1)), ea);
  Pair m = rounded(l, l.shl(s, shift));
  Pair result = finished(m, l.select(zero, l.u(0), l.shl(l.sub(ea, shift), 20)),
                         l.select(zero, l.band(sign, l.bnot(differ)), sign));
  // The larger of the two decides about infinities and NaN.
  V special = l.eq(biasedA, l.u(0x7ff)), both = l.band(differ, l.toU(l.eq(biasedB, l.u(0x7ff))));
  V nan = l.ne(l.bor(l.bor(l.shl(a.hi, 12), a.lo), both), l.u(0));
  return {l.select(special, l.u(0), result.lo), l.select(special, l.select(nan, l.u(kNan >> 32), a.hi), result.hi)};
}

Pair Doubles::mulHigh(Pair x, Pair y, bool sticky) {
  Pair ll = l.mulWide(x.lo, y.lo), lh = l.mulWide(x.lo, y.hi), hl = l.mulWide(x.hi, y.lo), hh = l.mulWide(x.hi, y.hi);
  Pair t = l.add(lh, ll.hi), mid = l.add(hl, t.lo), high = l.add(l.add(hh, t.hi), mid.hi);
  if (!sticky) return high;
  V lost = l.ne(l.bor(ll.lo, mid.lo), l.u(0));
  return {l.bor(high.lo, l.toU(lost)), high.hi};
}

Pair Doubles::mul(Pair x, Pair y) {
  Parts a = unpack(x), b = unpack(y);
  Pair s = mulHigh(a.significand, b.significand, true);
  V top = l.shr(s.hi, 31), exponent = l.add(l.sub(l.add(a.exponent, b.exponent), l.u(1023)), top);
  Pair half{l.bor(l.bor(l.shr(s.lo, 1), l.shl(s.hi, 31)), l.band(s.lo, l.u(1))), l.shr(s.hi, 1)};
  Pair result = pack(l.bxor(a.sign, b.sign), exponent, l.select(l.ne(top, l.u(0)), half, s));
  auto isSpecial = [&](Pair v) { return l.le(l.u(0x7ff00000), l.band(v.hi, l.u(0x7fffffff))); };
  V specialX = isSpecial(x), specialY = isSpecial(y), special = l.bor(specialX, specialY);
  auto isInfinity = [&](Pair v) { return l.isZero(l.bor(l.shl(v.hi, 12), v.lo)); };  // of what is special
  // An infinity times zero is none either: a zero's significand is zero.
  V whole = l.band(l.bor(l.bnot(specialX), isInfinity(x)), l.bor(l.bnot(specialY), isInfinity(y)));
  V infinite = l.band(whole, l.ne(s.hi, l.u(0)));
  V infinity = l.bor(l.u(0x7ff00000), l.band(l.bxor(x.hi, y.hi), l.u(0x80000000)));
  return {l.select(special, l.u(0), result.lo),
          l.select(special, l.select(infinite, infinity, l.u(kNan >> 32)), result.hi)};
}

// 10 bits of the quotient at a time. Each digit is estimated in f32: the leading 32 bits of the shifted remainder times
// a reciprocal of the divisor's leading 22 bits plus one. The reciprocal is 2^-20 of itself too small (0x1.ffffe0p-1),
// more than the roundings of f32 add up to. So the estimate is never too large, and at most one too small.
Pair Doubles::div(Pair x, Pair y) {
  Parts a = unpack(x), b = unpack(y);
  Pair r = l.shr(a.significand, l.u(11)), d = l.shr(b.significand, l.u(11));
  V one = l.le(d, r);
  r = l.select(one, l.sub(r, d), r);
  Pair q{l.toU(one), l.u(0)};
  V lead = l.convert(l.add(l.shr(d, l.u(31)).lo, l.u(1)), l.b.getF32Type());
  V reciprocal = l.op<stablehlo::DivOp>(l.f(0x1.ffffe0p-1f), lead);
  for (int digit = 0; digit < 6; ++digit) {
    r = l.shl(r, l.u(10));
    V e = l.convert(l.mul(l.convert(l.shr(r, l.u(31)).lo, l.b.getF32Type()), reciprocal), l.u32());
    r = l.sub(r, l.mul(d, Pair{e, l.u(0)}));
    V more = l.le(d, r);
    r = l.select(more, l.sub(r, d), r);
    q = l.add(l.shl(q, l.u(10)), l.add(e, l.toU(more)));
  }
  q = l.select(one, l.shl(q, l.u(2)), l.shl(q, l.u(3)));
  q.lo = l.bor(q.lo, l.toU(l.bnot(l.isZero(r))));
  V exponent = l.sub(l.add(l.sub(a.exponent, b.exponent), l.u(1022)), l.sub(l.u(0), l.toU(one)));
  V sign = l.bxor(a.sign, b.sign);
  V zeroX = isZero(x), zeroY = isZero(y), infX = isInf(x), infY = isInf(y);
  Pair result = pack(sign, exponent, q);
  V signBit = l.shl(sign, 31);
  result = l.select(l.bor(zeroX, infY), Pair{l.u(0), signBit}, result);
  result = l.select(l.bor(infX, zeroY), Pair{l.u(0), l.bor(l.u(0x7ff00000), signBit)}, result);
  V nan = l.bor(l.bor(isNan(x), isNan(y)), l.bor(l.band(zeroX, zeroY), l.band(infX, infY)));
  return l.select(nan, l.pair(kNan), result);
}

// In fixed point, on the number as m in [1/4, 1) times a power of 4:
//  1. y = 1 / sqrt(m) in (1, 2], from f32's reciprocal root.
//  2. One Newton step: y += y (1 - m y y) / 2.
//  3. s = m y is the root. s += (m - s s) y / 2 adds what is left over.
Pair Doubles::sqrt(Pair x) {
  Parts a = unpack(x);
  V even = l.ne(l.band(a.exponent, l.u(1)), l.u(0));                                    // the unbiased exponent is even
  Pair m = l.select(even, l.shr(a.significand, l.u(2)), l.shr(a.significand, l.u(1)));  // m 2^64 / ..., in [2^61, 2^63)
  // As a fraction of 2^63: [1/4, 1).
  V guess = l.op<stablehlo::RsqrtOp>(l.mul(l.convert(m.hi, l.b.getF32Type()), l.f(0x1p-31f)));  // (1, 2]
  Pair y{l.u(0), l.convert(l.mul(guess, l.f(0x1.fffffcp29f)), l.u32())};                        // of 2^62
  // y <- y + y (1 - m y y) / 2, in signed 64 bits of scale 2^62.
  auto multiply = [&](Pair p, Pair q, uint32_t up) { return l.shl(mulHigh(p, q), l.u(up)); };
  Pair yy = multiply(y, y, 1);    // 2^62 2^62 / 2^64 2 = 2^61: in (1, 4]
  Pair myy = multiply(m, yy, 1);  // 2^63 2^61 / 2^64 2 = 2^61
  Pair rest = l.sub(l.pair(1ull << 61), myy);
  V negative = l.isNegative(rest);
  Pair size = l.abs(rest);           // 2^61
  Pair step = multiply(y, size, 2);  // 2^62 2^61 / 2^64 4 = 2^61 of y rest: as 2^62 it is y rest / 2
  y = l.select(negative, l.sub(y, step), l.add(y, step));
  Pair s = multiply(m, y, 1);   // 2^63 2^62 / 2^64 2 = 2^62, in [1/2, 1)
  Pair ss = multiply(s, s, 3);  // 2^62 2^62 / 2^64 8 = 2^63
  Pair left = l.sub(m, ss);
  negative = l.isNegative(left);
  step = multiply(l.abs(left), y, 0);  // 2^63 2^62 / 2^64 = 2^61 of y left: as 2^62 it is y left / 2
  s = l.select(negative, l.sub(s, step), l.add(s, step));
  // s 2^-62 in [1/2, 1): its leading one at bit 61. Too low by less than 2^-59 of it.
  Pair result = l.add(s, l.pair(2));
  V zeros = l.clz(result);
  result = l.shl(result, l.sub(zeros, l.u(1)));
  V half = l.sar(l.sub(a.exponent, l.u(1023)), l.u(1));  // floor
  V exponent = l.sub(l.add(half, l.u(1023 + 2)), zeros);
  result = pack(l.u(0), exponent, l.band(result, l.pair(~0xffull)));
  result = l.select(l.bor(isZero(x), isInf(x)), x, result);
  V nan = l.bor(isNan(x), l.band(isNegative(x), l.bnot(isZero(x))));
  return l.select(nan, l.pair(kNan), result);
}

Pair Doubles::orderKey(Pair x, bool total) {
  Pair magnitude = abs(x);
  return l.select(isNegative(x), total ? l.bnot(magnitude) : l.neg(magnitude), magnitude);
}

V Doubles::eq(Pair x, Pair y) {
  V ordered = l.bnot(l.bor(isNan(x), isNan(y)));
  return l.band(ordered, l.eq(orderKey(x, false), orderKey(y, false)));
}
V Doubles::lt(Pair x, Pair y) {
  V ordered = l.bnot(l.bor(isNan(x), isNan(y)));
  return l.band(ordered, l.lt(orderKey(x, false), orderKey(y, false), true));
}
V Doubles::le(Pair x, Pair y) {
  V ordered = l.bnot(l.bor(isNan(x), isNan(y)));
  return l.band(ordered, l.le(orderKey(x, false), orderKey(y, false), true));
}

V Doubles::compare(stablehlo::ComparisonDirection d, Pair x, Pair y, bool total) {
  using D = stablehlo::ComparisonDirection;
  if (d == D::GT || d == D::GE) std::swap(x, y);
  if (total) {
    Pair a = orderKey(x, true), b = orderKey(y, true);
    if (d == D::EQ) return l.eq(a, b);
    if (d == D::NE) return l.bnot(l.eq(a, b));
    return d == D::LT || d == D::GT ? l.lt(a, b, true) : l.le(a, b, true);
  }
  if (d == D::EQ) return eq(x, y);
  if (d == D::NE) return l.bnot(eq(x, y));
  return d == D::LT || d == D::GT ? lt(x, y) : le(x, y);
}

Pair Doubles::max(Pair x, Pair y) {
  Pair larger = l.select(l.lt(orderKey(x, true), orderKey(y, true), true), y, x);
  return l.select(l.bor(isNan(x), isNan(y)), l.pair(kNan), larger);
}
Pair Doubles::min(Pair x, Pair y) {
  Pair smaller = l.select(l.lt(orderKey(y, true), orderKey(x, true), true), y, x);
  return l.select(l.bor(isNan(x), isNan(y)), l.pair(kNan), smaller);
}

Pair Doubles::round(Pair x, Rounding mode) {
  V biased = l.band(l.shr(x.hi, 20), l.u(0x7ff));
  V whole = l.le(l.u(1023 + 52), biased), small = l.lt(biased, l.u(1023));
  Pair bits = abs(x);
  // The weight of one, as a bit of the significand; what lies below is the fraction.
  Pair one = l.shl(l.pair(1), l.sub(l.u(1023 + 52), biased));
  Pair fraction = l.band(bits, l.sub(one, l.pair(1)));
  Pair down = l.sub(bits, fraction), half = l.shr(one, l.u(1));
  V odd = l.bnot(l.isZero(l.band(bits, one)));
  // Below 1 there is no such bit: 0 and 1 are the neighbours.
  odd = l.band(l.bor(odd, l.eq(biased, l.u(1023))), l.bnot(small));
  V any = l.select(small, l.bnot(l.isZero(bits)), l.bnot(l.isZero(fraction)));
  Pair halfBits = constant(0.5);
  V above = l.select(small, l.lt(halfBits, bits), l.lt(half, fraction));
  V tie = l.select(small, l.eq(halfBits, bits), l.band(l.eq(half, fraction), any));
  V negative = isNegative(x), up;
  switch (mode) {
    case Rounding::Down:
      up = l.band(any, negative);
      break;
    case Rounding::Up:
      up = l.band(any, l.bnot(negative));
      break;
    case Rounding::NearestEven:
      up = l.bor(above, l.band(tie, odd));
      break;
    case Rounding::NearestAway:
      up = l.bor(above, tie);
      break;
    case Rounding::Zero:
      up = l.truth(false);
      break;
  }
  Pair result = l.select(small, l.select(up, constant(1.0), l.pair(0)), l.select(up, l.add(down, one), down));
  result = l.select(whole, bits, result);
  return copySign(result, x);
}

Pair Doubles::scale(Pair x, V n) { return mul(x, Pair{l.u(0), l.shl(l.add(n, l.u(1023)), 20)}); }

Pair Doubles::fromInteger(Pair x, bool isSigned) {
  Pair a = isSigned ? l.abs(x) : x;
  V zeros = l.clz(a);
  Pair s = l.shrSticky(l.shl(a, zeros), l.u(1));
  V sign = isSigned ? l.shr(x.hi, 31) : l.u(0);
  return pack(sign, l.sub(l.u(1023 + 63), zeros), s);
}

Pair Doubles::toInteger(Pair x, bool isSigned) {
  V biased = l.band(l.shr(x.hi, 20), l.u(0x7ff));
  Pair whole{x.lo, l.bor(l.band(x.hi, l.u(0xfffff)), l.u(0x100000))};
  Pair magnitude =
      l.select(l.le(l.u(1075), biased), l.shl(whole, l.sub(biased, l.u(1075))), l.shr(whole, l.sub(l.u(1075), biased)));
  magnitude = l.select(l.lt(biased, l.u(1023)), l.pair(0), magnitude);
  V negative = isNegative(x);
  Pair result;
  if (isSigned) {
    result = l.select(negative, l.neg(magnitude), magnitude);
    result = l.select(l.le(l.u(1023 + 63), biased), l.select(negative, l.pair(1ull << 63), l.pair(~0ull >> 1)), result);
  } else {
    result = l.select(l.le(l.u(1023 + 64), biased), l.pair(~0ull), magnitude);
    result = l.select(negative, l.pair(0), result);
  }
  return l.select(isNan(x), l.pair(0), result);
}

Pair Doubles::fromFloat(V x) {
  V raw = l.asUnsigned(x);
  V biased = l.band(l.shr(raw, 23), l.u(255)), fraction = l.band(raw, l.u(0x7fffff));
  V small = l.eq(biased, l.u(0)), sign = l.band(raw, l.u(0x80000000));
  // A denormal is shifted until its leading one is where the implicit one is.
  V zeros = l.sub(l.clz(fraction), l.u(8));
  fraction = l.select(small, l.band(l.shl(fraction, zeros), l.u(0x7fffff)), fraction);
  V exponent = l.select(small, l.sub(l.u(1023 - 127 + 1), zeros), l.add(biased, l.u(1023 - 127)));
  exponent = l.select(l.eq(biased, l.u(255)), l.u(0x7ff), exponent);
  V zero = l.isZero(l.band(raw, l.u(0x7fffffff)));
  Pair bits{l.shl(fraction, 29), l.bor(l.shr(fraction, 3), l.shl(exponent, 20))};
  bits = l.select(zero, l.pair(0), bits);
  bits = l.select(l.ne(x, x), l.pair(kNan), bits);
  return {bits.lo, l.bor(bits.hi, sign)};
}

V Doubles::toFloat(Pair x, bool toOdd) {
  Parts a = unpack(x);
  V head = l.bor(a.significand.hi, l.toU(l.ne(a.significand.lo, l.u(0))));  // leading one at bit 31
  V exponent = l.sub(a.exponent, l.u(1023 - 127));
  V below = slt(l, exponent, l.u(1));
  V shift = l.sub(l.u(1), exponent);
  shift = l.select(below, l.select(slt(l, l.u(31), shift), l.u(31), shift), l.u(0));
  V moved = l.shr(head, shift);
  moved = l.bor(moved, l.toU(l.ne(l.shl(moved, shift), head)));
  V m = l.shr(moved, 8), rest = l.band(moved, l.u(255));
  V base = l.shl(l.select(below, l.u(0), l.sub(exponent, l.u(1))), 23);
  V bits = l.add(base, m);
  V overflow = slt(l, l.u(254), exponent);
  if (toOdd) {
    bits = l.bor(bits, l.toU(l.ne(rest, l.u(0))));
    bits = l.select(overflow, l.u(0x7f7fffff), bits);
  } else {
    V tie = l.eq(rest, l.u(128));
    V up = l.bor(l.lt(l.u(128), rest), l.band(tie, l.ne(l.band(m, l.u(1)), l.u(0))));
    bits = l.select(overflow, l.u(0x7f800000), l.add(bits, l.toU(up)));
  }
  bits = l.select(isZero(x), l.u(0), bits);
  bits = l.select(isInf(x), l.u(0x7f800000), bits);
  bits = l.bor(bits, l.shl(a.sign, 31));
  return l.bits(l.select(isNan(x), l.u(0x7fc00000), bits), l.b.getF32Type());
}

}  // namespace tpuc::legalise
