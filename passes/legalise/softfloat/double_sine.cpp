// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sine, cosine and tangent of f64, the argument reduced as by Payne and Hanek ("Radian reduction for trigonometric
// functions", 1983):
//
//  1. |x| = m 2^s with a whole m of 53 bits. Of 2/pi, the bits of weight above 2^(1 - s) make multiples of 4 of x 2/pi:
//     192 bits from there on, times m modulo 2^192, are the quadrant in two bits and its fraction in the rest, right to
//     2^-137.
//  2. To the nearest quadrant; the fraction's 64 leading bits times pi/2 are the angle. No double is closer than 2^-62
//     to a multiple of pi/2.
//  3. sin r = r P(r^2), cos r = Q(r^2) in fixed point.
#include <cmath>

#include "passes/legalise/softfloat/double_elementary.h"

using namespace mlir;

namespace tpuc::legalise {
namespace {

using V = Value;

// 2/pi after 64 zeros.
constexpr uint32_t kTwoOverPi[] = {0,          0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599,
                                   0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c,
                                   0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639,
                                   0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f,
                                   0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7,
                                   0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};
constexpr int kWords = 6;

// |x| = k pi/2 +- angle; `fixed` is the angle of scale 2^64.
struct Reduced {
  V quadrant, negative;
  Pair angle, fixed;
};

// Words `index` to `index` + 6 of the table, the first one first, by the bits of the index from the highest down.
SmallVector<V> wordsFrom(Lanes &l, V index) {
  SmallVector<V> words;
  for (uint32_t w : kTwoOverPi) words.push_back(l.u(w));
  for (int step = 32; step; step /= 2) {
    V moved = l.ne(l.band(index, l.u(step)), l.u(0));
    // What the remaining steps may still reach.
    size_t count = std::min<size_t>(words.size(), kWords + step);
    for (size_t i = 0; i < count; ++i)
      if (i + step < words.size()) words[i] = l.select(moved, words[i + step], words[i]);
    words.resize(count);
  }
  return words;
}

// The sum of the terms, and the number of carries.
Pair sumOf(Lanes &l, ArrayRef<V> terms) {
  V sum = terms[0], carries = l.u(0);
  for (V term : terms.drop_front()) {
    sum = l.add(sum, term);
    carries = l.add(carries, l.toU(l.lt(sum, term)));
  }
  return {sum, carries};
}

// m w modulo 2^192; w and the result with the lowest word first.
SmallVector<V> product(Lanes &l, Pair m, ArrayRef<V> w) {
  SmallVector<V> result;
  V carry = l.u(0);
  for (int i = 0; i < kWords; ++i) {
    SmallVector<V> terms{carry, l.mul(m.lo, w[i])};
    if (i >= 1) terms.append({l.mulh(m.lo, w[i - 1]), l.mul(m.hi, w[i - 1])});
    if (i >= 2) terms.push_back(l.mulh(m.hi, w[i - 2]));
    Pair sum = sumOf(l, terms);
    result.push_back(sum.lo);
    carry = sum.hi;
  }
  return result;
}

// For |x| of 1/2 and more.
Reduced reduceLarge(Doubles &d, Pair x) {
  Lanes &l = d.l;
  V biased = l.band(l.shr(x.hi, 20), l.u(0x7ff));
  Pair m{x.lo, l.bor(l.band(x.hi, l.u(0xfffff)), l.u(0x100000))};
  V first = l.sub(biased, l.u(1075 - 62)), offset = l.band(first, l.u(31));
  SmallVector<V> words = wordsFrom(l, l.shr(first, 5)), window;
  for (int i = kWords; i-- > 0;)
    window.push_back(l.bor(l.shl(words[i], offset), l.shr(words[i + 1], l.sub(l.u(32), offset))));
  SmallVector<V> p = product(l, m, window);

  Pair high = l.bor(l.shl(Pair{p[4], p[5]}, l.u(2)), Pair{l.shr(p[3], 30), l.u(0)});
  Pair low = l.bor(l.shl(Pair{p[2], p[3]}, l.u(2)), Pair{l.shr(p[1], 30), l.u(0)});
  V negative = l.isNegative(high);  // more than half a quadrant
  high = l.select(negative, l.bnot(high), high);
  low = l.select(negative, l.bnot(low), low);
  V zeros = l.clz(high);
  Pair top = l.bor(l.shl(high, zeros), l.shr(low, l.sub(l.u(64), zeros)));
  Pair angle = d.mulHigh(top, l.pair(0xc90fdaa22168c235ull));  // pi/2: of scale 2^(63 + zeros)
  V full = l.ne(l.shr(angle.hi, 31), l.u(0));
  Pair packed =
      d.pack(l.u(0), l.sub(l.add(l.u(1022), l.toU(full)), zeros), l.select(full, l.shrSticky(angle, l.u(1)), angle));
  return {l.add(l.shr(p[5], 30), l.toU(negative)), negative, packed, l.shr(angle, l.sub(zeros, l.u(1)))};
}

Reduced reduce(Doubles &d, Pair x) {
  Lanes &l = d.l;
  Pair magnitude = d.abs(x);
  V near = l.lt(magnitude, d.constant(0.78));
  Reduced r = reduceLarge(d, magnitude);
  return {l.select(near, l.u(0), r.quadrant), l.band(r.negative, l.bnot(near)), l.select(near, magnitude, r.angle),
          l.select(near, toFixed(d, magnitude, 64), r.fixed)};
}

struct Values {
  Pair sine, cosine;  // of the reduced angle, the sine with its sign
};

Values valuesOf(Doubles &d, const Reduced &r) {
  Lanes &l = d.l;
  Pair z = d.mulHigh(r.fixed, r.fixed);
  SmallVector<long double> sines{1.0L}, cosines{1.0L};
  for (int n = 1; n <= 11; ++n) {
    sines.push_back(sines.back() / (2 * n) / (2 * n + 1));
    cosines.push_back(cosines.back() / (2 * n - 1) / (2 * n));
  }
  Pair s = d.mul(r.angle, fromFixed(d, polynomial(d, z, sines, true), l.u(0)));
  s = {s.lo, l.bxor(s.hi, l.shl(l.toU(r.negative), 31))};
  return {s, fromFixed(d, polynomial(d, z, cosines, true), l.u(0))};
}

// The sine `quadrant` quadrants on.
Pair turned(Lanes &l, const Values &v, V quadrant) {
  Pair result = l.select(l.ne(l.band(quadrant, l.u(1)), l.u(0)), v.cosine, v.sine);
  return {result.lo, l.bxor(result.hi, l.shl(l.band(l.shr(quadrant, 1), l.u(1)), 31))};
}

Pair finite(Doubles &d, Pair x, Pair result) {
  return d.l.select(d.isFinite(x), result, d.l.pair(0x7ff8000000000000ull));
}

}  // namespace

Pair doubleSine(Doubles &d, Pair x) {
  Lanes &l = d.l;
  Reduced r = reduce(d, x);
  Pair result = turned(l, valuesOf(d, r), r.quadrant);
  result = {result.lo, l.bxor(result.hi, l.band(x.hi, l.u(0x80000000)))};
  return finite(d, x, l.select(d.isZero(x), x, result));
}

Pair doubleCosine(Doubles &d, Pair x) {
  Reduced r = reduce(d, x);
  return finite(d, x, turned(d.l, valuesOf(d, r), d.l.add(r.quadrant, d.l.u(1))));
}

Pair doubleTan(Doubles &d, Pair x) {
  Lanes &l = d.l;
  Reduced r = reduce(d, x);
  Values v = valuesOf(d, r);
  V odd = l.ne(l.band(r.quadrant, l.u(1)), l.u(0));
  Pair result = d.div(l.select(odd, d.neg(v.cosine), v.sine), l.select(odd, v.sine, v.cosine));
  result = {result.lo, l.bxor(result.hi, l.band(x.hi, l.u(0x80000000)))};
  return finite(d, x, l.select(d.isZero(x), x, result));
}

}  // namespace tpuc::legalise
