// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix unit on CPUs with AVX512_BF16 and VNNI. vdpbf16ps adds two products a lane, the high halves' first, each a
// rounded FMA with denormals as zeros: two links of one chain (mxu_forms.h) of the bf16 mode, when the operands are in
// ChainBf16Form. Where that takes longer than two FMAs of lanes (Sapphire Rapids: twice as long), bf16 stays as at the
// level before.
#if defined(__AVX512BF16__) && defined(__AVX512VNNI__)
#define TPUC_LEVEL avx512bf16
#include <immintrin.h>

#include <algorithm>
#include <chrono>

#include "runtime/executor/core.h"
#include "runtime/executor/kernels.h"

namespace tpuc::exec::TPUC_LEVEL {

// clang-format off: each needs those before it
#include "runtime/executor/lanes.h"
#include "runtime/executor/fma.h"
#include "runtime/executor/simd.h"
#include "runtime/executor/mxu_forms.h"
#include "runtime/executor/mxu_vector.h"
// clang-format on

TPUC_INLINE Vec stepPairs(Vec sum, Vec a, Vec w) {
  return _mm512_dpbf16_ps(sum, bitsAs<__m512bh>(a), bitsAs<__m512bh>(w));
}
[[gnu::noinline]] static void pieceBf16(const Piece &p) {
  accumulateChains<4, 2, ChainBf16Form::kDwords, stepPairs>(p);
}
static void pushBf16(float *acc, uint8_t *weights, const uint8_t *a, const uint8_t *b, int side, UsedWeights &used,
                     uint16_t *touched) {
  FlushDenormals flush;
  push<ChainBf16Form, 4, 2 * kWidth, pieceBf16>(acc, weights, a, b, side, used, touched);
}

// How long a few of a push's pieces take, the best of some tries.
static std::chrono::steady_clock::duration timeOf(void (*piece)(const Piece &)) {
  constexpr int kTries = 8, kPieces = 16, kSide = 128;
  alignas(64) static float zeros[kSide * weightStride(kSide)], sums[4 * kSide];
  auto best = std::chrono::steady_clock::duration::max();
  for (int t = 0; t < kTries; ++t) {
    auto start = std::chrono::steady_clock::now();
    for (int n = 0; n < kPieces; ++n) piece({sums, zeros, zeros, kSide, weightStride(kSide), kAllBlocks, zeros});
    best = std::min(best, std::chrono::steady_clock::now() - start);
  }
  return best;
}
// Two products at once take as long as four FMAs on some CPUs, on others as one.
[[gnu::noinline]] static void pieceWide(const Piece &p) {
  accumulateChains<4, 2, WideBf16Form::kDwords, stepFlushFma>(p);
}
static bool pairsPay() { return timeOf(pieceBf16) < timeOf(pieceWide); }

// VNNI multiplies unsigned by signed bytes: activations get 128 added, and the accumulators 128 times the columns' sums
// subtracted. The sums lie behind the weights, one line for each 128 k.
struct OffsetInt8Form : QuadInt8Form {
  static void rows(const uint8_t *vreg, uint32_t *out, unsigned) {
    QuadInt8Form::rows(vreg, out);
    for (int i = 0; i < kRows * kDwords; ++i) out[i] ^= 0x80808080;
  }
};
TPUC_INLINE Vec stepQuads(Vec sum, Vec a, Vec w) {
  return _mm512_castsi512_ps(
      _mm512_dpbusd_epi32(_mm512_castps_si512(sum), _mm512_castps_si512(a), _mm512_castps_si512(w)));
}
[[gnu::noinline]] static void pieceInt8(const Piece &p) {
  accumulate<8, 2, OffsetInt8Form::kDwords, stepQuads, addNothing>(p);
}
static void finishInt8(uint8_t *weights, int side) {
  const uint32_t *w = reinterpret_cast<const uint32_t *>(weights);
  uint32_t *sums = reinterpret_cast<uint32_t *>(weights) + side * weightStride(side);
  for (int n = 0; n < side; ++n) sums[n] = 0;
  for (int d = 0; d < side / 4; ++d, w += weightStride(side))
    for (int n = 0; n < side; ++n)
      for (int part = 0; part < 4; ++part) sums[n] += static_cast<uint32_t>(static_cast<int8_t>(w[n] >> (8 * part)));
}
static void pushInt8(float *acc, uint8_t *weights, const uint8_t *a, const uint8_t *b, int side, UsedWeights &used,
                     uint16_t *touched) {
  const uint32_t *sums = reinterpret_cast<const uint32_t *>(weights) + side * weightStride(side);
  uint32_t *to = reinterpret_cast<uint32_t *>(acc);
  for (int r = 0; r < OffsetInt8Form::kRows; ++r, to += side)
    for (int n = 0; n < side; ++n) to[n] -= 128 * sums[n];
  push<OffsetInt8Form, 8, 2 * kWidth, pieceInt8>(acc, weights, a, b, side, used, touched);
}

// The instruction takes denormals for zeros and keeps a NaN's sign: where there are such lanes, as the definition says.
TPUC_INLINE __m512i narrow(__m512i bits) {
  __m512i even = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
  __m512i rounded = _mm512_srli_epi32(_mm512_add_epi32(bits, _mm512_add_epi32(even, _mm512_set1_epi32(0x7fff))), 16);
  __m512 value = _mm512_castsi512_ps(bits);
  return _mm512_mask_mov_epi32(rounded, _mm512_cmp_ps_mask(value, value, _CMP_UNORD_Q), _mm512_set1_epi32(0x7fc0));
}
TPUC_INLINE __m512i narrowPair(const uint32_t *low, const uint32_t *high, __m512i interleave) {
  constexpr int kNanOrDenormal = 0xa1;
  __m512 l = _mm512_loadu_ps(low), h = _mm512_loadu_ps(high);
  if (_mm512_fpclass_ps_mask(l, kNanOrDenormal) | _mm512_fpclass_ps_mask(h, kNanOrDenormal)) [[unlikely]]
    return _mm512_or_si512(narrow(_mm512_castps_si512(l)), _mm512_slli_epi32(narrow(_mm512_castps_si512(h)), 16));
  return _mm512_permutexvar_epi16(interleave, bitsAs<__m512i>(_mm512_cvtne2ps_pbh(h, l)));
}
static const DInst *packBf16(Core &core, const DInst *i) {
  const uint32_t *sources[2] = {reinterpret_cast<const uint32_t *>(core.source(i, 0, i->a)),
                                reinterpret_cast<const uint32_t *>(core.source(i, 1, i->b))};
  __m512i interleave = _mm512_set1_epi32(16 << 16);
  interleave = _mm512_add_epi32(
      interleave, _mm512_mullo_epi32(_mm512_set1_epi32(0x10001),
                                     _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)));
  alignas(64) uint32_t copy[isa::kVregBytes / 4];
  uint32_t *result = lanesOf<uint32_t>(core, i->dst), *out = sources[1] == result ? copy : result;
  for (int w = 0; w < isa::kSublanes; ++w) {
    const uint32_t *low = sources[w / 4] + (2 * w % 8) * isa::kLanes, *high = low + isa::kLanes;
    const int lanes = std::min(i->from[w / 4], i->resultLanes);
    for (int l = 0; l < lanes; l += kLaneGroup)
      _mm512_store_si512(out + w * isa::kLanes + l, narrowPair(low + l, high + l, interleave));
    for (int l = lanes; l < i->resultLanes; l += kLaneGroup)
      _mm512_store_si512(out + w * isa::kLanes + l, _mm512_setzero_si512());
  }
  if (out != result) __builtin_memcpy(result, copy, sizeof copy);
  return i + 1;
}

}  // namespace tpuc::exec::TPUC_LEVEL

