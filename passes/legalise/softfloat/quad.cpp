// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/legalise/softfloat/quad.h"

using namespace mlir;

namespace tpuc::legalise {

using V = Value;

// Near-minimax fits (Chebyshev interpolation in 110 digits), the lowest power first, of 120 fractional bits.
// 2 artanh(s) / s over s^2, up to 0.03.
constexpr QuadBits kLogarithm[] = {{0x0200000000000000, 0x0000000000000000}, {0x00aaaaaaaaaaaaaa, 0xaaaaaaaaaaaa9fb3},
                                   {0x0066666666666666, 0x6666666666ef760e}, {0x0049249249249249, 0x24924921ec6cb98a},
                                   {0x0038e38e38e38e38, 0xe38e3fc7a1c31ede}, {0x002e8ba2e8ba2e8b, 0xa2ddd9bfd21b1cc5},
                                   {0x0027627627627627, 0x6dc71a6c32961fcb}, {0x0022222222222219, 0xf3f457299864ae65},
                                   {0x001e1e1e1e1e225e, 0xabe08187ea0bd502}, {0x001af286bca00f56, 0xb6f3b53388f789bb},
                                   {0x0018618618d7adbf, 0xbfbc6ed71182f031}, {0x001642c83ffa4b9c, 0x37620b45a9d10fe3},
                                   {0x00147ae53ad7f6f0, 0x3c46fac2f813ab1a}, {0x0012f6103d67aa10, 0x87e149efbfe23a02},
                                   {0x0011b13bdc8d16e6, 0xed6524ba8d322953}, {0x000fff7335ca57b1, 0x7ec5e3b51884e355},
                                   {0x0013c90ec0d61eea, 0xfe62b1974e603318}};
// The logarithm of 2 as a fraction of 1.
constexpr QuadBits kLn2 = {0xb17217f7d1cf79ab, 0xc9e3b39803f2f6af};

Quad Quads::constant(QuadBits bits) {
  Pair low = l.pair(bits.second), high = l.pair(bits.first);
  return {low.lo, low.hi, high.lo, high.hi};
}

// A word's sum carries where it is below either term; at most one of both sums does.
Quad Quads::add(const Quad &x, const Quad &y) {
  Quad out;
  V carry;
  for (int i = 0; i < 4; ++i) {
    V sum = l.add(x[i], y[i]), more = l.lt(sum, x[i]);
    if (carry) {
      V both = l.add(sum, carry);
      more = l.bor(more, l.lt(both, sum));
      sum = both;
    }
    out[i] = sum;
    if (i < 3) carry = l.toU(more);
  }
  return out;
}

Quad Quads::sub(const Quad &x, const Quad &y, V *borrow) {
  Quad out;
  V less;
  for (int i = 0; i < 4; ++i) {
    V difference = l.sub(x[i], y[i]), under = l.lt(x[i], y[i]);
    if (less) {
      V one = l.toU(less);
      under = l.bor(under, l.lt(difference, one));
      difference = l.sub(difference, one);
    }
    out[i] = difference;
    less = under;
  }
  if (borrow) *borrow = less;
  return out;
}

Quad Quads::select(V p, const Quad &x, const Quad &y) {
  Quad out;
  for (int i = 0; i < 4; ++i) out[i] = l.select(p, x[i], y[i]);
  return out;
}

Quad Quads::shl(const Quad &x, uint32_t n) {
  Quad out{l.shl(x[0], n)};
  for (int i = 1; i < 4; ++i) out[i] = l.bor(l.shl(x[i], n), l.shr(x[i - 1], 32 - n));
  return out;
}

Quad Quads::shr(const Quad &x, uint32_t n) {
  Quad out;
  for (int i = 0; i < 3; ++i) out[i] = l.bor(l.shr(x[i], n), l.shl(x[i + 1], 32 - n));
  out[3] = l.shr(x[3], n);
  return out;
}

// Whole words first: by 64 where the amount has that bit, then by 32, then the rest, which a shift by 32 and more
// leaves nothing of.
static Quad shiftRight(Lanes &l, const Quad &x, V n, V fill) {
  Quad at = x;
  for (int words : {2, 1}) {
    V moves = l.ne(l.band(n, l.u(32 * words)), l.u(0));
    Quad moved;
    for (int i = 0; i < 4; ++i) moved[i] = l.select(moves, i + words < 4 ? at[i + words] : fill, at[i]);
    at = moved;
  }
  V rest = l.band(n, l.u(31)), back = l.sub(l.u(32), rest);
  Quad out;
  for (int i = 0; i < 4; ++i) out[i] = l.bor(l.shr(at[i], rest), l.shl(i < 3 ? at[i + 1] : fill, back));
  return out;
}

Quad Quads::sar(const Quad &x, V n) { return shiftRight(l, x, n, l.sar(x[3], l.u(31))); }

Quad Quads::shr(const Quad &x, V n) {
  V zero = l.u(0);
  return select(l.lt(l.u(127), n), Quad{zero, zero, zero, zero}, shiftRight(l, x, n, zero));
}

// The upper four words of the product, column by column. Each column hands its carries to the next. Carries out of the
// lower half are left out.
Quad Quads::mulHigh(const Quad &x, const Quad &y) {
  Quad out;
  V carries;
  for (int column = 4; column < 8; ++column) {
    SmallVector<V> words;
    if (carries) words.push_back(carries);
    for (int i = 0; i < 4; ++i) {
      if (int j = column - 1 - i; j >= 0 && j < 4) words.push_back(l.mulh(x[i], y[j]));
      if (int j = column - i; j >= 0 && j < 4) words.push_back(l.mul(x[i], y[j]));
    }
    V sum = words.front();
    carries = {};
    for (V word : ArrayRef(words).drop_front()) {
      sum = l.add(sum, word);
      V carry = l.toU(l.lt(sum, word));
      carries = carries ? l.add(carries, carry) : carry;
    }
    out[column - 4] = sum;
  }
  return out;
}

Quad Quads::polynomial(const Quad &z, ArrayRef<QuadBits> coefficients, Signs signs) {
  Quad p = constant(coefficients.back());
  for (QuadBits c : llvm::reverse(coefficients.drop_back())) {
    Quad product = mulHigh(p, z);
    if (signs == Signs::Alternating) {
      p = sub(constant(c), product);
      continue;
    }
    // A negative factor that is read as unsigned is larger by 2^128.
    if (signs == Signs::Any) {
      V mask = l.sar(p[3], l.u(31));
      product = sub(product, Quad{l.band(z[0], mask), l.band(z[1], mask), l.band(z[2], mask), l.band(z[3], mask)});
    }
    p = add(constant(c), product);
  }
  return p;
}

Large Quads::normalise(const Quad &v, V exponent) {
  Quad at = v;
  for (int words : {2, 1}) {
    V empty = words == 2 ? l.isZero(l.bor(at[3], at[2])) : l.isZero(at[3]);
    Quad moved;
    for (int i = 0; i < 4; ++i) moved[i] = l.select(empty, i >= words ? at[i - words] : l.u(0), at[i]);
    at = moved;
    exponent = l.sub(exponent, l.select(empty, l.u(32 * words), l.u(0)));
  }
  V zeros = l.clz(at[3]), back = l.sub(l.u(32), zeros);
  Quad out{l.shl(at[0], zeros)};
  for (int i = 1; i < 4; ++i) out[i] = l.bor(l.shl(at[i], zeros), l.shr(at[i - 1], back));
  return {l.sub(exponent, zeros), out};
}

Large Quads::mul(const Large &x, const Large &y) {
  Quad high = mulHigh(x.significand, y.significand);
  V whole = isNegative(high);  // the top bit
  return {l.add(l.add(x.exponent, y.exponent), l.toU(whole)), select(whole, high, shl(high, 1))};
}

// Newton's steps from f32 on words of 64 bits, then one of 128: y <- y (2 - m y) stays below 1 / m, m in [1/2, 1) the
// significand.
Large Quads::reciprocal(const Large &x) {
  const Quad &m = x.significand;
  V lead = l.convert(l.add(l.shr(m[3], 8), l.u(1)), l.b.getF32Type());
  V guess = l.convert(l.op<stablehlo::DivOp>(l.f(0x1.ffffe0p54f), lead), l.u32());  // of scale 2^31
  Pair y{l.u(0), guess}, high{m[2], m[3]};                                          // of scale 2^63
  for (int step = 0; step < 2; ++step) y = l.shl(d.mulHigh(y, l.neg(d.mulHigh(y, high))), l.u(1));
  // What was cut off of products, and of m, may have made it too large by 5.
  Quad wide = top(l.sub(y, l.pair(8)));
  Quad rest = sub(constant({1ull << 63, 0}), mulHigh(wide, m));  // 1 - m y of scale 2^127
  Quad half = add(shr(wide, 1), mulHigh(wide, rest));            // 1 / (2 m) of scale 2^127
  V whole = isNegative(half);
  return {l.sub(l.u(0), l.add(x.exponent, l.toU(l.bnot(whole)))), select(whole, half, shl(half, 1))};
}

Quad Quads::toFixed(const Large &x, unsigned bits) { return shr(x.significand, l.sub(l.u(127 - bits), x.exponent)); }

// x / y = 2^e q with q between the roots of 1/2 and 2, log q = 2 artanh s = s (2 + 2/3 s^2 + ...) with s = (q - 1) / (q
// + 1).
Quads::Logarithm Quads::logOfQuotient(const Large &x, const Large &y) {
  constexpr uint32_t kRootOfHalf = 0xb504f333;
  V above = l.lt(l.mulh(y.significand[3], l.u(kRootOfHalf)), l.shr(x.significand[3], 1));
  V below = l.lt(l.mulh(x.significand[3], l.u(kRootOfHalf)), l.shr(y.significand[3], 1));
  Quad halfX = shr(x.significand, 1), halfY = shr(y.significand, 1);
  Quad a = select(above, halfX, x.significand), b = select(below, halfY, y.significand);
  V e = l.sub(l.add(l.sub(x.exponent, y.exponent), l.toU(above)), l.toU(below));
  Logarithm out;
  Quad difference = sub(a, b, &out.negative);
  difference = select(out.negative, neg(difference), difference);
  Large s = mul(normalise(difference, 0), reciprocal(normalise(add(shr(a, 1), shr(b, 1)), 1)));
  Quad part = toFixed(s, 128);
  // Coefficients of 120 bits: 2^(7 - 127) of their last place.
  out.near = mul(s, normalise(polynomial(mulHigh(part, part), kLogarithm, Signs::Positive), 7));
  Quad fixed = toFixed(out.near);
  fixed = select(out.negative, neg(fixed), fixed);
  V down = l.ne(l.shr(e, 31), l.u(0)), size = l.select(down, l.sub(l.u(0), e), e);
  Quad whole = mulHigh(constant(kLn2), top({l.u(0), l.shl(size, 20)}));
  out.fixed = add(select(down, neg(whole), whole), fixed);
  out.isNear = l.isZero(e);
  return out;
}

Large Quads::fromDouble(Pair finite) {
  Doubles::Parts parts = d.unpack(finite);
  return {l.sub(parts.exponent, l.u(1023)), top(parts.significand)};
}

Pair Quads::toDouble(const Large &x, V negative) {
  const Quad &s = x.significand;
  Pair kept = l.shrSticky({s[2], s[3]}, l.u(1));
  kept.lo = l.bor(kept.lo, l.toU(l.ne(l.bor(s[0], s[1]), l.u(0))));
  return d.pack(l.toU(negative), l.add(x.exponent, l.u(1023)), kept);
}

Pair Quads::toDouble(const Quad &fixed) {
  V negative = isNegative(fixed);
  return toDouble(normalise(select(negative, neg(fixed), fixed), 127 - kFixedBits), negative);
}

}  // namespace tpuc::legalise
