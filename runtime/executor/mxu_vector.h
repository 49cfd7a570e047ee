// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix unit on vectors, for one CPU level: included inside the level's namespace. A block of kRows rows and kVecs
// vectors of columns keeps its sums in registers while one row of activations and one of weights after the other passes
// by.

#define TPUC_UNROLL _Pragma("GCC unroll 16")

// One block's work. blocks: a bit for each 32 of k that has weights other than zero; zeros: what the others add, by
// row.
struct Piece {
  float *acc;
  const float *weights, *rows;
  int side;
  unsigned blocks;
  const float *zeros;
};

// Adds what a block of 32 k contributes to the sums, block by block.
template <int kRows, int kVecs, int kDwords, Vec (*kAddZero)(Vec, Vec), typename AddBlock>
TPUC_INLINE void overBlocks(const Piece &p, AddBlock addBlock) {
  constexpr int kBlock = kDwords / kUsedBlocks;
  Vec sum[kRows][kVecs];
  TPUC_UNROLL for (int r = 0; r < kRows; ++r) TPUC_UNROLL for (int v = 0; v < kVecs; ++v) sum[r][v] =
      load(p.acc + r * p.side + v * kWidth);
  const float *w = p.weights, *a = p.rows;
  for (int block = 0; block < kUsedBlocks; ++block, w += kBlock * p.side, a += kBlock) {
    if (p.blocks >> block & 1) {
      addBlock(sum, w, a);
      continue;
    }
    TPUC_UNROLL for (int r = 0; r < kRows; ++r) TPUC_UNROLL for (int v = 0; v < kVecs; ++v) sum[r][v] =
        kAddZero(sum[r][v], splat(p.zeros[r * kUsedBlocks + block]));
  }
  TPUC_UNROLL for (int r = 0; r < kRows; ++r) TPUC_UNROLL for (int v = 0; v < kVecs; ++v)
      store(p.acc + r * p.side + v * kWidth, sum[r][v]);
}

// sum = Step(sum, activation, weight) over the words of 128 k in ascending order, onto the accumulators.
template <int kRows, int kVecs, int kDwords, Vec (*kStep)(Vec, Vec, Vec), Vec (*kAddZero)(Vec, Vec)>
TPUC_INLINE void accumulate(const Piece &p) {
  overBlocks<kRows, kVecs, kDwords, kAddZero>(
      p, [&](auto &sum, const float *w, const float *a) __attribute__((always_inline)) {
        for (int d = 0; d < kDwords / kUsedBlocks; ++d, w += p.side, ++a) {
          Vec x[kVecs];
          TPUC_UNROLL for (int v = 0; v < kVecs; ++v) x[v] = load(w + v * kWidth);
          TPUC_UNROLL for (int r = 0; r < kRows; ++r) {
            Vec y = splat(a[r * kDwords]);
            TPUC_UNROLL for (int v = 0; v < kVecs; ++v) sum[r][v] = kStep(sum[r][v], y, x[v]);
          }
        }
      });
}

// The bf16 mode: for each block of 32 products a chain over the even and one over the odd ones, from +0, and their sum
// onto the accumulator. Words alternate between the chains.
template <int kRows, int kVecs, int kDwords, Vec (*kStep)(Vec, Vec, Vec)>
TPUC_INLINE void accumulateChains(const Piece &p) {
  overBlocks<kRows, kVecs, kDwords, flushAdd>(
      p, [&](auto &sum, const float *w, const float *a) __attribute__((always_inline)) {
        Vec chain[2][kRows][kVecs];
        TPUC_UNROLL for (int c = 0; c < 2; ++c) TPUC_UNROLL for (int r = 0; r < kRows; ++r)
            TPUC_UNROLL for (int v = 0; v < kVecs; ++v) chain[c][r][v] = splat(0.0f);
        for (int d = 0; d < kDwords / kUsedBlocks; d += 2) TPUC_UNROLL for (int c = 0; c < 2; ++c, w += p.side, ++a) {
            Vec x[kVecs];
            TPUC_UNROLL for (int v = 0; v < kVecs; ++v) x[v] = load(w + v * kWidth);
            TPUC_UNROLL for (int r = 0; r < kRows; ++r) {
              Vec y = splat(a[r * kDwords]);
              TPUC_UNROLL for (int v = 0; v < kVecs; ++v) chain[c][r][v] = kStep(chain[c][r][v], y, x[v]);
            }
          }
        TPUC_UNROLL for (int r = 0; r < kRows; ++r) TPUC_UNROLL for (int v = 0; v < kVecs; ++v) sum[r][v] =
            flushAdd(sum[r][v], flushAdd(chain[0][r][v], chain[1][r][v]));
      });
}