namespace tpuc::exec {

Handler avx512Bf16Pack() { return avx512bf16::packBf16; }

static MxuKernels makeKernels(bool pairs) {
  using namespace avx512bf16;
  MxuKernels kernels = avx512Kernels()->mxu;
  kernels.loadInt8 = loadWeights<QuadInt8Form>;
  kernels.zeroInt8 = zeroUnits<QuadInt8Form>;
  kernels.finishInt8 = finishInt8;
  kernels.pushInt8 = pushInt8;
  if (!pairs) return kernels;
  kernels.loadBf16 = loadWeights<ChainBf16Form>;
  kernels.zeroBf16 = zeroUnits<ChainBf16Form>;
  kernels.pushBf16 = pushBf16;
  return kernels;
}

const MxuKernels *avx512Bf16Pairs() {
  static const MxuKernels kernels = makeKernels(true);
  return &kernels;
}

const MxuKernels *avx512Bf16Kernels() {
  static const MxuKernels kernels = makeKernels(avx512bf16::pairsPay());
  return &kernels;
}

}  // namespace tpuc::exec
#else
#include "runtime/executor/kernels.h"
namespace tpuc::exec {
const MxuKernels *avx512Bf16Kernels() { return nullptr; }
const MxuKernels *avx512Bf16Pairs() { return nullptr; }
Handler avx512Bf16Pack() { return nullptr; }
}  // namespace tpuc::exec
#endif
