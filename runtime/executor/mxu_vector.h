// The matrix unit on vectors, for one CPU level: included inside the level's namespace. A block of kRows rows and kVecs vectors
// of columns keeps its sums in registers while one row of activations and one of weights after the other passes by.

#define TPUC_UNROLL _Pragma("GCC unroll 16")

// sum = Step(sum, activation, weight) over the words of 128 k in ascending order, onto the accumulators.
template <int kRows, int kVecs, int kDwords, Vec (*kStep)(Vec, Vec, Vec)>
TPUC_INLINE void accumulate(float *acc, const float *w, const float *a, int side) {
  Vec sum[kRows][kVecs];
  TPUC_UNROLL for (int r = 0; r < kRows; ++r)
    TPUC_UNROLL for (int v = 0; v < kVecs; ++v) sum[r][v] = load(acc + r * side + v * kWidth);
  for (int d = 0; d < kDwords; ++d, w += side, ++a) {
    Vec x[kVecs];
    TPUC_UNROLL for (int v = 0; v < kVecs; ++v) x[v] = load(w + v * kWidth);
    TPUC_UNROLL for (int r = 0; r < kRows; ++r) {
      Vec y = splat(a[r * kDwords]);
      TPUC_UNROLL for (int v = 0; v < kVecs; ++v) sum[r][v] = kStep(sum[r][v], y, x[v]);
    }
  }
  TPUC_UNROLL for (int r = 0; r < kRows; ++r)
    TPUC_UNROLL for (int v = 0; v < kVecs; ++v) store(acc + r * side + v * kWidth, sum[r][v]);
}

// The bf16 mode: for each block of 32 products a chain over the even and one over the odd ones, from +0, and their sum onto
// the accumulator. Words alternate between the chains, kBlock of them a block.
template <int kRows, int kVecs, int kDwords, int kBlock, Vec (*kStep)(Vec, Vec, Vec)>
TPUC_INLINE void accumulateChains(float *acc, const float *w, const float *a, int side) {
  Vec sum[kRows][kVecs];
  TPUC_UNROLL for (int r = 0; r < kRows; ++r)
    TPUC_UNROLL for (int v = 0; v < kVecs; ++v) sum[r][v] = load(acc + r * side + v * kWidth);
  for (int block = 0; block < kDwords / kBlock; ++block) {
    Vec chain[2][kRows][kVecs];
    TPUC_UNROLL for (int c = 0; c < 2; ++c)
      TPUC_UNROLL for (int r = 0; r < kRows; ++r)
        TPUC_UNROLL for (int v = 0; v < kVecs; ++v) chain[c][r][v] = splat(0.0f);
    for (int d = 0; d < kBlock; d += 2)
      TPUC_UNROLL for (int c = 0; c < 2; ++c, w += side, ++a) {
        Vec x[kVecs];
        TPUC_UNROLL for (int v = 0; v < kVecs; ++v) x[v] = load(w + v * kWidth);
        TPUC_UNROLL for (int r = 0; r < kRows; ++r) {
          Vec y = splat(a[r * kDwords]);
          TPUC_UNROLL for (int v = 0; v < kVecs; ++v) chain[c][r][v] = kStep(chain[c][r][v], y, x[v]);
        }
      }
    TPUC_UNROLL for (int r = 0; r < kRows; ++r)
      TPUC_UNROLL for (int v = 0; v < kVecs; ++v) sum[r][v] = flushAdd(sum[r][v], flushAdd(chain[0][r][v], chain[1][r][v]));
  }
  TPUC_UNROLL for (int r = 0; r < kRows; ++r)
    TPUC_UNROLL for (int v = 0; v < kVecs; ++v) store(acc + r * side + v * kWidth, sum[r][v]);
}

TPUC_INLINE Vec stepFma(Vec sum, Vec a, Vec w) { return fma(a, w, sum); }
TPUC_INLINE Vec stepFlushFma(Vec sum, Vec a, Vec w) { return flushFma(a, w, sum); }

// A push: the activations' rows taken apart once, then blocks of columns outside so that their weights stay in L1.
// Block(acc, weights, rows, side) handles kBlockRows rows and kColumns columns of 128 k.
template <typename Form, int kBlockRows, int kColumns, void (*kBlock)(float *, const float *, const float *, int)>
void push(float *acc, const uint8_t *weights, const uint8_t *a, const uint8_t *b, int side) {
  alignas(64) uint32_t rows[Form::kRows * Form::kDwords];
  const float *w = reinterpret_cast<const float *>(weights);
  for (const uint8_t *vreg : {a, b}) {
    if (!vreg) break;
    Form::rows(vreg, rows);
    for (int n = 0; n < side; n += kColumns)
      for (int r = 0; r < Form::kRows; r += kBlockRows)
        kBlock(acc + r * side + n, w + n, reinterpret_cast<const float *>(rows) + r * Form::kDwords, side);
    w += Form::kDwords * side;
  }
}

[[maybe_unused]] static void popGroup(float *acc, int side, uint8_t *vreg, bool isInt, bool clear) {
  float *to = reinterpret_cast<float *>(vreg);
  for (int r = 0; r < isa::kSublanes; ++r, acc += side, to += isa::kLanes) {
    if (isInt) __builtin_memcpy(to, acc, isa::kWordBytes);
    else for (int l = 0; l < isa::kLanes; ++l) to[l] = canonical(acc[l]);
    if (clear) __builtin_memset(acc, 0, isa::kWordBytes);
  }
}
