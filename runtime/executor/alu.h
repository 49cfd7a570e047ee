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

TPUC_INLINE uint32_t iadd(uint32_t a, uint32_t b) { return a + b; }
TPUC_INLINE uint32_t isub(uint32_t a, uint32_t b) { return a - b; }
TPUC_INLINE uint32_t imul(uint32_t a, uint32_t b) { return a * b; }
TPUC_INLINE uint32_t umulh(uint32_t a, uint32_t b) { return static_cast<uint32_t>((static_cast<uint64_t>(a) * b) >> 32); }
TPUC_INLINE int32_t smin(int32_t a, int32_t b) { return a < b ? a : b; }
TPUC_INLINE int32_t smax(int32_t a, int32_t b) { return a > b ? a : b; }
TPUC_INLINE uint32_t umin(uint32_t a, uint32_t b) { return a < b ? a : b; }
TPUC_INLINE uint32_t umax(uint32_t a, uint32_t b) { return a > b ? a : b; }
TPUC_INLINE uint32_t iand(uint32_t a, uint32_t b) { return a & b; }
TPUC_INLINE uint32_t ior(uint32_t a, uint32_t b) { return a | b; }
TPUC_INLINE uint32_t ixor(uint32_t a, uint32_t b) { return a ^ b; }
TPUC_INLINE uint32_t shl(uint32_t a, uint32_t b) { return b < 32 ? a << (b & 31) : 0; }
TPUC_INLINE uint32_t shru(uint32_t a, uint32_t b) { return b < 32 ? a >> (b & 31) : 0; }
TPUC_INLINE uint32_t shrs(uint32_t a, uint32_t b) { return static_cast<uint32_t>(static_cast<int32_t>(a) >> (b < 31 ? b : 31)); }
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

template <typename T> TPUC_INLINE bool eq(T a, T b) { return a == b; }
template <typename T> TPUC_INLINE bool ne(T a, T b) { return a != b; }
template <typename T> TPUC_INLINE bool lt(T a, T b) { return a < b; }
template <typename T> TPUC_INLINE bool le(T a, T b) { return a <= b; }
TPUC_INLINE uint8_t mand(uint8_t a, uint8_t b) { return a & b; }
TPUC_INLINE uint8_t mor(uint8_t a, uint8_t b) { return a | b; }
TPUC_INLINE uint8_t mxor(uint8_t a, uint8_t b) { return a ^ b; }

static const DInst *vfma(Core &core, const DInst *i) {
  float *to = lanesOf<float>(core, i->dst);
  const float *a = lanesOf<float>(core, i->a), *b = lanesOf<float>(core, i->b), *c = lanesOf<float>(core, i->c);
#pragma GCC ivdep
  for (int l = 0; l < kLaneCount; ++l) to[l] = canonical(fma1(a[l], b[l], c[l]));
  return i + 1;
}

static const DInst *vsel(Core &core, const DInst *i) {
  uint32_t *to = lanesOf<uint32_t>(core, i->dst);
  const uint8_t *m = maskOf(core, i->a);
  const uint32_t *b = lanesOf<uint32_t>(core, i->b), *c = lanesOf<uint32_t>(core, i->c);
#pragma GCC ivdep
  for (int l = 0; l < kLaneCount; ++l) to[l] = m[l] ? b[l] : c[l];
  return i + 1;
}

static const DInst *vli(Core &core, const DInst *i) { return fill(core, i, static_cast<uint32_t>(i->imm)); }
static const DInst *vsplat(Core &core, const DInst *i) { return fill(core, i, static_cast<uint32_t>(core.s[i->a])); }
static const DInst *vmov(Core &core, const DInst *i) {
  if (i->dst != i->a) __builtin_memcpy(lanesOf<uint8_t>(core, i->dst), lanesOf<uint8_t>(core, i->a), isa::kVregBytes);
  return i + 1;
}
static const DInst *vlaneid(Core &core, const DInst *i) {
  uint32_t *to = lanesOf<uint32_t>(core, i->dst);
  for (int l = 0; l < kLaneCount; ++l) to[l] = l % isa::kLanes;
  return i + 1;
}
static const DInst *vsubid(Core &core, const DInst *i) {
  uint32_t *to = lanesOf<uint32_t>(core, i->dst);
  for (int l = 0; l < kLaneCount; ++l) to[l] = l / isa::kLanes;
  return i + 1;
}
static const DInst *mli(Core &core, const DInst *i) {
  __builtin_memset(maskOf(core, i->dst), static_cast<int>(i->imm), kMaskBytes);
  return i + 1;
}
static const DInst *vtos(Core &core, const DInst *i) {
  core.s[i->dst] = *lanesOf<int32_t>(core, i->a);
  return i + 1;
}

// Loads and stores of a vreg: 8 words, `aux` words apart.
static const DInst *vld(Core &core, const DInst *i) {
  int64_t word = static_cast<int64_t>(static_cast<uint64_t>(core.s[i->a]) + static_cast<uint64_t>(i->imm));
  int64_t span = 7 * i->aux, low = span < 0 ? span : 0, high = span < 0 ? 0 : span;
  if (word < -low || word >= core.vmemWords - high) return stop(core, i, "v.ld outside of VMEM");
  const uint8_t *from = core.vmem + word * isa::kWordBytes;
  uint8_t *to = lanesOf<uint8_t>(core, i->dst);
  if (i->aux == 1) {
    __builtin_memcpy(to, from, isa::kVregBytes);
  } else {
    for (int s = 0; s < isa::kSublanes; ++s) __builtin_memcpy(to + s * isa::kWordBytes, from + s * i->aux * isa::kWordBytes, isa::kWordBytes);
  }
  return i + 1;
}

static const DInst *vst(Core &core, const DInst *i) {
  int64_t word = static_cast<int64_t>(static_cast<uint64_t>(core.s[i->b]) + static_cast<uint64_t>(i->imm));
  int64_t span = 7 * i->aux, low = span < 0 ? span : 0, high = span < 0 ? 0 : span;
  if (word < -low || word >= core.vmemWords - high) return stop(core, i, "v.st outside of VMEM");
  uint8_t *to = core.vmem + word * isa::kWordBytes;
  const uint8_t *from = lanesOf<uint8_t>(core, i->a);
  if (i->m == kNone && i->aux == 1) {
    __builtin_memcpy(to, from, isa::kVregBytes);
    return i + 1;
  }
  for (int s = 0; s < isa::kSublanes; ++s, from += isa::kWordBytes) {
    uint8_t *word0 = to + s * i->aux * isa::kWordBytes;
    if (i->m == kNone) {
      __builtin_memcpy(word0, from, isa::kWordBytes);
      continue;
    }
    const uint8_t *m = maskOf(core, i->m) + s * isa::kLanes;
    uint32_t *lanes = reinterpret_cast<uint32_t *>(word0);
    const uint32_t *values = reinterpret_cast<const uint32_t *>(from);
#pragma GCC ivdep
    for (int l = 0; l < isa::kLanes; ++l) lanes[l] = m[l] ? values[l] : lanes[l];
  }
  return i + 1;
}
