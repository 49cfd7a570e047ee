// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The transcendental unit's algorithms, part of the instruction set's definition: f32 and integer operations only, each
// rounded once, so that every CPU level gives the same bits. Written once over T, what lanes are made of: numbers (for
// loops that the compiler turns into vectors) or nodes of code being generated. Errors stand beside each function in
// units in the last place, found by walking all 2^32 arguments (test/unit/executor/eup_test.cpp); polynomials are
// minimax fits (Remez) with coefficients rounded to f32 one after the other.
//
// T has: F, I, their operators; fma, select, bits, asFloat, toInt (exact), toFloat, abs, copysign.
#define TPUC_EUP        \
  template <typename T> \
  static inline __attribute__((always_inline)) typename T::F

template <typename T>
static inline __attribute__((always_inline)) typename T::F powerOf2(T t, typename T::I n) {
  return t.asFloat((n + 127) << 23);  // -126 <= n <= 127
}

// 2^a within 0.89 ulp: 2^f = 1 + f q(f) for |f| <= 1/2, scaled in two exact steps and one that rounds denormal results.
TPUC_EUP exp2f1(T t, typename T::F a) {
  using F = typename T::F;
  using I = typename T::I;
  F x = t.select(a > -152.0f, a, -152.0f);
  x = t.select(x < 129.0f, x, 129.0f);
  F n = (x + 12582912.0f) - 12582912.0f;  // 1.5 * 2^23: to the nearest integer
  F f = x - n;
  F q = t.fma(f, 0x1.17999cp-13f, 0x1.5ef4dcp-10f);
  q = t.fma(q, f, 0x1.3b6816p-7f);
  q = t.fma(q, f, 0x1.c6af9ep-5f);
  q = t.fma(q, f, 0x1.ebfb94p-3f);
  q = t.fma(q, f, 0x1.62e430p-1f);
  F p = t.fma(f, q, 1.0f);
  I i = t.toInt(n), half = i >> 1;
  F r = p * powerOf2(t, half) * powerOf2(t, i - half);
  return t.select(a == a, r, __builtin_nanf(""));
}

// log2 a within 0.98 ulp: a = 2^e (1 + f), 1 + f from sqrt(1/2) to sqrt(2); log2(1 + f) = f log2(e) + f^2 P(f).
TPUC_EUP log2f1(T t, typename T::F a) {
  using F = typename T::F;
  using I = typename T::I;
  auto tiny = a < 0x1p-126f;
  I bits = t.bits(t.select(tiny, a * 0x1p24f, a));
  I e = (bits - 0x3f3504f3) >> 23;  // sqrt(1/2)
  F f = t.asFloat(bits - (e << 23)) - 1.0f;
  F p = t.fma(f, 0x1.738be2p-4f, -0x1.53e108p-3f);
  p = t.fma(p, f, 0x1.62b01cp-3f);
  p = t.fma(p, f, -0x1.6fe7ecp-3f);
  p = t.fma(p, f, 0x1.a3e718p-3f);
  p = t.fma(p, f, -0x1.ec6114p-3f);
  p = t.fma(p, f, 0x1.277fc6p-2f);
  p = t.fma(p, f, -0x1.7154ccp-2f);
  p = t.fma(p, f, 0x1.ec7080p-2f);
  F square = f * f;
  F rest = t.fma(square, -0x1.715476p-1f, t.fma(square * f, p, f * 0x1.4ae0c0p-26f));
  F y = t.fma(f, 0x1.715476p+0f, rest);
  F r = t.toFloat(e - t.select(tiny, 24, 0)) + y;
  r = t.select(a == __builtin_inff(), a, r);
  r = t.select(a == 0.0f, -__builtin_inff(), r);
  return t.select(a >= 0.0f, r, __builtin_nanf(""));
}

// tanh a within 1.7 ulp.
TPUC_EUP tanhf1(T t, typename T::F a) {
  using F = typename T::F;
  F x = t.abs(a), z = a * a;
  F p = t.fma(z, -0x1.750db8p-8f, 0x1.51f8ecp-6f);
  p = t.fma(p, z, -0x1.b835a6p-5f);
  p = t.fma(p, z, 0x1.1106f6p-3f);
  p = t.fma(p, z, -0x1.555532p-2f);
  F small = t.fma(x * z, p, x);
  F large = 1.0f - 2.0f / (exp2f1(t, x * 0x1.715476p+1f) + 1.0f);
  F r = t.copysign(t.select(x < 0.625f, small, large), a);
  return t.select(a == a, r, __builtin_nanf(""));
}

// Correctly rounded.
TPUC_EUP rcpf1(T t, typename T::F a) { return t.select(a == a, 1.0f / a, __builtin_nanf("")); }

// 1 / sqrt a within 0.51 ulp: three Newton steps from the exponent-halving guess, the last with the residual exact.
TPUC_EUP rsqrtf1(T t, typename T::F a) {
  using F = typename T::F;
  auto tiny = a < 0x1p-100f;
  F x = t.select(tiny, a * 0x1p60f, a);
  F half = x * -0.5f;
  F y = t.asFloat(0x5f3759df - (t.bits(x) >> 1));
  y = y * t.fma(half * y, y, 1.5f);
  y = y * t.fma(half * y, y, 1.5f);
  F s = x * y, rest = t.fma(x, y, -s);
  F e = t.fma(-s, y, 1.0f) - rest * y;  // 1 - x y^2
  y = t.fma(y * t.fma(e, 0.375f, 0.5f), e, y);
  y = t.select(tiny, y * 0x1p30f, y);
  y = t.select(a == __builtin_inff(), 0.0f, y);
  y = t.select(a == 0.0f, t.copysign(__builtin_inff(), a), y);
  return t.select(a >= 0.0f, y, __builtin_nanf(""));
}
