// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sine and cosine as eup.h has the other functions, for one CPU level: included inside the level's namespace. a = n
// pi/2 +
// (r + low), |r| <= 0.8.
struct Reduced {
  int32_t n;
  float r, low;
};
inline constexpr float kReduceLimit = 131072.0f;

// Cody and Waite's scheme with pi/2 in three f32; the first difference is exact, the second in two parts.
TPUC_INLINE Reduced reduceFast(float a) {
  // 1.5 * 2^23: to the nearest integer.
  float n = (a * 0x1.45f306p-1f + 12582912.0f) - 12582912.0f;
  float first = fma1(-n, 0x1.921fb6p+0f, a);
  float p = n * -0x1.777a5cp-25f, pLow = fma1(n, -0x1.777a5cp-25f, -p);
  float r = first - p, back = r - first;
  float rLow = (first - (r - back)) - (p + back);
  return {static_cast<int32_t>(n), r, rLow - fma1(n, -0x1.ee59dap-50f, pLow)};
}

// Payne and Hanek's: |a| = m 2^shift times 2/pi modulo 4. Bits of 2/pi above weight 2^(1 - shift) only make multiples
// of 4; the 128 from there on, times m modulo 2^128, are the quadrant in two bits and its fraction in the rest.
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
template <int kQuarter>
struct Sine {
  template <int kCount, typename I>
  static void run(Core &core, const I &i, int first) {
    for (int at = first; at < first + kCount; at += kBlock)
      block(lanesOf<float>(core, i.a) + at, lanesOf<float>(core, i.dst) + at);
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
      Reduced x =
          __builtin_fabsf(from[l]) < __builtin_inff() ? reduceLarge(from[l]) : Reduced{0, __builtin_nanf(""), 0.0f};
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
