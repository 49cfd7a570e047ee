// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vector ALU's instructions, for one CPU level: included inside the level's namespace.
TPUC_INLINE float fadd(float a, float b) { return canonical(a + b); }
TPUC_INLINE float fsub(float a, float b) { return canonical(a - b); }
TPUC_INLINE float fmul(float a, float b) { return canonical(a * b); }
// Equal numbers differ at most in a zero's sign: minimum has either sign set, maximum has both.
TPUC_INLINE float fmin1(float a, float b) {
  float least = a < b ? a : b;
  float equal = bitsAs<float>(bitsAs<uint32_t>(a) | bitsAs<uint32_t>(b));
  float r = a == b ? equal : least;
  return a == a ? canonical(r) : __builtin_nanf("");
}
TPUC_INLINE float fmax1(float a, float b) {
  float most = a > b ? a : b;
  float equal = bitsAs<float>(bitsAs<uint32_t>(a) & bitsAs<uint32_t>(b));
  float r = a == b ? equal : most;
  return a == a ? canonical(r) : __builtin_nanf("");
}

#if defined(__AVX512DQ__)
// vrangeps orders zeros as IEEE 754-2019 does, but prefers numbers to NaNs.
template <bool kMax>
struct MinMax {
  template <int kCount, typename I>
  TPUC_INLINE void run(Core &core, const I &i, int first) {
    float *to = lanesOf<float>(core, i.dst) + first;
    const float *a = lanesOf<float>(core, i.a) + first, *b = lanesOf<float>(core, i.b) + first;
    for (int l = 0; l < kCount; l += 16) {
      __m512 x = _mm512_load_ps(a + l), y = _mm512_load_ps(b + l);
      __m512 r = _mm512_range_ps(x, y, kMax ? 5 : 4);
      _mm512_store_ps(
          to + l, _mm512_mask_mov_ps(r, _mm512_cmp_ps_mask(x, y, _CMP_UNORD_Q), _mm512_set1_ps(__builtin_nanf(""))));
    }
  }
};
using Min = MinMax<false>;
using Max = MinMax<true>;
#else
using Min = Binary<float, float, fmin1>;
using Max = Binary<float, float, fmax1>;
#endif

TPUC_INLINE uint32_t iadd(uint32_t a, uint32_t b) { return a + b; }
TPUC_INLINE uint32_t isub(uint32_t a, uint32_t b) { return a - b; }
TPUC_INLINE uint32_t imul(uint32_t a, uint32_t b) { return a * b; }
TPUC_INLINE uint32_t umulh(uint32_t a, uint32_t b) {
  return static_cast<uint32_t>((static_cast<uint64_t>(a) * b) >> 32);
}
TPUC_INLINE int32_t smin(int32_t a, int32_t b) { return a < b ? a : b; }
TPUC_INLINE int32_t smax(int32_t a, int32_t b) { return a > b ? a : b; }
TPUC_INLINE uint32_t umin(uint32_t a, uint32_t b) { return a < b ? a : b; }
TPUC_INLINE uint32_t umax(uint32_t a, uint32_t b) { return a > b ? a : b; }
TPUC_INLINE uint32_t iand(uint32_t a, uint32_t b) { return a & b; }
TPUC_INLINE uint32_t ior(uint32_t a, uint32_t b) { return a | b; }
TPUC_INLINE uint32_t ixor(uint32_t a, uint32_t b) { return a ^ b; }
TPUC_INLINE uint32_t shl(uint32_t a, uint32_t b) { return b < 32 ? a << (b & 31) : 0; }
TPUC_INLINE uint32_t shru(uint32_t a, uint32_t b) { return b < 32 ? a >> (b & 31) : 0; }
TPUC_INLINE uint32_t shrs(uint32_t a, uint32_t b) {
  return static_cast<uint32_t>(static_cast<int32_t>(a) >> (b < 31 ? b : 31));
}
TPUC_INLINE uint32_t popcount(uint32_t a) {
  a -= (a >> 1) & 0x55555555;
  a = (a & 0x33333333) + ((a >> 2) & 0x33333333);
  return (((a + (a >> 4)) & 0x0f0f0f0f) * 0x01010101) >> 24;
}
#if defined(__AVX512CD__)
TPUC_INLINE uint32_t leadingZeros(uint32_t a) { return a ? static_cast<uint32_t>(__builtin_clz(a)) : 32; }
#else
TPUC_INLINE uint32_t leadingZeros(uint32_t a) {
  a |= a >> 1;
  a |= a >> 2;
  a |= a >> 4;
  a |= a >> 8;
  a |= a >> 16;
  return 32 - popcount(a);
}
#endif

