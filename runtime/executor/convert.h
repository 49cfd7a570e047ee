// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions and packing, for one CPU level: included inside the level's namespace.
TPUC_INLINE int32_t toS32(float a) {
  float low = a > -2147483648.0f ? a : -2147483648.0f;   // NaN too
  float in = low < 2147483520.0f ? low : 2147483520.0f;  // the largest f32 below 2^31
  int32_t r = static_cast<int32_t>(in);
  r = a >= 2147483648.0f ? 0x7fffffff : r;
  return a == a ? r : 0;
}
TPUC_INLINE uint32_t toU32(float a) {
  float low = a > 0.0f ? a : 0.0f;
  bool big = low >= 2147483648.0f;
  float part = big ? low - 2147483648.0f : low;
  float in = part < 2147483520.0f ? part : 2147483520.0f;
  uint32_t r = static_cast<uint32_t>(static_cast<int32_t>(in)) | (big ? 0x80000000u : 0);
  return a >= 4294967296.0f ? 0xffffffffu : r;
}
TPUC_INLINE float fromS32(int32_t a) { return static_cast<float>(a); }
// Halves are exact, so their sum rounds once.
TPUC_INLINE float fromU32(uint32_t a) {
  return static_cast<float>(static_cast<int32_t>(a >> 16)) * 65536.0f +
         static_cast<float>(static_cast<int32_t>(a & 0xffff));
}

TPUC_INLINE uint32_t toBf16(float a) {
  uint32_t bits = bitsAs<uint32_t>(a);
  uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  return a == a ? rounded : 0x7fc0;
}
TPUC_INLINE uint32_t toF16(float a) {
  uint32_t bits = bitsAs<uint32_t>(a), sign = bits >> 31 << 15, abs = bits & 0x7fffffff;
  // Below 2^-14: adding 1/2 leaves the denormal's bits, rounded, at the end of the significand.
  uint32_t denormal = bitsAs<uint32_t>(bitsAs<float>(abs) + 0.5f) - 0x3f000000;
  uint32_t normal = (abs - 0x38000000 + 0xfff + ((abs >> 13) & 1)) >> 13;
  uint32_t r = abs < 0x38800000 ? denormal : normal;
  r = abs >= 0x47800000 ? 0x7c00 : r;
  return abs > 0x7f800000 ? 0x7e00 : (r | sign);
}
TPUC_INLINE float fromF16(uint32_t a) {
  uint32_t abs = (a & 0x7fff) << 13, exponent = abs & 0x0f800000, sign = (a & 0x8000) << 16;
  uint32_t normal = abs + 0x38000000;
  uint32_t denormal = bitsAs<uint32_t>(bitsAs<float>(abs + 0x38800000) - bitsAs<float>(0x38800000u));
  uint32_t r = exponent == 0 ? denormal : normal;
  r = exponent == 0x0f800000 ? abs + 0x70000000 : r;
  return canonical(bitsAs<float>(r | sign));
}

template <int kMode>
TPUC_INLINE float round1(float a) {
  float t;
  if constexpr (kMode == 1)
    t = __builtin_floorf(a);
  else if constexpr (kMode == 2)
    t = __builtin_ceilf(a);
  else
    t = __builtin_truncf(a);
  if constexpr (kMode == 0 || kMode == 4) {
    float magic = __builtin_copysignf(8388608.0f, a);  // adding 2^23 rounds to nearest even
    float near = __builtin_fabsf(a) < 8388608.0f ? (a + magic) - magic : a;
    float away = t + (__builtin_fabsf(a - t) >= 0.5f ? __builtin_copysignf(1.0f, a) : 0.0f);
    t = kMode == 0 ? near : (__builtin_fabsf(a) < 8388608.0f ? away : a);
  }
  return canonical(__builtin_copysignf(t, a));
}

TPUC_INLINE const uint32_t *sourceOf(Core &core, const DInst *i, int k, int reg) {
  return reinterpret_cast<const uint32_t *>(core.source(i, k, reg));
}

// The rows of two vregs to those of one, or one's to two; where a source is the result too, by way of a copy.
template <typename Body>
TPUC_INLINE void viaCopy(Core &core, int dst, bool copies, Body body) {
  if (!copies) return body(lanesOf<uint32_t>(core, dst));
  alignas(64) uint32_t out[kLaneCount];
  body(out);
  __builtin_memcpy(lanesOf<uint8_t>(core, dst), out, sizeof out);
}

