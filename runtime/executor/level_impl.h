// Everything a CPU level implements, for one level: included by level_*.cpp after defining TPUC_LEVEL, the namespace's name.
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
#include "runtime/executor/eup.h"
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

static void blockF32(float *acc, const float *w, const float *a, int side) {
  accumulate<kBlockRows, kBlockVecs, F32Form::kDwords, stepFma>(acc, w, a, side);
}
static void blockInt8(float *acc, const float *w, const float *a, int side) {
  accumulate<kBlockRows, kBlockVecs, PairInt16Form::kDwords, addPairs>(acc, w, a, side);
}
static void blockBf16(float *acc, const float *w, const float *a, int side) {
  accumulateChains<kChainRows, kBlockVecs, WideBf16Form::kDwords, 32, stepFlushFma>(acc, w, a, side);
}
static void pushBf16(float *acc, const uint8_t *weights, const uint8_t *a, const uint8_t *b, int side) {
  FlushDenormals flush;
  push<WideBf16Form, kChainRows, kBlockVecs * kWidth, blockBf16>(acc, weights, a, b, side);
}
static void finishNothing(uint8_t *, int) {}

static void setAlu(Handler *h) {
  using enum isa::Op;
  auto set = [h](isa::Op op, Handler fn) { h[static_cast<int>(op)] = fn; };
  set(VLd, vld), set(VSt, vst), set(VLi, vli), set(VSplat, vsplat), set(VMov, vmov), set(VLaneId, vlaneid), set(VSubId, vsubid);
  set(VFAdd, binary<float, float, fadd>), set(VFSub, binary<float, float, fsub>), set(VFMul, binary<float, float, fmul>), set(VFma, vfma);
  set(VFMin, binary<float, float, fmin1>), set(VFMax, binary<float, float, fmax1>);
  set(VAddI, binary<uint32_t, uint32_t, iadd>), set(VSubI, binary<uint32_t, uint32_t, isub>), set(VMulI, binary<uint32_t, uint32_t, imul>);
  set(VMulhU, binary<uint32_t, uint32_t, umulh>), set(VMinI, binary<int32_t, int32_t, smin>), set(VMaxI, binary<int32_t, int32_t, smax>);
  set(VMinU, binary<uint32_t, uint32_t, umin>), set(VMaxU, binary<uint32_t, uint32_t, umax>), set(VAnd, binary<uint32_t, uint32_t, iand>);
  set(VOr, binary<uint32_t, uint32_t, ior>), set(VXor, binary<uint32_t, uint32_t, ixor>), set(VShl, binary<uint32_t, uint32_t, shl>);
  set(VShr, binary<uint32_t, uint32_t, shrs>), set(VShru, binary<uint32_t, uint32_t, shru>), set(VPopcnt, unary<uint32_t, uint32_t, popcount>);
  set(VClz, unary<uint32_t, uint32_t, leadingZeros>), set(VSel, vsel);
  set(VEqF, compare<float, eq<float>>), set(VNeF, compare<float, ne<float>>), set(VLtF, compare<float, lt<float>>), set(VLeF, compare<float, le<float>>);
  set(VEqI, compare<int32_t, eq<int32_t>>), set(VNeI, compare<int32_t, ne<int32_t>>), set(VLtI, compare<int32_t, lt<int32_t>>);
  set(VLeI, compare<int32_t, le<int32_t>>), set(VLtU, compare<uint32_t, lt<uint32_t>>), set(VLeU, compare<uint32_t, le<uint32_t>>);
  set(MLi, mli), set(MAnd, maskBinary<mand>), set(MOr, maskBinary<mor>), set(MXor, maskBinary<mxor>), set(VToS, vtos);
}

static void setConvert(Handler *h) {
  using enum isa::Op;
  auto set = [h](isa::Op op, Handler fn) { h[static_cast<int>(op)] = fn; };
  set(VF2I, unary<int32_t, float, toS32>), set(VF2U, unary<uint32_t, float, toU32>), set(VI2F, unary<float, int32_t, fromS32>);
  set(VU2F, unary<float, uint32_t, fromU32>), set(VF2B, unary<uint32_t, float, toBf16>), set(VF2H, unary<uint32_t, float, toF16>);
  set(VH2F, unary<float, uint32_t, fromF16>), set(VPackB, pack16<narrowBf16>), set(VUnpackB, unpackBf16), set(VPack16, pack16<narrow16>);
  set(VUnpack16, unpack16), set(VPack8, pack8), set(VUnpack8, unpack8);
}

static void setEupAndXlu(Handler *h) {
  using enum isa::Op;
  auto set = [h](isa::Op op, Handler fn) { h[static_cast<int>(op)] = fn; };
  set(EExp2, unary<float, float, exp2f1>), set(ELog2, unary<float, float, log2f1>), set(ETanh, unary<float, float, tanhf1>);
  set(ESin, sine<0>), set(ECos, sine<1>), set(ERcp, unary<float, float, rcpf1>), set(ERsqrt, unary<float, float, rsqrtf1>);
  set(XRotLane, rotLane), set(XRotSub, rotSub), set(XBcastLane, bcastLane), set(XBcastSub, bcastSub), set(XPermLane, permLane), set(XPermSub, permSub);
  set(XSumLaneF, reduceLanes<float, fadd>), set(XMinLaneF, reduceLanes<float, fmin1>), set(XMaxLaneF, reduceLanes<float, fmax1>);
  set(XSumSubF, reduceSublanes<float, fadd>), set(XMinSubF, reduceSublanes<float, fmin1>), set(XMaxSubF, reduceSublanes<float, fmax1>);
  set(XSumLaneI, reduceLanes<uint32_t, iadd>), set(XMinLaneI, reduceLanes<int32_t, smin>), set(XMaxLaneI, reduceLanes<int32_t, smax>);
  set(XSumSubI, reduceSublanes<uint32_t, iadd>), set(XTrPush, transposePush), set(XTrPop, transposePop);
}

static Kernels makeKernels(const char *name) {
  Kernels k{};
  k.name = name;
  setAlu(k.handlers);
  setConvert(k.handlers);
  setEupAndXlu(k.handlers);
  Handler round[] = {unary<float, float, round1<0>>, unary<float, float, round1<1>>, unary<float, float, round1<2>>, unary<float, float, round1<3>>,
                     unary<float, float, round1<4>>};
  __builtin_memcpy(k.round, round, sizeof round);
  k.mxu = {loadWeights<WideBf16Form>, loadWeights<PairInt16Form>, loadWeights<F32Form>, finishNothing, pushBf16,
           push<PairInt16Form, kBlockRows, kBlockVecs * kWidth, blockInt8>, push<F32Form, kBlockRows, kBlockVecs * kWidth, blockF32>,
           popGroup};
  return k;
}

}  // namespace tpuc::exec::TPUC_LEVEL