template <typename T>
TPUC_INLINE bool eq(T a, T b) {
  return a == b;
}
template <typename T>
TPUC_INLINE bool ne(T a, T b) {
  return a != b;
}
template <typename T>
TPUC_INLINE bool lt(T a, T b) {
  return a < b;
}
template <typename T>
TPUC_INLINE bool le(T a, T b) {
  return a <= b;
}
TPUC_INLINE uint8_t mand(uint8_t a, uint8_t b) { return a & b; }
TPUC_INLINE uint8_t mor(uint8_t a, uint8_t b) { return a | b; }
TPUC_INLINE uint8_t mxor(uint8_t a, uint8_t b) { return a ^ b; }

struct Fma {
  template <int kCount, typename I>
  TPUC_INLINE void run(Core &core, const I &i, int first) {
    float *to = lanesOf<float>(core, i.dst) + first;
    const float *a = lanesOf<float>(core, i.a) + first, *b = lanesOf<float>(core, i.b) + first,
                *c = lanesOf<float>(core, i.c) + first;
#pragma GCC ivdep
    for (int l = 0; l < kCount; ++l) to[l] = canonical(fma1(a[l], b[l], c[l]));
  }
};

struct Select {
  template <int kCount, typename I>
  TPUC_INLINE void run(Core &core, const I &i, int first) {
    uint32_t *to = lanesOf<uint32_t>(core, i.dst) + first;
    const uint8_t *m = maskOf(core, i.a) + first;
    const uint32_t *b = lanesOf<uint32_t>(core, i.b) + first, *c = lanesOf<uint32_t>(core, i.c) + first;
#pragma GCC ivdep
    for (int l = 0; l < kCount; ++l) to[l] = m[l] ? b[l] : c[l];
  }
};

struct Constant {
  template <int kCount, typename I>
  TPUC_INLINE void run(Core &core, const I &i, int first) {
    fill<kCount>(core, i.dst, first, static_cast<uint32_t>(i.imm));
  }
};
static const DInst *vsplat(Core &core, const DInst *i) {
  fill<kLaneCount>(core, i->dst, 0, static_cast<uint32_t>(core.s[i->a]));
  return i + 1;
}
static void splatStrip(Core &core, const StripOp &i, int first) {
  fill<kStripLanes>(core, i.dst, first, static_cast<uint32_t>(core.slots[i.slot]));
}

struct Move {
  template <int kCount, typename I>
  TPUC_INLINE void run(Core &core, const I &i, int first) {
    if (i.dst != i.a)
      __builtin_memcpy(lanesOf<uint32_t>(core, i.dst) + first, lanesOf<uint32_t>(core, i.a) + first, kCount * 4);
  }
};
struct LaneId {
  template <int kCount, typename I>
  TPUC_INLINE void run(Core &core, const I &i, int first) {
    uint32_t *to = lanesOf<uint32_t>(core, i.dst) + first;
    for (int l = 0; l < kCount; ++l) to[l] = l % isa::kLanes;  // strips begin with a sublane
  }
};
struct SublaneId {
  template <int kCount, typename I>
  TPUC_INLINE void run(Core &core, const I &i, int first) {
    uint32_t *to = lanesOf<uint32_t>(core, i.dst) + first;
    for (int l = 0; l < kCount; ++l) to[l] = (first + l) / isa::kLanes;
  }
};
struct MaskConstant {
  template <int kCount, typename I>
  TPUC_INLINE void run(Core &core, const I &i, int first) {
    __builtin_memset(maskOf(core, i.dst) + first, static_cast<int>(i.imm), kCount);
  }
};
static const DInst *vtos(Core &core, const DInst *i) {
  core.s[i->dst] = *lanesOf<int32_t>(core, i->a);
  core.scalarsFromData = true;
  return i + 1;
}