// Two words' rows to one: `narrow` gives the low bits of each. In place of the first: a word is written when those up
// to it are read.
template <uint32_t (*kNarrow)(uint32_t)>
const DInst *pack16(Core &core, const DInst *i) {
  const uint32_t *sources[2] = {sourceOf(core, i, 0, i->a), sourceOf(core, i, 1, i->b)};
  viaCopy(core, i->dst, sources[1] == lanesOf<uint32_t>(core, i->dst),
          [&](uint32_t *out) __attribute__((always_inline)) {
            for (int w = 0; w < isa::kSublanes; ++w) {
              const uint32_t *low = sources[w / 4] + (2 * w % 8) * isa::kLanes, *high = low + isa::kLanes;
              uint32_t *to = out + w * isa::kLanes;
              const int lanes = std::min(i->from[w / 4], i->resultLanes);
#pragma GCC ivdep
              for (int l = 0; l < lanes; ++l) to[l] = kNarrow(low[l]) | kNarrow(high[l]) << 16;
              for (int l = lanes; l < i->resultLanes; ++l) to[l] = 0;
            }
          });
  return i + 1;
}
TPUC_INLINE uint32_t narrowBf16(uint32_t bits) { return toBf16(bitsAs<float>(bits)); }
TPUC_INLINE uint32_t narrow16(uint32_t bits) { return bits & 0xffff; }

static const DInst *pack8(Core &core, const DInst *i) {
  alignas(64) uint32_t out[kLaneCount];
  const uint32_t *sources[2] = {lanesOf<uint32_t>(core, i->a), lanesOf<uint32_t>(core, i->b)};
  for (int w = 0; w < isa::kSublanes; ++w) {
    const uint32_t *x = sources[w / 4] + (2 * w % 8) * isa::kLanes, *y = x + isa::kLanes;
    for (int l = 0; l < isa::kLanes; ++l)
      out[w * isa::kLanes + l] =
          (x[l] & 0xff) | (x[l] >> 16 & 0xff) << 8 | (y[l] & 0xff) << 16 | (y[l] >> 16 & 0xff) << 24;
  }
  __builtin_memcpy(lanesOf<uint8_t>(core, i->dst), out, sizeof out);
  return i + 1;
}

// Rows 8 part .. 8 part + 7 of rows packed kParts a word; kMode 0 zero-extends, 1 sign-extends, 2 makes the bits the
// high ones.
template <int kParts, int kMode>
TPUC_INLINE const DInst *unpackRows(Core &core, const DInst *i, int part) {
  constexpr int kBits = 32 / kParts;
  const uint32_t *from = sourceOf(core, i, 0, i->a);
  viaCopy(core, i->dst, from == lanesOf<uint32_t>(core, i->dst), [&](uint32_t *out) __attribute__((always_inline)) {
    for (int s = 0; s < isa::kSublanes; ++s) {
      const uint32_t *word = from + (8 * part + s) / kParts * isa::kLanes;
      uint32_t *to = out + s * isa::kLanes;
      int up = 32 - kBits - s % kParts * kBits;
#pragma GCC ivdep
      for (int l = 0; l < i->resultLanes; ++l) {
        uint32_t top = word[l] << up;
        if (kMode == 2)
          to[l] = top & ~(~0u >> kBits);
        else
          to[l] = kMode == 1 ? static_cast<uint32_t>(static_cast<int32_t>(top) >> (32 - kBits)) : top >> (32 - kBits);
      }
    }
  });
  return i + 1;
}
static const DInst *unpackBf16(Core &core, const DInst *i) {
  return unpackRows<2, 2>(core, i, static_cast<int>(i->imm));
}
static const DInst *unpack16(Core &core, const DInst *i) {
  return i->aux ? unpackRows<2, 1>(core, i, static_cast<int>(i->imm))
                : unpackRows<2, 0>(core, i, static_cast<int>(i->imm));
}
static const DInst *unpack8(Core &core, const DInst *i) {
  return i->aux ? unpackRows<4, 1>(core, i, static_cast<int>(i->imm))
                : unpackRows<4, 0>(core, i, static_cast<int>(i->imm));
}