TPUC_INLINE Vec stepFma(Vec sum, Vec a, Vec w) { return fma(a, w, sum); }
TPUC_INLINE Vec stepFlushFma(Vec sum, Vec a, Vec w) { return flushFma(a, w, sum); }
TPUC_INLINE Vec addNothing(Vec sum, Vec) { return sum; }

// Which blocks of 32 k have weights in kColumns columns from n on.
template <int kColumns>
TPUC_INLINE unsigned usedBlocks(const uint16_t *used, int n) {
  static_assert(kColumns % kUsedColumns == 0);
  constexpr unsigned kMask = (1u << (kColumns / kUsedColumns)) - 1;
  unsigned blocks = 0;
  for (int b = 0; b < kUsedBlocks; ++b)
    blocks |= static_cast<unsigned>((used[b] >> (n / kUsedColumns) & kMask) != 0) << b;
  return blocks;
}

// The blocks of kBlockRows rows that are all zero, a bit at the first row each: short matmuls push few rows of a vreg.
template <typename Form, int kBlockRows>
TPUC_INLINE unsigned zeroRows(const uint32_t *rows, float *zeros, const UsedWeights &used) {
  unsigned idle = 0;
  if constexpr (Form::kZeroRows != 0) {
    if (!used.finite) return 0;
    for (int r = 0; r < Form::kRows; r += kBlockRows) {
      if (!isZero(rows + r * Form::kDwords, kBlockRows * Form::kDwords, Form::kZeroRows)) continue;
      for (int i = 0; i < kBlockRows * kUsedBlocks; ++i) zeros[r * kUsedBlocks + i] = 0.0f;
      idle |= 1u << r;
    }
  }
  return idle;
}

// A push: the activations' rows taken apart once, then blocks of columns outside so that their weights stay in L1.
// kPiece handles kBlockRows rows and kColumns columns of 128 k.
template <typename Form, int kBlockRows, int kColumns, void (*kPiece)(const Piece &)>
void push(float *acc, uint8_t *weights, const uint8_t *a, const uint8_t *b, int side, UsedWeights &used) {
  alignas(64) uint32_t rows[Form::kRows * Form::kDwords];
  float zeros[Form::kRows * kUsedBlocks];
  const uint16_t *columns = used.columns, all = static_cast<uint16_t>((1u << side / kUsedColumns) - 1);
  const float *w = reinterpret_cast<const float *>(weights);
  for (const uint8_t *vreg : {a, b}) {
    if (!vreg) break;
    Form::rows(vreg, rows);
    bool skips = (columns[0] & columns[1] & columns[2] & columns[3]) != all && Form::addsZeros(rows, zeros);
    if (!skips) zeroAbsent<Form>(weights, side, used);
    unsigned idle = zeroRows<Form, kBlockRows>(rows, zeros, used);
    for (int n = 0; n < side; n += kColumns) {
      unsigned blocks = skips ? usedBlocks<kColumns>(columns, n) : (1u << kUsedBlocks) - 1;
      for (int r = 0; r < Form::kRows; r += kBlockRows)
        kPiece({acc + r * side + n, w + n, reinterpret_cast<const float *>(rows) + r * Form::kDwords, side,
                idle >> r & 1 ? 0 : blocks, zeros + r * kUsedBlocks});
    }
    w += Form::kDwords * side;
    columns += kUsedBlocks;
  }
}

[[maybe_unused]] static void popGroup(float *acc, int side, uint8_t *vreg, bool isInt, bool clear) {
  float *to = reinterpret_cast<float *>(vreg);
  for (int r = 0; r < isa::kSublanes; ++r, acc += side, to += isa::kLanes) {
    if (isInt)
      __builtin_memcpy(to, acc, isa::kWordBytes);
    else
      for (int l = 0; l < isa::kLanes; ++l) to[l] = canonical(acc[l]);
    if (clear) __builtin_memset(acc, 0, isa::kWordBytes);
  }
}
