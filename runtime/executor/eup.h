// The transcendental unit's algorithms, part of the instruction set's definition: f32 and integer operations only, each
// rounded once, so that every CPU level gives the same bits. Included inside a level's namespace. Errors stand beside each
// function in units in the last place, found by walking all 2^32 arguments (test/unit/executor/eup_test.cpp); polynomials
// are minimax fits (Remez) with coefficients rounded to f32 one after the other.

TPUC_INLINE float quietNan() { return __builtin_nanf(""); }
TPUC_INLINE float infinity() { return __builtin_inff(); }
TPUC_INLINE float powerOf2(int32_t n) { return bitsAs<float>((n + 127) << 23); }  // -126 <= n <= 127
// Nearest even for |a| < 2^22.
TPUC_INLINE float roundSmall(float a) {
  const float magic = 12582912.0f;  // 1.5 * 2^23
  return (a + magic) - magic;
}

// 2^a within 0.89 ulp: 2^f = 1 + f q(f) for |f| <= 1/2, scaled in two exact steps and one that rounds denormal results.
TPUC_INLINE float exp2f1(float a) {
  float x = a > -152.0f ? a : -152.0f;
  x = x < 129.0f ? x : 129.0f;
  float n = roundSmall(x), f = x - n;
  float q = 0x1.17999cp-13f;
  q = fma1(q, f, 0x1.5ef4dcp-10f);
  q = fma1(q, f, 0x1.3b6816p-7f);
  q = fma1(q, f, 0x1.c6af9ep-5f);
  q = fma1(q, f, 0x1.ebfb94p-3f);
  q = fma1(q, f, 0x1.62e430p-1f);
  float p = fma1(f, q, 1.0f);
  int32_t i = static_cast<int32_t>(n), half = i >> 1;
  float r = p * powerOf2(half) * powerOf2(i - half);
  return a == a ? r : quietNan();
}

// log2 a within 0.98 ulp: a = 2^e (1 + f), 1 + f from sqrt(1/2) to sqrt(2); log2(1 + f) = f log2(e) + f^2 P(f).
TPUC_INLINE float log2f1(float a) {
  bool tiny = a < 0x1p-126f;
  float x = tiny ? a * 0x1p24f : a;
  int32_t bits = bitsAs<int32_t>(x);
  int32_t e = (bits - 0x3f3504f3) >> 23;  // 0x3f3504f3: sqrt(1/2)
  float f = bitsAs<float>(bits - (e << 23)) - 1.0f;
  float p = 0x1.738becp-4f;
  p = fma1(p, f, -0x1.53e128p-3f);
  p = fma1(p, f, 0x1.62b01cp-3f);
  p = fma1(p, f, -0x1.6fe80ap-3f);
  p = fma1(p, f, 0x1.a3e734p-3f);
  p = fma1(p, f, -0x1.ec6140p-3f);
  p = fma1(p, f, 0x1.277fcap-2f);
  p = fma1(p, f, -0x1.7154d6p-2f);
  p = fma1(p, f, 0x1.ec7086p-2f);
  p = fma1(p, f, -0x1.715476p-1f);
  float t = fma1(f * f, p, f * 0x1.4ae0c0p-26f);
  float y = fma1(f, 0x1.715476p+0f, t);
  float r = static_cast<float>(e - (tiny ? 24 : 0)) + y;
  r = a == infinity() ? a : r;
  r = a == 0.0f ? -infinity() : r;
  return a >= 0.0f ? r : quietNan();
}

// tanh a within 1.7 ulp.
TPUC_INLINE float tanhf1(float a) {
  float x = __builtin_fabsf(a), z = a * a;
  float p = -0x1.750db8p-8f;
  p = fma1(p, z, 0x1.51f8ecp-6f);
  p = fma1(p, z, -0x1.b835a6p-5f);
  p = fma1(p, z, 0x1.1106f6p-3f);
  p = fma1(p, z, -0x1.555532p-2f);
  float small = fma1(a * z, p, a);
  float large = 1.0f - 2.0f / (exp2f1(x * 0x1.715476p+1f) + 1.0f);
  return canonical(x < 0.625f ? small : __builtin_copysignf(large, a));
}

// Correctly rounded.
TPUC_INLINE float rcpf1(float a) { return canonical(1.0f / a); }

// 1 / sqrt a within 0.51 ulp: three Newton steps from the exponent-halving guess, the last with the residual exact.
TPUC_INLINE float rsqrtf1(float a) {
  bool tiny = a < 0x1p-100f;
  float x = tiny ? a * 0x1p60f : a;
  float half = 0.5f * x;
  float y = bitsAs<float>(0x5f3759df - (bitsAs<int32_t>(x) >> 1));
  y = y * fma1(-half * y, y, 1.5f);
  y = y * fma1(-half * y, y, 1.5f);
  float s = x * y, rest = fma1(x, y, -s);
  float e = fma1(-s, y, 1.0f) - rest * y;  // 1 - x y^2
  y = fma1(y * fma1(e, 0.375f, 0.5f), e, y);
  y = tiny ? y * 0x1p30f : y;
  y = a == infinity() ? 0.0f : y;
  y = a == 0.0f ? __builtin_copysignf(infinity(), a) : y;
  return a >= 0.0f ? y : quietNan();
}

// ---- sine and cosine: a = n pi/2 + (r + low), |r| <= 0.8 -------------------------------------------------------------------
struct Reduced {
  int32_t n;
  float r, low;
};
inline constexpr float kReduceLimit = 131072.0f;

