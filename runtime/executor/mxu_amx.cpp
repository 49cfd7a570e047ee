// The matrix unit on CPUs with AMX: a tile instruction multiplies 16 rows by 64 bytes of k and 16 columns, which for bf16 is
// the definition of the matrix unit's sum over a block of 32 products.
#if defined(__AMX_TILE__) && defined(__AMX_BF16__) && defined(__AMX_INT8__) && defined(__AVX512F__)
#define TPUC_LEVEL amx
#include "runtime/executor/core.h"
#include "runtime/executor/kernels.h"

#include <immintrin.h>

namespace tpuc::exec::TPUC_LEVEL {

// clang-format off: each needs those before it
#include "runtime/executor/lanes.h"
#include "runtime/executor/mxu_forms.h"
// clang-format on

struct alignas(64) TileConfig {
  uint8_t palette = 1, startRow = 0, reserved[14] = {};
  uint16_t rowBytes[16] = {};
  uint8_t rows[16] = {};
};

// Eight tiles of 16 rows of 64 bytes.
static void enter() {
  TileConfig config;
  for (int t = 0; t < 8; ++t) {
    config.rowBytes[t] = 64;
    config.rows[t] = 16;
  }
  _tile_loadconfig(&config);
}
static void leave() { _tile_release(); }

// 16 rows, 128 k: activations [16][kDwords], weights [kDwords][side]. Tiles 0 and 1 accumulate two blocks of 16 columns,
// 2 and 3 hold weights, 4 to 7 the activations, kDwords / 16 of them.
static void rowsBf16(float *acc, const uint32_t *w, const uint32_t *a, int side) {
  constexpr int kStride = PairBf16Form::kDwords * 4;
  const int line = side * 4;
  _tile_loadd(4, a, kStride);
  _tile_loadd(5, a + 16, kStride);
  _tile_loadd(6, a + 32, kStride);
  _tile_loadd(7, a + 48, kStride);
  for (int n = 0; n < side; n += 32) {
    const uint32_t *b = w + n;
    _tile_loadd(0, acc + n, line);
    _tile_loadd(1, acc + n + 16, line);
    _tile_loadd(2, b, line);
    _tile_loadd(3, b + 16, line);
    _tile_dpbf16ps(0, 4, 2);
    _tile_dpbf16ps(1, 4, 3);
    _tile_loadd(2, b + 16 * side, line);
    _tile_loadd(3, b + 16 * side + 16, line);
    _tile_dpbf16ps(0, 5, 2);
    _tile_dpbf16ps(1, 5, 3);
    _tile_loadd(2, b + 32 * side, line);
    _tile_loadd(3, b + 32 * side + 16, line);
    _tile_dpbf16ps(0, 6, 2);
    _tile_dpbf16ps(1, 6, 3);
    _tile_loadd(2, b + 48 * side, line);
    _tile_loadd(3, b + 48 * side + 16, line);
    _tile_dpbf16ps(0, 7, 2);
    _tile_dpbf16ps(1, 7, 3);
    _tile_stored(0, acc + n, line);
    _tile_stored(1, acc + n + 16, line);
  }
}

static void rowsInt8(float *acc, const uint32_t *w, const uint32_t *a, int side) {
  constexpr int kStride = QuadInt8Form::kDwords * 4;
  const int line = side * 4;
  _tile_loadd(4, a, kStride);
  _tile_loadd(5, a + 16, kStride);
  for (int n = 0; n < side; n += 32) {
    const uint32_t *b = w + n;
    _tile_loadd(0, acc + n, line);
    _tile_loadd(1, acc + n + 16, line);
    _tile_loadd(2, b, line);
    _tile_loadd(3, b + 16, line);
    _tile_dpbssd(0, 4, 2);
    _tile_dpbssd(1, 4, 3);
    _tile_loadd(2, b + 16 * side, line);
    _tile_loadd(3, b + 16 * side + 16, line);
    _tile_dpbssd(0, 5, 2);
    _tile_dpbssd(1, 5, 3);
    _tile_stored(0, acc + n, line);
    _tile_stored(1, acc + n + 16, line);
  }
}

template <typename Form, void (*kRows16)(float *, const uint32_t *, const uint32_t *, int)>
static void push(float *acc, const uint8_t *weights, const uint8_t *a, const uint8_t *b, int side) {
  alignas(64) uint32_t rows[Form::kRows * Form::kDwords];
  const uint32_t *w = reinterpret_cast<const uint32_t *>(weights);
  for (const uint8_t *vreg : {a, b}) {
    if (!vreg) break;
    Form::rows(vreg, rows);
    for (int r = 0; r < Form::kRows; r += 16) kRows16(acc + r * side, w, rows + r * Form::kDwords, side);
    w += Form::kDwords * side;
  }
}
static void finishNothing(uint8_t *, int) {}

}  // namespace tpuc::exec::TPUC_LEVEL

namespace tpuc::exec {

const MxuKernels *amxKernels() {
  static MxuKernels kernels = avx512Kernels()->mxu;
  kernels.loadBf16 = amx::loadWeights<amx::PairBf16Form>;
  kernels.loadInt8 = amx::loadWeights<amx::QuadInt8Form>;
  kernels.finishInt8 = amx::finishNothing;
  kernels.pushBf16 = amx::push<amx::PairBf16Form, amx::rowsBf16>;
  kernels.pushInt8 = amx::push<amx::QuadInt8Form, amx::rowsInt8>;
  kernels.enter = amx::enter;
  kernels.leave = amx::leave;
  return &kernels;
}

}  // namespace tpuc::exec
#else
#include "runtime/executor/kernels.h"
namespace tpuc::exec {
const MxuKernels *amxKernels() { return nullptr; }
}  // namespace tpuc::exec
#endif
