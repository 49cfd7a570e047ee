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
  int side, stride;  // words from row to row of the sums, and of the weights
  unsigned blocks;
  const float *zeros;
};

// Adds what a block of 32 k contributes to the sums, block by block. kZerosRepeat: zeros are all the same, of which one
// after the other adds nothing more.
template <int kRows, int kVecs, int kDwords, bool kZerosRepeat, Vec (*kAddZero)(Vec, Vec), typename AddBlock>
TPUC_INLINE void overBlocks(const Piece &p, AddBlock addBlock) {
  constexpr int kBlock = kDwords / kUsedBlocks;
  Vec sum[kRows][kVecs];
  TPUC_UNROLL for (int r = 0; r < kRows; ++r) TPUC_UNROLL for (int v = 0; v < kVecs; ++v) sum[r][v] =
      load(p.acc + r * p.side + v * kWidth);
  const float *w = p.weights, *a = p.rows;
  for (int block = 0; block < kUsedBlocks; ++block, w += kBlock * p.stride, a += kBlock) {
    if (p.blocks >> block & 1) {
      addBlock(sum, w, a);
      continue;
    }
    if (kZerosRepeat && block > 0 && !(p.blocks >> (block - 1) & 1)) continue;
    TPUC_UNROLL for (int r = 0; r < kRows; ++r) TPUC_UNROLL for (int v = 0; v < kVecs; ++v) sum[r][v] =
        kAddZero(sum[r][v], splat(p.zeros[r * kUsedBlocks + block]));
  }
  TPUC_UNROLL for (int r = 0; r < kRows; ++r) TPUC_UNROLL for (int v = 0; v < kVecs; ++v)
      store(p.acc + r * p.side + v * kWidth, sum[r][v]);
}

