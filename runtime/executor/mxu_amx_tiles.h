// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix unit's loops over AMX tiles, for mxu_amx.cpp and, over a model of tiles, for its test: included inside a
// namespace that has mxu_forms.h and the tile intrinsics.

// What has been written is in memory: GCC's tile loads do not say that they read it.
TPUC_INLINE void finishStores() { __asm__ volatile("" ::: "memory"); }

// 16 rows, 128 k: activations [16][kDwords], weights [kDwords][weightStride(side)]. Tiles 0 and 1 accumulate two blocks
// of 16 columns, 2 and 3 hold weights, 4 to 7 the activations, kDwords / 16 of them.
static void rowsBf16(float *acc, const uint32_t *w, const uint32_t *a, int side) {
  constexpr int kStride = PairBf16Form::kDwords * 4;
  const int line = side * 4, stride = weightStride(side), weightLine = stride * 4;
  finishStores();
  _tile_loadd(4, a, kStride);
  _tile_loadd(5, a + 16, kStride);
  _tile_loadd(6, a + 32, kStride);
  _tile_loadd(7, a + 48, kStride);
  for (int n = 0; n < side; n += 32) {
    const uint32_t *b = w + n;
    _tile_loadd(0, acc + n, line);
    _tile_loadd(1, acc + n + 16, line);
    _tile_loadd(2, b, weightLine);
    _tile_loadd(3, b + 16, weightLine);
    _tile_dpbf16ps(0, 4, 2);
    _tile_dpbf16ps(1, 4, 3);
    _tile_loadd(2, b + 16 * stride, weightLine);
    _tile_loadd(3, b + 16 * stride + 16, weightLine);
    _tile_dpbf16ps(0, 5, 2);
    _tile_dpbf16ps(1, 5, 3);
    _tile_loadd(2, b + 32 * stride, weightLine);
    _tile_loadd(3, b + 32 * stride + 16, weightLine);
    _tile_dpbf16ps(0, 6, 2);
    _tile_dpbf16ps(1, 6, 3);
    _tile_loadd(2, b + 48 * stride, weightLine);
    _tile_loadd(3, b + 48 * stride + 16, weightLine);
    _tile_dpbf16ps(0, 7, 2);
    _tile_dpbf16ps(1, 7, 3);
    _tile_stored(0, acc + n, line);
    _tile_stored(1, acc + n + 16, line);
  }
}

static void rowsInt8(float *acc, const uint32_t *w, const uint32_t *a, int side) {
  constexpr int kStride = QuadInt8Form::kDwords * 4;
  const int line = side * 4, stride = weightStride(side), weightLine = stride * 4;
  finishStores();
  _tile_loadd(4, a, kStride);
  _tile_loadd(5, a + 16, kStride);
  for (int n = 0; n < side; n += 32) {
    const uint32_t *b = w + n;
    _tile_loadd(0, acc + n, line);
    _tile_loadd(1, acc + n + 16, line);
    _tile_loadd(2, b, weightLine);
    _tile_loadd(3, b + 16, weightLine);
    _tile_dpbssd(0, 4, 2);
    _tile_dpbssd(1, 4, 3);
    _tile_loadd(2, b + 16 * stride, weightLine);
    _tile_loadd(3, b + 16 * stride + 16, weightLine);
    _tile_dpbssd(0, 5, 2);
    _tile_dpbssd(1, 5, 3);
    _tile_stored(0, acc + n, line);
    _tile_stored(1, acc + n + 16, line);
  }
}

template <typename Form, void (*kRows16)(float *, const uint32_t *, const uint32_t *, int)>
static void push(float *acc, uint8_t *weights, const uint8_t *a, const uint8_t *b, int side, UsedWeights &used,
                 uint16_t *touched) {
  for (int g = 0; g < Form::kRows / isa::kSublanes; ++g) touched[g] = 0xffff;
  zeroAbsent<Form>(weights, side, used);
  alignas(64) uint32_t rows[Form::kRows * Form::kDwords];
  const uint32_t *w = reinterpret_cast<const uint32_t *>(weights);
  for (const uint8_t *vreg : {a, b}) {
    if (!vreg) break;
    Form::rows(vreg, rows);
    for (int r = 0; r < Form::kRows; r += 16) kRows16(acc + r * side, w, rows + r * Form::kDwords, side);
    w += Form::kDwords * weightStride(side);
  }
}
