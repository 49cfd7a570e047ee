// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/legalise/softfloat/double_elementary.h"

#include <cmath>

using namespace mlir;

namespace tpuc::legalise {
using V = Value;

static Pair fixed(Lanes &l, long double value, int scale) {
  return l.pair(static_cast<uint64_t>(std::ldexp(value, scale) + 0.5L));
}

Pair polynomial(Doubles &d, Pair z, ArrayRef<long double> coefficients, bool alternating) {
  Lanes &l = d.l;
  Pair p = fixed(l, coefficients.back(), 62);
  for (size_t i = coefficients.size() - 1; i-- > 0;) {
    Pair product = d.mulHigh(p, z), c = fixed(l, coefficients[i], 62);
    p = alternating ? l.sub(c, product) : l.add(c, product);
  }
  return p;
}

Pair toFixed(Doubles &d, Pair x, uint32_t scale) {
  Lanes &l = d.l;
  V biased = l.band(l.shr(x.hi, 20), l.u(0x7ff));
  Pair s{x.lo, l.bor(l.band(x.hi, l.u(0xfffff)), l.u(0x100000))};
  V left = l.sub(biased, l.u(1075 - scale)), right = l.sub(l.u(1075 - scale), biased);
  V grows = l.le(l.u(1075 - scale), biased);
  right = l.select(l.lt(l.u(64), right), l.u(64), right);
  return l.select(grows, l.shl(s, left), l.shr(s, l.select(grows, l.u(0), right)));
}

void splitPower(Doubles &d, Pair x, V &e, Pair &f) {
  Lanes &l = d.l;
  Doubles::Parts parts = d.unpack(x);
  // Above sqrt(2) the half belongs to the next power.
  V above = l.lt(l.u(0xb504f333), parts.significand.hi);
  e = l.add(l.sub(parts.exponent, l.u(1023)), l.toU(above));
  Pair fraction = l.shr(l.band(parts.significand, l.pair(~0ull >> 1)), l.u(11));
  V exponent = l.shl(l.sub(l.u(1023), l.toU(above)), 20);
  f = d.sub(Pair{fraction.lo, l.bor(fraction.hi, exponent)}, d.constant(1.0));
}

Pair fromFixed(Doubles &d, Pair p, V sign) {
  Lanes &l = d.l;
  V zeros = l.clz(p);
  Pair s = l.select(l.isZero(zeros), l.shrSticky(p, l.u(1)), l.shl(p, l.sub(zeros, l.u(1))));
  return d.pack(sign, l.sub(l.u(1023 + 1), zeros), s);
}

namespace {

constexpr long double kLn2 = 0.693147180559945309417232121458176568L;

// e^x = 2^k (p 2^-62): x - k ln 2 in [0, ln 2), all modulo 2^64 of scale 2^62, then its series.
Pair expOf(Doubles &d, Pair x) {
  Lanes &l = d.l;
  V negative = d.isNegative(x);
  Pair magnitude = toFixed(d, x, 62);
  Pair f = l.select(negative, l.neg(magnitude), magnitude);
  V estimate = l.mul(d.toFloat(x), l.f(0x1.715476p0f));
  V floor = stablehlo::FloorOp::create(l.b, l.loc, estimate.getType(), estimate);
  V k = l.asUnsigned(l.convert(floor, l.b.getI32Type()));
  // ln 2 is 64 bits of scale 2^62 and 32 more.
  uint64_t high = static_cast<uint64_t>(std::ldexp(kLn2, 62));
  uint32_t low = static_cast<uint32_t>(std::ldexp(std::ldexp(kLn2, 62) - static_cast<long double>(high), 32));
  Pair signedK{k, l.sar(k, l.u(31))};
  Pair multiple = l.mul(signedK, l.pair(high));
  V fraction = l.mulh(k, l.u(low));  // of k as unsigned; a negative one takes low off again
  fraction = l.select(l.isNegative(signedK), l.sub(fraction, l.u(low)), fraction);
  multiple = l.add(multiple, Pair{fraction, l.sar(fraction, l.u(31))});
  Pair r = l.sub(f, multiple), ln2 = l.pair(high);
  V below = l.isNegative(r);
  r = l.select(below, l.add(r, ln2), r);
  k = l.select(below, l.sub(k, l.u(1)), k);
  V above = l.le(ln2, r);
  r = l.select(above, l.sub(r, ln2), r);
  k = l.select(above, l.add(k, l.u(1)), k);
  SmallVector<long double> series{1.0L};
  for (int n = 1; n <= 19; ++n) series.push_back(series.back() / n);
  Pair p = polynomial(d, l.shl(r, l.u(2)), series);
  // p may reach 2.
  V two = l.ne(l.shr(p.hi, 31), l.u(0));
  p = l.select(two, l.shrSticky(p, l.u(1)), p);
  return d.pack(l.u(0), l.add(l.add(k, l.u(1023)), l.toU(two)), p);
}

// 2 atanh(f / (2 + f)) + e ln 2 for 1 + f in [sqrt(1/2), sqrt(2)]: the logarithm of 2^e (1 + f).
Pair logOf(Doubles &d, V e, Pair f) {
  Lanes &l = d.l;
  Pair s = d.div(f, d.add(d.constant(2.0), f));
  Pair z = d.mul(s, s);
  SmallVector<long double> series;
  for (int n = 0; n <= 13; ++n) series.push_back(1.0L / (2 * n + 1));
  Pair p = fromFixed(d, polynomial(d, toFixed(d, z, 64), series), l.u(0));
  Pair t = d.mul(d.add(s, s), p);
  Pair whole = d.fromInteger(Pair{e, l.sar(e, l.u(31))}, true);
  // 32 bits of ln 2: times e exact.
  constexpr double high = 0x1.62e42fee00000p-1, low = 0x1.a39ef35793c76p-33;
  return d.add(d.mul(whole, d.constant(high)), d.add(d.mul(whole, d.constant(low)), t));
}

Pair logSpecials(Doubles &d, Pair x, Pair result) {
  Lanes &l = d.l;
  Pair nan = l.pair(0x7ff8000000000000ull);
  result = l.select(l.bor(d.isNan(x), d.isNegative(x)), nan, result);
  result = l.select(d.isZero(x), d.constant(-INFINITY), result);
  return l.select(l.eq(x, d.constant(INFINITY)), x, result);
}

}  // namespace

Pair doubleExp(Doubles &d, Pair x) {
  Lanes &l = d.l;
  Pair result = expOf(d, x);
  result = l.select(d.lt(d.constant(709.79), x), d.constant(INFINITY), result);
  result = l.select(d.lt(x, d.constant(-745.2)), d.constant(0.0), result);
  return l.select(d.isNan(x), l.pair(0x7ff8000000000000ull), result);
}

// Below 1/2 the series of (e^x - 1) / x, split into even and odd powers so that all factors are positive.
Pair doubleExpm1(Doubles &d, Pair x) {
  Lanes &l = d.l;
  SmallVector<long double> even, odd;
  long double term = 1.0L;
  for (int n = 0; n < 18; ++n) {
    term /= n + 1;
    (n % 2 ? odd : even).push_back(term);
  }
  Pair magnitude = toFixed(d, x, 64);
  Pair square = d.mulHigh(magnitude, magnitude);
  Pair a = polynomial(d, square, even), b = d.mulHigh(polynomial(d, square, odd), magnitude);
  Pair q = l.select(d.isNegative(x), l.sub(a, b), l.add(a, b));
  Pair small = d.mul(x, fromFixed(d, q, l.u(0)));
  Pair large = d.sub(doubleExp(d, x), d.constant(1.0));
  return l.select(l.lt(d.abs(x), d.constant(0.5)), l.select(d.isZero(x), x, small), large);
}

Pair doubleLog(Doubles &d, Pair x) {
  V e;
  Pair f;
  splitPower(d, x, e, f);
  return logSpecials(d, x, logOf(d, e, f));
}

// The logarithm of u = 1 + x, corrected by what u lost of x: (x - (u - 1)) / u. Near 0 x itself is the fraction.
Pair doubleLog1p(Doubles &d, Pair x) {
  Lanes &l = d.l;
  Pair u = d.add(x, d.constant(1.0));
  V e;
  Pair f;
  splitPower(d, u, e, f);
  V near = l.lt(d.abs(x), d.constant(0.28));
  e = l.select(near, l.u(0), e);
  f = l.select(near, x, f);
  Pair lost = d.div(d.sub(x, d.sub(u, d.constant(1.0))), u);
  lost = l.select(l.bor(near, l.bnot(d.isFinite(u))), d.constant(0.0), lost);
  Pair result = logSpecials(d, u, d.add(logOf(d, e, f), lost));
  return l.select(l.lt(d.abs(x), d.constant(0x1p-54)), x, result);
}

Pair doubleTanh(Doubles &d, Pair x) {
  Lanes &l = d.l;
  Pair magnitude = d.abs(x);
  Pair t = doubleExpm1(d, d.add(magnitude, magnitude));
  Pair result = d.div(t, d.add(t, d.constant(2.0)));
  result = l.select(l.lt(d.constant(20.0), magnitude), d.constant(1.0), result);
  return l.select(d.isNan(x), l.pair(0x7ff8000000000000ull), l.select(d.isZero(x), x, d.copySign(result, x)));
}

Pair doubleLogistic(Doubles &d, Pair x) {
  return d.div(d.constant(1.0), d.add(d.constant(1.0), doubleExp(d, d.neg(x))));
}

// x = m 8^q with m in [1, 8): a root of 24 bits from f32, one step of Halley's method as a correction.
Pair doubleCbrt(Doubles &d, Pair x) {
  Lanes &l = d.l;
  Doubles::Parts parts = d.unpack(x);
  // exponent + 2^k divisible by 3 keeps the quotient's operands positive.
  V shifted = l.add(parts.exponent, l.u(3 * 4096 - 1023));
  V q = l.op<stablehlo::DivOp>(shifted, l.u(3));
  V rest = l.sub(shifted, l.mul(q, l.u(3)));
  Pair fraction = l.shr(l.band(parts.significand, l.pair(~0ull >> 1)), l.u(11));
  Pair m{fraction.lo, l.bor(fraction.hi, l.shl(l.add(rest, l.u(1023)), 20))};
  V narrow = d.toFloat(m);
  V guess = stablehlo::CbrtOp::create(l.b, l.loc, narrow.getType(), narrow, stablehlo::ResultAccuracyAttr());
  Pair y = d.fromFloat(guess);
  Pair cube = d.mul(d.mul(y, y), y);
  Pair step = d.div(d.mul(y, d.sub(m, cube)), d.add(d.add(cube, cube), m));
  Pair root = d.add(y, step);
  Pair result{root.lo, l.add(root.hi, l.shl(l.sub(q, l.u(4096)), 20))};
  result = d.copySign(result, x);
  return l.select(l.bor(d.isZero(x), l.bnot(d.isFinite(x))), x, result);
}

// As in f32: the smaller over the larger magnitude; above tan(pi/8) by the sum formula at pi/4, the series in z = t^2
// <= 0.172.
Pair doubleAtan2(Doubles &d, Pair y, Pair x) {
  Lanes &l = d.l;
  Pair ax = d.abs(x), ay = d.abs(y), one = d.constant(1.0);
  V steep = l.lt(ax, ay);
  Pair small = l.select(steep, ax, ay), large = l.select(steep, ay, ax);
  V infinite = l.eq(small, d.constant(INFINITY));
  small = l.select(infinite, one, small);
  large = l.select(l.bor(infinite, d.isZero(large)), one, large);
  Pair t = d.div(small, large);
  V upper = l.lt(d.constant(0.41421356237309503), t);
  Pair moved = d.div(d.sub(t, one), d.add(t, one));
  t = l.select(upper, moved, t);
  SmallVector<long double> series;
  for (int n = 0; n <= 24; ++n) series.push_back(1.0L / (2 * n + 1));
  Pair p = fromFixed(d, polynomial(d, toFixed(d, d.mul(t, t), 64), series, true), l.u(0));
  Pair r = d.mul(t, p);
  r = l.select(upper, d.add(d.constant(0x1.921fb54442d18p-1), r), r);
  auto from = [&](double high, double low, Pair v) { return d.add(d.sub(d.constant(high), v), d.constant(low)); };
  r = l.select(steep, from(0x1.921fb54442d18p0, 0x1.1a62633145c07p-54, r), r);
  r = l.select(d.isNegative(x), from(0x1.921fb54442d18p1, 0x1.1a62633145c07p-53, r), r);
  r = d.copySign(r, y);
  return l.select(l.bor(d.isNan(x), d.isNan(y)), l.pair(0x7ff8000000000000ull), r);
}

}  // namespace tpuc::legalise