// sum = Step(sum, activation, weight) over the words of 128 k in ascending order, onto the accumulators.
template <int kRows, int kVecs, int kDwords, Vec (*kStep)(Vec, Vec, Vec), Vec (*kAddZero)(Vec, Vec)>
TPUC_INLINE void accumulate(const Piece &p) {
  overBlocks<kRows, kVecs, kDwords, false, kAddZero>(
      p, [&](auto &sum, const float *w, const float *a) __attribute__((always_inline)) {
        for (int d = 0; d < kDwords / kUsedBlocks; ++d, w += p.stride, ++a) {
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
  overBlocks<kRows, kVecs, kDwords, true, flushAdd>(
      p, [&](auto &sum, const float *w, const float *a) __attribute__((always_inline)) {
        Vec chain[2][kRows][kVecs];
        TPUC_UNROLL for (int c = 0; c < 2; ++c) TPUC_UNROLL for (int r = 0; r < kRows; ++r)
            TPUC_UNROLL for (int v = 0; v < kVecs; ++v) chain[c][r][v] = splat(0.0f);
        for (int d = 0; d < kDwords / kUsedBlocks; d += 2) TPUC_UNROLL for (int c = 0; c < 2; ++c, w += p.stride, ++a) {
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

// Which blocks of 32 k have weights in some of these columns.
TPUC_INLINE unsigned usedBlocks(const uint16_t *used, uint16_t columns) {
  unsigned blocks = 0;
  for (int b = 0; b < kUsedBlocks; ++b) blocks |= static_cast<unsigned>((used[b] & columns) != 0) << b;
  return blocks;
}

// The blocks of kBlockRows rows that are all zero, a bit at the first row each: short matmuls push few rows of a vreg.
template <typename Form, int kBlockRows>
TPUC_INLINE unsigned zeroRows(unsigned zeroSublanes) {
  constexpr int kSublanes = std::max(kBlockRows * isa::kSublanes / Form::kRows, 1);
  constexpr unsigned kMask = (1u << kSublanes) - 1;
  unsigned idle = 0;
  for (int r = 0; r < Form::kRows; r += kBlockRows)
    idle |= static_cast<unsigned>((zeroSublanes >> (r * isa::kSublanes / Form::kRows) & kMask) == kMask) << r;
  return idle;
}

// The sums of the next push, which is likely of the rows that follow: they come from afar where there are many, and a
// CPU does not see a pattern in rows of which a few columns are used.
template <int kBlockRows, int kColumns>
TPUC_INLINE void prefetchSums(const float *sums, int side) {
  for (int row = 0; row < kBlockRows; ++row)
    for (int column = 0; column < kColumns; column += kUsedColumns) __builtin_prefetch(sums + row * side + column, 1);
}

// A push: the activations' rows taken apart once, then blocks of columns outside so that their weights stay in L1.
// kPiece handles kBlockRows rows and kColumns columns of 128 k, and is not inlined: inside of a push its sums would not
// stay in registers. Sums that are +0, as nothing has touched them, stay what they are when a zero is added.
template <typename Form, int kBlockRows, int kColumns, void (*kPiece)(const Piece &)>
void push(float *acc, uint8_t *weights, const uint8_t *a, const uint8_t *b, int side, UsedWeights &used,
          uint16_t *touched) {
  alignas(64) uint32_t rows[Form::kRows * Form::kDwords];
  alignas(64) float zeros[Form::kRows * kUsedBlocks] = {};
  const uint16_t *columns = used.columns, all = static_cast<uint16_t>((1u << side / kUsedColumns) - 1);
  const float *w = reinterpret_cast<const float *>(weights);
  const int stride = weightStride(side);
  for (const uint8_t *vreg : {a, b}) {
    if (!vreg) break;
    const bool partial = (columns[0] & columns[1] & columns[2] & columns[3]) != all;
    const Seen seen = partial || (Form::kZeroRows && used.finite) ? Form::see(vreg) : Seen{false, 0};
    const bool skips = partial && seen.finite;
    if (skips)
      Form::zeros(vreg, zeros);
    else
      zeroAbsent<Form>(weights, side, used);
    Form::rows(vreg, rows, skips ? usedBlocks(columns, all) : kAllBlocks);
    const unsigned idle = Form::kZeroRows && used.finite ? zeroRows<Form, kBlockRows>(seen.zeroSublanes) : 0;
    for (int n = 0; n < side; n += kColumns) {
      const uint16_t here = static_cast<uint16_t>(((1u << kColumns / kUsedColumns) - 1) << n / kUsedColumns);
      const unsigned blocks = skips ? usedBlocks(columns, here) : kAllBlocks;
      for (int r = 0; r < Form::kRows; r += kBlockRows) {
        const unsigned mine = idle >> r & 1 ? 0 : blocks;
        uint16_t &marks = touched[r / isa::kSublanes];
        if (!mine && !(marks & here)) continue;
        marks |= here;
        kPiece({acc + r * side + n, w + n, reinterpret_cast<const float *>(rows) + r * Form::kDwords, side, stride,
                mine, zeros + r * kUsedBlocks});
        prefetchSums<kBlockRows, kColumns>(acc + (Form::kRows + r) * side + n, side);
      }
    }
    w += Form::kDwords * stride;
    columns += kUsedBlocks;
  }
}

// A row of a group: its first 16 * `parts` columns, and zeros for the others up to `lanes`.
template <bool kInt, bool kClear>
TPUC_INLINE void popRow(float *from, float *to, int parts, int lanes) {
  for (int l = 0; l < parts * kUsedColumns; l += kUsedColumns)
    for (int k = l; k < l + kUsedColumns; ++k) {
      to[k] = kInt ? from[k] : canonical(from[k]);
      if (kClear) from[k] = 0.0f;
    }
  for (int l = parts * kUsedColumns; l < lanes; l += kUsedColumns)
    __builtin_memset(to + l, 0, kUsedColumns * sizeof(float));
}

[[maybe_unused]] static void popGroup(float *acc, int side, uint8_t *vreg, Popped what, uint16_t &touched) {
  constexpr int kParts = isa::kLanes / kUsedColumns;
  constexpr unsigned kAll = (1u << kParts) - 1;
  const unsigned marks = touched >> what.col * kParts & kAll;
  const int parts = marks ? 32 - __builtin_clz(marks) : 0;
  float *to = reinterpret_cast<float *>(vreg);
  for (int r = 0; r < isa::kSublanes; ++r, acc += side, to += isa::kLanes)
    what.isInt
        ? what.clear ? popRow<true, true>(acc, to, parts, what.lanes) : popRow<true, false>(acc, to, parts, what.lanes)
    : what.clear ? popRow<false, true>(acc, to, parts, what.lanes)
                 : popRow<false, false>(acc, to, parts, what.lanes);
  if (what.clear) touched &= static_cast<uint16_t>(~(kAll << what.col * kParts));
}
