// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over the 1,024 lanes of a vreg, for one CPU level: included inside the level's namespace. The compiler turns
// them into the level's vectors, so bodies are branch-free. Functions are static or forced inline: nothing compiled for
// one level may be linked into another.
// A destination may be the very same register as a source; lanes never depend on one another.
#define TPUC_INLINE static inline __attribute__((always_inline))

inline constexpr int kLaneCount = 1024;

template <typename To, typename From>
TPUC_INLINE To bitsAs(From from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}
TPUC_INLINE float canonical(float r) { return r == r ? r : __builtin_nanf(""); }

template <typename T>
TPUC_INLINE T *lanesOf(Core &core, int reg) {
  return static_cast<T *>(__builtin_assume_aligned(core.vreg(reg), 64));
}
TPUC_INLINE uint8_t *maskOf(Core &core, int reg) {
  return static_cast<uint8_t *>(__builtin_assume_aligned(core.mask(reg), 64));
}

// Operations made of a function of lanes: run<kCount>(core, operands, first) does lanes first .. first + kCount - 1.
// R: result lanes, A: source lanes.
template <typename R, typename A, R (*kFn)(A)>
struct Unary {
  template <int kCount, typename I>
  TPUC_INLINE void run(Core &core, const I &i, int first) {
    R *to = lanesOf<R>(core, i.dst) + first;
    const A *a = lanesOf<A>(core, i.a) + first;
#pragma GCC ivdep
    for (int l = 0; l < kCount; ++l) to[l] = kFn(a[l]);
  }
};

template <typename R, typename A, R (*kFn)(A, A)>
struct Binary {
  template <int kCount, typename I>
  TPUC_INLINE void run(Core &core, const I &i, int first) {
    R *to = lanesOf<R>(core, i.dst) + first;
    const A *a = lanesOf<A>(core, i.a) + first, *b = lanesOf<A>(core, i.b) + first;
#pragma GCC ivdep
    for (int l = 0; l < kCount; ++l) to[l] = kFn(a[l], b[l]);
  }
};

template <typename A, bool (*kFn)(A, A)>
struct Compare {
  template <int kCount, typename I>
  TPUC_INLINE void run(Core &core, const I &i, int first) {
    uint8_t *to = maskOf(core, i.dst) + first;
    const A *a = lanesOf<A>(core, i.a) + first, *b = lanesOf<A>(core, i.b) + first;
#pragma GCC ivdep
    for (int l = 0; l < kCount; ++l) to[l] = kFn(a[l], b[l]);
  }
};

template <uint8_t (*kFn)(uint8_t, uint8_t)>
struct MaskBinary {
  template <int kCount, typename I>
  TPUC_INLINE void run(Core &core, const I &i, int first) {
    uint8_t *to = maskOf(core, i.dst) + first;
    const uint8_t *a = maskOf(core, i.a) + first, *b = maskOf(core, i.b) + first;
#pragma GCC ivdep
    for (int l = 0; l < kCount; ++l) to[l] = kFn(a[l], b[l]);
  }
};

template <int kCount>
TPUC_INLINE void fill(Core &core, int reg, int first, uint32_t value) {
  uint32_t *to = lanesOf<uint32_t>(core, reg) + first;
  for (int l = 0; l < kCount; ++l) to[l] = value;
}

// An operation as a handler of whole vregs, and as one step of a strip.
template <typename Operation>
const DInst *whole(Core &core, const DInst *i) {
  Operation::template run<kLaneCount>(core, *i, 0);
  return i + 1;
}
template <typename Operation>
void strip(Core &core, const StripOp &i, int first) {
  Operation::template run<kStripLanes>(core, i, first);
}
