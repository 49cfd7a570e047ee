// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything a CPU level implements, for one level: included by level_*.cpp after defining TPUC_LEVEL, the namespace's
// name.
#include <algorithm>

#include "runtime/executor/core.h"
#include "runtime/executor/kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tpuc::exec::TPUC_LEVEL {

// clang-format off: each needs those before it
#include "runtime/executor/lanes.h"
#include "runtime/executor/fma.h"
#include "runtime/executor/alu.h"
#include "runtime/executor/convert.h"
#include "runtime/executor/eup_lanes.h"
#include "runtime/executor/eup_sine.h"
#include "runtime/executor/xlu.h"
#include "runtime/executor/simd.h"
#include "runtime/executor/mxu_forms.h"
#include "runtime/executor/mxu_vector.h"
// clang-format on

#if defined(__AVX512F__)
inline constexpr int kBlockRows = 8, kChainRows = 4, kBlockVecs = 2;
#elif defined(__AVX2__)
inline constexpr int kBlockRows = 4, kChainRows = 2, kBlockVecs = 2;
#else
inline constexpr int kBlockRows = 1, kChainRows = 1, kBlockVecs = 1;
#endif

[[gnu::noinline]] static void pieceF32(const Piece &p) {
  accumulate<kBlockRows, kBlockVecs, F32Form::kDwords, stepFma, add>(p);
}
[[gnu::noinline]] static void pieceInt8(const Piece &p) {
  accumulate<kBlockRows, kBlockVecs, PairInt16Form::kDwords, addPairs, addNothing>(p);
}
[[gnu::noinline]] static void pieceBf16(const Piece &p) {
  accumulateChains<kChainRows, kBlockVecs, WideBf16Form::kDwords, stepFlushFma>(p);
}
static void pushBf16(float *acc, uint8_t *weights, const uint8_t *a, const uint8_t *b, int side, UsedWeights &used,
                     uint16_t *touched) {
  FlushDenormals flush;
  push<WideBf16Form, kChainRows, kBlockVecs * kWidth, pieceBf16>(acc, weights, a, b, side, used, touched);
}
static void finishNothing(uint8_t *, int) {}

template <typename Operation>
void lanewise(Kernels &k, isa::Op op) {
  k.handlers[static_cast<int>(op)] = whole<Operation>;
  k.strips[static_cast<int>(op)] = strip<Operation>;
}
template <int kMode>
void setRound(Kernels &k) {
  using Round = Unary<float, float, round1<kMode>>;
  k.round[kMode] = whole<Round>;
  k.roundStrips[kMode] = strip<Round>;
}

static void setAlu(Kernels &k) {
  using enum isa::Op;
  k.handlers[static_cast<int>(VLd)] = vld;
  k.handlers[static_cast<int>(VSt)] = vst;
  lanewise<Constant>(k, VLi);
  k.handlers[static_cast<int>(VSplat)] = vsplat;
  lanewise<Move>(k, VMov);
  lanewise<LaneId>(k, VLaneId);
  lanewise<SublaneId>(k, VSubId);
  lanewise<Binary<float, float, fadd>>(k, VFAdd);
  lanewise<Binary<float, float, fsub>>(k, VFSub);
  lanewise<Binary<float, float, fmul>>(k, VFMul);
  lanewise<Fma>(k, VFma);
  lanewise<Min>(k, VFMin);
  lanewise<Max>(k, VFMax);
  lanewise<Binary<uint32_t, uint32_t, iadd>>(k, VAddI);
  lanewise<Binary<uint32_t, uint32_t, isub>>(k, VSubI);
  lanewise<Binary<uint32_t, uint32_t, imul>>(k, VMulI);
  lanewise<Binary<uint32_t, uint32_t, umulh>>(k, VMulhU);
  lanewise<Binary<int32_t, int32_t, smin>>(k, VMinI);
  lanewise<Binary<int32_t, int32_t, smax>>(k, VMaxI);
  lanewise<Binary<uint32_t, uint32_t, umin>>(k, VMinU);
  lanewise<Binary<uint32_t, uint32_t, umax>>(k, VMaxU);
  lanewise<Binary<uint32_t, uint32_t, iand>>(k, VAnd);
  lanewise<Binary<uint32_t, uint32_t, ior>>(k, VOr);
  lanewise<Binary<uint32_t, uint32_t, ixor>>(k, VXor);
  lanewise<Binary<uint32_t, uint32_t, shl>>(k, VShl);
  lanewise<Binary<uint32_t, uint32_t, shrs>>(k, VShr);
  lanewise<Binary<uint32_t, uint32_t, shru>>(k, VShru);
  lanewise<Unary<uint32_t, uint32_t, popcount>>(k, VPopcnt);
  lanewise<Unary<uint32_t, uint32_t, leadingZeros>>(k, VClz);
  lanewise<Select>(k, VSel);
  lanewise<Compare<float, eq<float>>>(k, VEqF);
  lanewise<Compare<float, ne<float>>>(k, VNeF);
  lanewise<Compare<float, lt<float>>>(k, VLtF);
  lanewise<Compare<float, le<float>>>(k, VLeF);
  lanewise<Compare<int32_t, eq<int32_t>>>(k, VEqI);
  lanewise<Compare<int32_t, ne<int32_t>>>(k, VNeI);
  lanewise<Compare<int32_t, lt<int32_t>>>(k, VLtI);
  lanewise<Compare<int32_t, le<int32_t>>>(k, VLeI);
  lanewise<Compare<uint32_t, lt<uint32_t>>>(k, VLtU);
  lanewise<Compare<uint32_t, le<uint32_t>>>(k, VLeU);
  lanewise<MaskConstant>(k, MLi);
  lanewise<MaskBinary<mand>>(k, MAnd);
  lanewise<MaskBinary<mor>>(k, MOr);
  lanewise<MaskBinary<mxor>>(k, MXor);
  k.handlers[static_cast<int>(VToS)] = vtos;
}