// Cody and Waite's scheme with pi/2 in three f32; the first difference is exact, the second in two parts.
TPUC_INLINE Reduced reduceFast(float a) {
  float n = roundSmall(a * 0x1.45f306p-1f);
  float first = fma1(-n, 0x1.921fb6p+0f, a);
  float p = n * -0x1.777a5cp-25f, pLow = fma1(n, -0x1.777a5cp-25f, -p);
  float r = first - p, back = r - first;
  float rLow = (first - (r - back)) - (p + back);
  return {static_cast<int32_t>(n), r, rLow - fma1(n, -0x1.ee59dap-50f, pLow)};
}

// Payne and Hanek's: |a| = m 2^shift times 2/pi modulo 4. Bits of 2/pi above weight 2^(1 - shift) only make multiples of 4;
// the 128 from there on, times m modulo 2^128, are the quadrant in two bits and its fraction in the rest.
static Reduced reduceLarge(float a) {
  static const uint32_t kTwoOverPi[] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0,
                                        0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561};
  uint32_t bits = bitsAs<uint32_t>(a), m = (bits & 0x7fffff) | 0x800000;
  int shift = static_cast<int>(bits >> 23 & 0xff) - 150;
  int first = shift + 30, word = first >> 5, offset = first & 31;  // the table begins with 32 zero bits
  uint64_t high = static_cast<uint64_t>(kTwoOverPi[word]) << 32 | kTwoOverPi[word + 1];
  uint64_t low = static_cast<uint64_t>(kTwoOverPi[word + 2]) << 32 | kTwoOverPi[word + 3];
  if (offset) {
    high = high << offset | low >> (64 - offset);
    low = low << offset | kTwoOverPi[word + 4] >> (32 - offset);
  }
  // __extension__: ISO C++ has no 128-bit integers.
  __extension__ using Wide = unsigned __int128;
  Wide product = (static_cast<Wide>(high) << 64 | low) * m;
  int64_t fraction = static_cast<int64_t>(static_cast<uint64_t>(product >> 62));
  int32_t n = static_cast<int32_t>(product >> 126) + (fraction < 0);
  double angle = static_cast<double>(fraction) * 0x1.921fb54442d18p-64;  // pi/2 2^-64
  float r = static_cast<float>(angle), rest = static_cast<float>(angle - r);
  return a < 0 ? Reduced{-n, -r, -rest} : Reduced{n, r, rest};
}

// sin(r + low) = r + (r z S(z) + low cos r), z = r^2; cos(r + low) = 1 - z/2 + (z^2 C(z) - r low).
TPUC_INLINE float sineOf(const Reduced &x, int32_t quadrant) {
  float r = x.r, z = r * r, half = 0.5f * z;
  float s = 0x1.7b20a6p-19f;
  s = fma1(s, z, -0x1.a05636p-13f);
  s = fma1(s, z, 0x1.111172p-7f);
  s = fma1(s, z, -0x1.555556p-3f);
  float sine = r + fma1(r * z, s, fma1(-half, x.low, x.low));
  float c = 0x1.99d83ap-16f;
  c = fma1(c, z, -0x1.6c0c08p-10f);
  c = fma1(c, z, 0x1.55554ap-5f);
  float w = 1.0f - half;
  float cosine = w + (((1.0f - w) - half) + fma1(z * z, c, -r * x.low));
  float value = (quadrant & 1) ? cosine : sine;
  return bitsAs<float>(bitsAs<uint32_t>(value) ^ static_cast<uint32_t>(quadrant & 2) << 30);
}

// sin a and cos a = sin(a + pi/2), within 0.8 ulp: lanes beyond the fast reduction are reduced one by one.
template <int kQuarter> struct Sine {
  template <int kCount, typename I> static void run(Core &core, const I &i, int first) {
    for (int at = first; at < first + kCount; at += kBlock) block(lanesOf<float>(core, i.a) + at, lanesOf<float>(core, i.dst) + at);
  }

 private:
  static constexpr int kBlock = 128;
  static void block(const float *from, float *to) {
    alignas(64) float r[kBlock], low[kBlock];
    alignas(64) int32_t n[kBlock];
    int32_t large = 0;
    for (int l = 0; l < kBlock; ++l) {
      bool fits = __builtin_fabsf(from[l]) <= kReduceLimit;
      Reduced x = reduceFast(fits ? from[l] : 0.0f);
      r[l] = x.r;
      low[l] = x.low;
      n[l] = x.n;
      large |= !fits;
    }
    for (int l = 0; large && l < kBlock; ++l) {
      if (__builtin_fabsf(from[l]) <= kReduceLimit) continue;
      Reduced x = __builtin_fabsf(from[l]) < infinity() ? reduceLarge(from[l]) : Reduced{0, quietNan(), 0.0f};
      r[l] = x.r;
      low[l] = x.low;
      n[l] = x.n;
    }
#pragma GCC ivdep
    for (int l = 0; l < kBlock; ++l) {
      // The sine of a number too small for the sum to keep its sign is that number.
      float value = sineOf({n[l], r[l], low[l]}, n[l] + kQuarter);
      float tiny = kQuarter == 0 && __builtin_fabsf(from[l]) < 0x1p-12f ? from[l] : value;
      to[l] = canonical(tiny);
    }
  }
};