// Loads and stores of a vreg: 8 words, `aux` words apart. A strip has the first word's address in its slot.
// Of each word the first `count` lanes, and zeros beyond, up to lane `wanted`.
TPUC_INLINE void loadWords(uint8_t *to, const uint8_t *from, int64_t stride, int words, int count,
                           int wanted = isa::kLanes) {
  if (stride == 1 && words == isa::kSublanes && count == isa::kLanes && wanted == isa::kLanes) {
    __builtin_memcpy(to, from, isa::kVregBytes);
    return;
  }
  for (int s = 0; s < words; ++s, to += isa::kWordBytes, from += stride * isa::kWordBytes) {
    if (count == isa::kLanes && wanted == isa::kLanes) {
      __builtin_memcpy(to, from, isa::kWordBytes);
      continue;
    }
    const int read = count < wanted ? count : wanted;
    __builtin_memcpy(to, from, static_cast<size_t>(read) * 4);
    __builtin_memset(to + read * 4, 0, static_cast<size_t>(wanted - read) * 4);
  }
}

// `mask`: of the first word's lanes, or null. Of each word the first `count` lanes.
TPUC_INLINE void storeWords(uint8_t *to, const uint8_t *from, const uint8_t *mask, int64_t stride, int words,
                            int count) {
  if (!mask && stride == 1 && words == isa::kSublanes && count == isa::kLanes) {
    __builtin_memcpy(to, from, isa::kVregBytes);
    return;
  }
  for (int s = 0; s < words; ++s, from += isa::kWordBytes, to += stride * isa::kWordBytes) {
    if (!mask) {
      __builtin_memcpy(to, from, static_cast<size_t>(count) * 4);
      continue;
    }
    uint32_t *lanes = reinterpret_cast<uint32_t *>(to);
    const uint32_t *values = reinterpret_cast<const uint32_t *>(from);
#pragma GCC ivdep
    for (int l = 0; l < count; ++l) lanes[l] = mask[s * isa::kLanes + l] ? values[l] : lanes[l];
  }
}

static const DInst *vld(Core &core, const DInst *i) {
  int64_t word = vmemWord(core, core.s[i->a], i->imm, i->aux);
  if (word < 0) return stop(core, i, "v.ld outside of VMEM");
  loadWords(lanesOf<uint8_t>(core, i->dst), vmemSource(core, word, i->aux), i->aux, isa::kSublanes, i->lanes,
            i->resultLanes);
  return i + 1;
}
static const DInst *vst(Core &core, const DInst *i) {
  int64_t word = vmemWord(core, core.s[i->b], i->imm, i->aux);
  if (word < 0) return stop(core, i, "v.st outside of VMEM");
  const bool all = i->m == kNone && i->sublanes == isa::kSublanes && i->lanes == isa::kLanes;
  storeWords(vmemTarget(core, word, i->aux, all), lanesOf<uint8_t>(core, i->a),
             i->m == kNone ? nullptr : maskOf(core, i->m), i->aux, i->sublanes, i->lanes);
  return i + 1;
}

static void loadStrip(Core &core, const StripOp &i, int first) {
  const uint8_t *from =
      reinterpret_cast<const uint8_t *>(core.slots[i.slot]) + first / isa::kLanes * i.imm * isa::kWordBytes;
  loadWords(lanesOf<uint8_t>(core, i.dst) + first * 4, from, i.imm, kStripLanes / isa::kLanes, i.lanes);
}
static void storeStrip(Core &core, const StripOp &i, int first) {
  uint8_t *to = reinterpret_cast<uint8_t *>(core.slots[i.slot]) + first / isa::kLanes * i.imm * isa::kWordBytes;
  const uint8_t *mask = i.m == kNone ? nullptr : maskOf(core, i.m) + first;
  const int left = i.sublanes - first / isa::kLanes,
            words = left < kStripLanes / isa::kLanes ? left : kStripLanes / isa::kLanes;
  storeWords(to, lanesOf<uint8_t>(core, i.a) + first * 4, mask, i.imm, words, i.lanes);
}
