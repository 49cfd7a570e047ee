// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors for the matrix kernels, for one CPU level: included inside the level's namespace. Vec holds kWidth f32, or as
// many 32-bit integers.
#if defined(__AVX512F__)
inline constexpr int kWidth = 16;
using Vec = __m512;
TPUC_INLINE Vec load(const float *p) { return _mm512_loadu_ps(p); }
TPUC_INLINE void store(float *p, Vec v) { _mm512_storeu_ps(p, v); }
TPUC_INLINE Vec splat(float x) { return _mm512_set1_ps(x); }
TPUC_INLINE Vec add(Vec a, Vec b) { return _mm512_add_ps(a, b); }
TPUC_INLINE Vec fma(Vec a, Vec b, Vec c) { return _mm512_fmadd_ps(a, b, c); }
// acc + the two products of int16 pairs, modulo 2^32.
TPUC_INLINE Vec addPairs(Vec acc, Vec a, Vec b) {
  return _mm512_castsi512_ps(
      _mm512_add_epi32(_mm512_castps_si512(acc), _mm512_madd_epi16(_mm512_castps_si512(a), _mm512_castps_si512(b))));
}
#elif defined(__AVX2__)
inline constexpr int kWidth = 8;
using Vec = __m256;
TPUC_INLINE Vec load(const float *p) { return _mm256_loadu_ps(p); }
TPUC_INLINE void store(float *p, Vec v) { _mm256_storeu_ps(p, v); }
TPUC_INLINE Vec splat(float x) { return _mm256_set1_ps(x); }
TPUC_INLINE Vec add(Vec a, Vec b) { return _mm256_add_ps(a, b); }
TPUC_INLINE Vec fma(Vec a, Vec b, Vec c) { return _mm256_fmadd_ps(a, b, c); }
TPUC_INLINE Vec addPairs(Vec acc, Vec a, Vec b) {
  return _mm256_castsi256_ps(
      _mm256_add_epi32(_mm256_castps_si256(acc), _mm256_madd_epi16(_mm256_castps_si256(a), _mm256_castps_si256(b))));
}
#else
inline constexpr int kWidth = 16;
struct Vec {
  float x[kWidth];
};
template <typename Fn>
TPUC_INLINE Vec each(Fn fn) {
  Vec r;
  for (int i = 0; i < kWidth; ++i) r.x[i] = fn(i);
  return r;
}
TPUC_INLINE Vec load(const float *p) {
  return each([&](int i) { return p[i]; });
}
TPUC_INLINE void store(float *p, Vec v) { __builtin_memcpy(p, v.x, sizeof v.x); }
TPUC_INLINE Vec splat(float x) {
  return each([&](int) { return x; });
}
TPUC_INLINE Vec add(Vec a, Vec b) {
  return each([&](int i) { return a.x[i] + b.x[i]; });
}
TPUC_INLINE Vec fma(Vec a, Vec b, Vec c) {
  return each([&](int i) { return fma1(a.x[i], b.x[i], c.x[i]); });
}
TPUC_INLINE Vec addPairs(Vec acc, Vec a, Vec b) {
  return each([&](int i) {
    uint32_t x = bitsAs<uint32_t>(a.x[i]), y = bitsAs<uint32_t>(b.x[i]);
    int32_t low = static_cast<int16_t>(x) * static_cast<int16_t>(y),
            high = static_cast<int16_t>(x >> 16) * static_cast<int16_t>(y >> 16);
    return bitsAs<float>(bitsAs<uint32_t>(acc.x[i]) + static_cast<uint32_t>(low) + static_cast<uint32_t>(high));
  });
}
#endif

// ---- f32 with denormals as zeros, in operands and results: the matrix unit's bf16 mode ------------------------------
#if defined(__AVX2__)
struct FlushDenormals {
  unsigned saved = _mm_getcsr();
  FlushDenormals() { _mm_setcsr(saved | 0x8040); }
  ~FlushDenormals() { _mm_setcsr(saved); }
};
TPUC_INLINE Vec flushFma(Vec a, Vec b, Vec c) { return fma(a, b, c); }
TPUC_INLINE Vec flushAdd(Vec a, Vec b) { return add(a, b); }
#else
struct FlushDenormals {
  FlushDenormals() {}  // not trivial: no warning that it is unused
};
TPUC_INLINE float flush(float x) { return __builtin_fabsf(x) < 0x1p-126f ? __builtin_copysignf(0.0f, x) : x; }
// Whether a result is tiny is decided as on x86: after rounding to 24 bits with an unbounded exponent.
TPUC_INLINE float flushFma1(float a, float b, float c) {
  double sum = sumToOdd(flush(a), flush(b), flush(c));
  float wide = static_cast<float>(sum * 0x1p64);
  float r = static_cast<float>(sum);
  return __builtin_fabsf(wide) < 0x1p-62f ? __builtin_copysignf(0.0f, r) : r;
}
TPUC_INLINE Vec flushFma(Vec a, Vec b, Vec c) {
  return each([&](int i) { return flushFma1(a.x[i], b.x[i], c.x[i]); });
}
TPUC_INLINE Vec flushAdd(Vec a, Vec b) {
  return each([&](int i) { return flush(flush(a.x[i]) + flush(b.x[i])); });
}
#endif