static void setConvert(Kernels &k) {
  using enum isa::Op;
  lanewise<Unary<int32_t, float, toS32>>(k, VF2I);
  lanewise<Unary<uint32_t, float, toU32>>(k, VF2U);
  lanewise<Unary<float, int32_t, fromS32>>(k, VI2F);
  lanewise<Unary<float, uint32_t, fromU32>>(k, VU2F);
  lanewise<Unary<uint32_t, float, toBf16>>(k, VF2B);
  lanewise<Unary<uint32_t, float, toF16>>(k, VF2H);
  lanewise<Unary<float, uint32_t, fromF16>>(k, VH2F);
  k.handlers[static_cast<int>(VPackB)] = pack16<narrowBf16>;
  k.handlers[static_cast<int>(VUnpackB)] = unpackBf16;
  k.handlers[static_cast<int>(VPack16)] = pack16<narrow16>;
  k.handlers[static_cast<int>(VUnpack16)] = unpack16;
  k.handlers[static_cast<int>(VPack8)] = pack8;
  k.handlers[static_cast<int>(VUnpack8)] = unpack8;
}

static void setEupAndXlu(Kernels &k) {
  using enum isa::Op;
  lanewise<Unary<float, float, exp2Lane>>(k, EExp2);
  lanewise<Unary<float, float, log2Lane>>(k, ELog2);
  lanewise<Unary<float, float, tanhLane>>(k, ETanh);
  lanewise<Sine<0>>(k, ESin);
  lanewise<Sine<1>>(k, ECos);
  lanewise<Unary<float, float, rcpLane>>(k, ERcp);
  lanewise<Unary<float, float, rsqrtLane>>(k, ERsqrt);
  k.handlers[static_cast<int>(XRotLane)] = rotLane;
  k.handlers[static_cast<int>(XRotSub)] = rotSub;
  k.handlers[static_cast<int>(XBcastLane)] = bcastLane;
  k.handlers[static_cast<int>(XBcastSub)] = bcastSub;
  k.handlers[static_cast<int>(XPermLane)] = permLane;
  k.handlers[static_cast<int>(XPermSub)] = permSub;
  k.handlers[static_cast<int>(XSumLaneF)] = reduceLanes<float, fadd>;
  k.handlers[static_cast<int>(XMinLaneF)] = reduceLanes<float, fmin1>;
  k.handlers[static_cast<int>(XMaxLaneF)] = reduceLanes<float, fmax1>;
  k.handlers[static_cast<int>(XSumSubF)] = reduceSublanes<float, fadd>;
  k.handlers[static_cast<int>(XMinSubF)] = reduceSublanes<float, fmin1>;
  k.handlers[static_cast<int>(XMaxSubF)] = reduceSublanes<float, fmax1>;
  k.handlers[static_cast<int>(XSumLaneI)] = reduceLanes<uint32_t, iadd>;
  k.handlers[static_cast<int>(XMinLaneI)] = reduceLanes<int32_t, smin>;
  k.handlers[static_cast<int>(XMaxLaneI)] = reduceLanes<int32_t, smax>;
  k.handlers[static_cast<int>(XSumSubI)] = reduceSublanes<uint32_t, iadd>;
  k.handlers[static_cast<int>(XTrPush)] = transposePush;
  k.handlers[static_cast<int>(XTrPop)] = transposePop;
}

static Kernels makeKernels(const char *name) {
  Kernels k{};
  k.name = name;
#if defined(__AVX512F__)
  k.generates = true;
#endif
  setAlu(k);
  setConvert(k);
  setEupAndXlu(k);
  setRound<0>(k);
  setRound<1>(k);
  setRound<2>(k);
  setRound<3>(k);
  setRound<4>(k);
  k.strips[static_cast<int>(isa::Op::VLd)] = loadStrip;
  k.strips[static_cast<int>(isa::Op::VSt)] = storeStrip;
  k.strips[static_cast<int>(isa::Op::VSplat)] = splatStrip;
  k.mxu = {loadWeights<WideBf16Form>,
           loadWeights<PairInt16Form>,
           loadWeights<F32Form>,
           zeroUnits<WideBf16Form>,
           zeroUnits<PairInt16Form>,
           zeroUnits<F32Form>,
           finishNothing,
           pushBf16,
           push<PairInt16Form, kBlockRows, kBlockVecs * kWidth, pieceInt8>,
           push<F32Form, kBlockRows, kBlockVecs * kWidth, pieceF32>,
           popGroup};
  return k;
}

}  // namespace tpuc::exec::TPUC_LEVEL
