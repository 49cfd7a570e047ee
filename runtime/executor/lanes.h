// Loops over the 1,024 lanes of a vreg, for one CPU level: included inside the level's namespace. The compiler turns them
// into the level's vectors, so bodies are branch-free. Functions are static or forced inline: nothing compiled for one
// level may be linked into another.
// A destination may be the very same register as a source; lanes never depend on one another.
#define TPUC_INLINE static inline __attribute__((always_inline))

inline constexpr int kLaneCount = 1024;

template <typename To, typename From> TPUC_INLINE To bitsAs(From from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}
TPUC_INLINE float canonical(float r) { return r == r ? r : __builtin_nanf(""); }

template <typename T> TPUC_INLINE T *lanesOf(Core &core, int reg) {
  return static_cast<T *>(__builtin_assume_aligned(core.vreg(reg), 64));
}
TPUC_INLINE uint8_t *maskOf(Core &core, int reg) { return static_cast<uint8_t *>(__builtin_assume_aligned(core.mask(reg), 64)); }

// Handlers made of a function of lanes. R: result lanes, A: source lanes.
template <typename R, typename A, R (*kFn)(A)> const DInst *unary(Core &core, const DInst *i) {
  R *to = lanesOf<R>(core, i->dst);
  const A *a = lanesOf<A>(core, i->a);
#pragma GCC ivdep
  for (int l = 0; l < kLaneCount; ++l) to[l] = kFn(a[l]);
  return i + 1;
}

template <typename R, typename A, R (*kFn)(A, A)> const DInst *binary(Core &core, const DInst *i) {
  R *to = lanesOf<R>(core, i->dst);
  const A *a = lanesOf<A>(core, i->a), *b = lanesOf<A>(core, i->b);
#pragma GCC ivdep
  for (int l = 0; l < kLaneCount; ++l) to[l] = kFn(a[l], b[l]);
  return i + 1;
}

template <typename A, bool (*kFn)(A, A)> const DInst *compare(Core &core, const DInst *i) {
  uint8_t *to = maskOf(core, i->dst);
  const A *a = lanesOf<A>(core, i->a), *b = lanesOf<A>(core, i->b);
#pragma GCC ivdep
  for (int l = 0; l < kLaneCount; ++l) to[l] = kFn(a[l], b[l]);
  return i + 1;
}

template <uint8_t (*kFn)(uint8_t, uint8_t)> const DInst *maskBinary(Core &core, const DInst *i) {
  uint8_t *to = maskOf(core, i->dst);
  const uint8_t *a = maskOf(core, i->a), *b = maskOf(core, i->b);
#pragma GCC ivdep
  for (int l = 0; l < kMaskBytes; ++l) to[l] = kFn(a[l], b[l]);
  return i + 1;
}

TPUC_INLINE const DInst *fill(Core &core, const DInst *i, uint32_t value) {
  uint32_t *to = lanesOf<uint32_t>(core, i->dst);
  for (int l = 0; l < kLaneCount; ++l) to[l] = value;
  return i + 1;
}
