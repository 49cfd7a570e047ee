// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cross-lane unit's instructions, for one CPU level: included inside the level's namespace.
TPUC_INLINE int64_t amount(Core &core, const DInst *i) { return i->b == kNone ? i->imm : core.s[i->b]; }

#if defined(__AVX512F__)
static const DInst *rotLane(Core &core, const DInst *i) {
  const int by = static_cast<int>(static_cast<uint32_t>(amount(core, i)) % isa::kLanes), blocks = by / 16;
  // 16 lanes of the result come from two blocks that follow one another.
  const __m512i index = _mm512_add_epi32(_mm512_set1_epi32(16 - by % 16),
                                         _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  const uint32_t *source = sourceOf(core, i, 0, i->a);
  const int read = i->from[0] / 16, wanted = i->resultLanes / 16;
  for (int s = 0; s < isa::kSublanes; ++s) {
    const uint32_t *from = source + s * isa::kLanes;
    uint32_t *to = lanesOf<uint32_t>(core, i->dst) + s * isa::kLanes;
    __m512i block[8];
    for (int k = 0; k < 8; ++k) block[k] = k < read ? _mm512_loadu_si512(from + 16 * k) : _mm512_setzero_si512();
    for (int k = 0; k < wanted; ++k) {
      const int last = (k + 8 - blocks) % 8;
      _mm512_store_si512(to + k * 16, _mm512_permutex2var_epi32(block[(last + 7) % 8], index, block[last]));
    }
  }
  return i + 1;
}
#else
static const DInst *rotLane(Core &core, const DInst *i) {
  // Each row twice, of which a row begins anywhere: copies of unknown length would be string instructions.
  uint32_t by = static_cast<uint32_t>(amount(core, i)) % isa::kLanes;
  alignas(64) uint32_t twice[isa::kSublanes][2 * isa::kLanes];
  const int read = i->from[0];
  for (int s = 0; s < isa::kSublanes; ++s)
    for (uint32_t *half : {twice[s], twice[s] + isa::kLanes}) {
      __builtin_memcpy(half, sourceOf(core, i, 0, i->a) + s * isa::kLanes, static_cast<size_t>(read) * 4);
      __builtin_memset(half + read, 0, static_cast<size_t>(isa::kLanes - read) * 4);
    }
  for (int s = 0; s < isa::kSublanes; ++s)
    __builtin_memcpy(lanesOf<uint32_t>(core, i->dst) + s * isa::kLanes, twice[s] + isa::kLanes - by, isa::kWordBytes);
  return i + 1;
}
#endif

static const DInst *rotSub(Core &core, const DInst *i) {
  uint32_t by = static_cast<uint32_t>(amount(core, i)) % isa::kSublanes;
  alignas(64) uint8_t copy[isa::kVregBytes];
  __builtin_memcpy(copy, lanesOf<uint8_t>(core, i->a), sizeof copy);
  uint8_t *to = lanesOf<uint8_t>(core, i->dst);
  for (uint32_t s = 0; s < isa::kSublanes; ++s)
    __builtin_memcpy(to + (s + by) % isa::kSublanes * isa::kWordBytes, copy + s * isa::kWordBytes, isa::kWordBytes);
  return i + 1;
}

static const DInst *bcastLane(Core &core, const DInst *i) {
  uint32_t lane = static_cast<uint32_t>(amount(core, i)) % isa::kLanes;
  for (int s = 0; s < isa::kSublanes; ++s) {
    uint32_t value = lanesOf<uint32_t>(core, i->a)[s * isa::kLanes + lane];
    uint32_t *to = lanesOf<uint32_t>(core, i->dst) + s * isa::kLanes;
    for (int l = 0; l < isa::kLanes; ++l) to[l] = value;
  }
  return i + 1;
}

static const DInst *bcastSub(Core &core, const DInst *i) {
  uint32_t s = static_cast<uint32_t>(amount(core, i)) % isa::kSublanes;
  alignas(64) uint8_t word[isa::kWordBytes];
  __builtin_memcpy(word, lanesOf<uint8_t>(core, i->a) + s * isa::kWordBytes, sizeof word);
  for (int t = 0; t < isa::kSublanes; ++t)
    __builtin_memcpy(lanesOf<uint8_t>(core, i->dst) + t * isa::kWordBytes, word, sizeof word);
  return i + 1;
}

#if defined(__AVX512F__)
// 16 of the 128 lanes at `row`, by the low 7 bits of `index`.
TPUC_INLINE __m512i pick(const __m512i *row, __m512i index) {
  __m512i q[4];
  for (int k = 0; k < 4; ++k) q[k] = _mm512_permutex2var_epi32(row[2 * k], index, row[2 * k + 1]);
  __mmask16 odd = _mm512_test_epi32_mask(index, _mm512_set1_epi32(32)),
            upper = _mm512_test_epi32_mask(index, _mm512_set1_epi32(64));
  return _mm512_mask_blend_epi32(upper, _mm512_mask_blend_epi32(odd, q[0], q[1]),
                                 _mm512_mask_blend_epi32(odd, q[2], q[3]));
}
static const DInst *permLane(Core &core, const DInst *i) {
  for (int s = 0; s < isa::kSublanes; ++s) {
    const uint32_t *a = lanesOf<uint32_t>(core, i->a) + s * isa::kLanes,
                   *b = lanesOf<uint32_t>(core, i->b) + s * isa::kLanes;
    __m512i row[8], out[8];
    for (int k = 0; k < 8; ++k) row[k] = _mm512_load_si512(a + 16 * k);
    for (int k = 0; k < 8; ++k) out[k] = pick(row, _mm512_load_si512(b + 16 * k));
    for (int k = 0; k < 8; ++k) _mm512_store_si512(lanesOf<uint32_t>(core, i->dst) + s * isa::kLanes + 16 * k, out[k]);
  }
  return i + 1;
}
#else
static const DInst *permLane(Core &core, const DInst *i) {
  alignas(64) uint32_t out[kLaneCount];
  const uint32_t *a = lanesOf<uint32_t>(core, i->a), *b = lanesOf<uint32_t>(core, i->b);
  for (int s = 0; s < isa::kSublanes; ++s)
    for (int l = 0; l < isa::kLanes; ++l)
      out[s * isa::kLanes + l] = a[s * isa::kLanes + b[s * isa::kLanes + l] % isa::kLanes];
  __builtin_memcpy(lanesOf<uint8_t>(core, i->dst), out, sizeof out);
  return i + 1;
}
#endif

static const DInst *permSub(Core &core, const DInst *i) {
  alignas(64) uint32_t out[kLaneCount];
  const uint32_t *a = lanesOf<uint32_t>(core, i->a), *b = lanesOf<uint32_t>(core, i->b);
  for (int l = 0; l < kLaneCount; ++l) out[l] = a[b[l] % isa::kSublanes * isa::kLanes + l % isa::kLanes];
  __builtin_memcpy(lanesOf<uint8_t>(core, i->dst), out, sizeof out);
  return i + 1;
}

// Contiguous lanes by halves: v[l] = fn(v[l], v[l + kHalf]) for l < kHalf.
template <int kHalf, typename T, T (*kFn)(T, T)>
TPUC_INLINE void halve(T *v) {
#pragma GCC ivdep
  for (int l = 0; l < kHalf; ++l) v[l] = kFn(v[l], v[l + kHalf]);
}

// By halving: lane l + lane l + 64, then + 32, ... The result is in every lane. From 16 lanes on the sublanes lie
// beside one another, [lane][sublane], so that there are always enough for a vector.
template <typename T, T (*kFn)(T, T)>
const DInst *reduceLanes(Core &core, const DInst *i) {
  alignas(64) T turned[16 * isa::kSublanes];
  for (int s = 0; s < isa::kSublanes; ++s) {
    alignas(64) T part[64];
    const T *a = lanesOf<T>(core, i->a) + s * isa::kLanes;
    for (int l = 0; l < 64; ++l) part[l] = kFn(a[l], a[l + 64]);
    halve<32, T, kFn>(part);
    halve<16, T, kFn>(part);
    for (int l = 0; l < 16; ++l) turned[l * isa::kSublanes + s] = part[l];
  }
  halve<64, T, kFn>(turned);
  halve<32, T, kFn>(turned);
  halve<16, T, kFn>(turned);
  halve<8, T, kFn>(turned);
  for (int s = 0; s < isa::kSublanes; ++s) {
    T *to = lanesOf<T>(core, i->dst) + s * isa::kLanes, value = turned[s];
    for (int l = 0; l < isa::kLanes; ++l) to[l] = value;
  }
  return i + 1;
}

template <typename T, T (*kFn)(T, T)>
const DInst *reduceSublanes(Core &core, const DInst *i) {
  alignas(64) T part[kLaneCount / 2];
  const T *a = lanesOf<T>(core, i->a);
  for (int l = 0; l < kLaneCount / 2; ++l) part[l] = kFn(a[l], a[l + kLaneCount / 2]);
  halve<256, T, kFn>(part);
  halve<128, T, kFn>(part);
  T *to = lanesOf<T>(core, i->dst);
  for (int s = 0; s < isa::kSublanes; ++s) __builtin_memcpy(to + s * isa::kLanes, part, isa::kWordBytes);
  return i + 1;
}

// Transpose buffers: imm is the row group, aux the buffer.
static const DInst *transposePush(Core &core, const DInst *i) {
  uint8_t *to = core.transpose + i->aux * kTransposeBytes + i->imm * isa::kVregBytes;
  __builtin_memcpy(to, core.source(i, 0, i->a), isa::kVregBytes);
  return i + 1;
}

#if defined(__AVX2__)
// Eight rows of eight lanes at `from`, `stride` lanes apart, as columns to `to`, 128 lanes apart.
TPUC_INLINE void transpose8x8(const float *from, int stride, float *to) {
  __m256 r[8], t[8];
  for (int k = 0; k < 8; ++k) r[k] = _mm256_loadu_ps(from + k * stride);
  for (int k = 0; k < 4; ++k) {
    t[2 * k] = _mm256_unpacklo_ps(r[2 * k], r[2 * k + 1]);
    t[2 * k + 1] = _mm256_unpackhi_ps(r[2 * k], r[2 * k + 1]);
  }
  for (int k = 0; k < 2; ++k) {
    r[4 * k] = _mm256_shuffle_ps(t[4 * k], t[4 * k + 2], 0x44);
    r[4 * k + 1] = _mm256_shuffle_ps(t[4 * k], t[4 * k + 2], 0xee);
    r[4 * k + 2] = _mm256_shuffle_ps(t[4 * k + 1], t[4 * k + 3], 0x44);
    r[4 * k + 3] = _mm256_shuffle_ps(t[4 * k + 1], t[4 * k + 3], 0xee);
  }
  for (int k = 0; k < 4; ++k) {
    _mm256_storeu_ps(to + k * isa::kLanes, _mm256_permute2f128_ps(r[k], r[k + 4], 0x20));
    _mm256_storeu_ps(to + (k + 4) * isa::kLanes, _mm256_permute2f128_ps(r[k], r[k + 4], 0x31));
  }
}
#else
TPUC_INLINE void transpose8x8(const float *from, int stride, float *to) {
  for (int r = 0; r < 8; ++r)
    for (int c = 0; c < 8; ++c) to[c * isa::kLanes + r] = from[r * stride + c];
}
#endif

static const DInst *transposePop(Core &core, const DInst *i) {
  const float *from =
      reinterpret_cast<const float *>(core.transpose + i->aux * kTransposeBytes) + i->imm * isa::kSublanes;
  float *to = lanesOf<float>(core, i->dst);
  for (int l = 0; l < isa::kLanes; l += 8) transpose8x8(from + l * isa::kLanes, isa::kLanes, to + l);
  return i + 1;
}
