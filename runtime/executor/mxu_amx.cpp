// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix unit on CPUs with AMX: a tile instruction multiplies 16 rows by 64 bytes of k and 16 columns, which for
// bf16 is the definition of the matrix unit's sum over a block of 32 products.
#if defined(__AMX_TILE__) && defined(__AMX_BF16__) && defined(__AMX_INT8__) && defined(__AVX512F__)
#define TPUC_LEVEL amx
#include <immintrin.h>

#include <algorithm>

#include "runtime/executor/core.h"
#include "runtime/executor/kernels.h"

namespace tpuc::exec::TPUC_LEVEL {

// clang-format off: each needs those before it
#include "runtime/executor/lanes.h"
#include "runtime/executor/mxu_forms.h"
#include "runtime/executor/mxu_amx_tiles.h"
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
  __asm__ volatile("ldtilecfg\t%0" ::"m"(config));  // GCC's _tile_loadconfig says that it reads eight bytes
}
static void leave() { _tile_release(); }

static void finishNothing(uint8_t *, int) {}

}  // namespace tpuc::exec::TPUC_LEVEL

namespace tpuc::exec {

const MxuKernels *amxKernels() {
  static MxuKernels kernels = avx512Kernels()->mxu;
  kernels.loadBf16 = amx::loadWeights<amx::PairBf16Form>;
  kernels.loadInt8 = amx::loadWeights<amx::QuadInt8Form>;
  kernels.zeroBf16 = amx::zeroUnits<amx::PairBf16Form>;
  kernels.zeroInt8 = amx::zeroUnits<amx::QuadInt8Form>;
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
