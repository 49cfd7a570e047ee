// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops of the AMX level over a model of its tiles, so that they are tested on CPUs without them: against the
// portable level, which has the same definition. What the tile instructions themselves compute, matrix_test.cpp sees
// where they exist.
#include <cstring>

#include "runtime/executor/core.h"
#include "runtime/executor/kernels.h"
#include "test/unit/executor/harness.h"

namespace tpuc::exec {
namespace model {

#include "runtime/executor/lanes.h"
#include "runtime/executor/mxu_forms.h"

uint32_t tiles[8][16][16];

void _tile_loadd(int t, const void *from, int stride) {
  for (int r = 0; r < 16; ++r) std::memcpy(tiles[t][r], static_cast<const char *>(from) + r * stride, 64);
}
void _tile_stored(int t, void *to, int stride) {
  for (int r = 0; r < 16; ++r) std::memcpy(static_cast<char *>(to) + r * stride, tiles[t][r], 64);
}
float wide(uint32_t pair, int half) { return bitsAs<float>(half ? pair & 0xffff0000 : pair << 16); }
// TDPBF16PS on normal numbers.
void _tile_dpbf16ps(int c, int a, int b) {
  for (int m = 0; m < 16; ++m)
    for (int n = 0; n < 16; ++n) {
      float chain[2] = {0, 0};
      for (int k = 0; k < 16; ++k)
        for (int half = 0; half < 2; ++half)
          chain[half] = __builtin_fmaf(wide(tiles[a][m][k], half), wide(tiles[b][k][n], half), chain[half]);
      tiles[c][m][n] = bitsAs<uint32_t>(bitsAs<float>(tiles[c][m][n]) + (chain[0] + chain[1]));
    }
}
void _tile_dpbssd(int c, int a, int b) {
  for (int m = 0; m < 16; ++m)
    for (int n = 0; n < 16; ++n)
      for (int k = 0; k < 16; ++k)
        for (int i = 0; i < 4; ++i)
          tiles[c][m][n] += static_cast<uint32_t>(static_cast<int8_t>(tiles[a][m][k] >> (8 * i)) *
                                                  static_cast<int8_t>(tiles[b][k][n] >> (8 * i)));
}

#include "runtime/executor/mxu_amx_tiles.h"

}  // namespace model

namespace {

void fill(test::Bytes &bytes, test::Random &random, bool bf16) {
  for (size_t i = 0; i < bytes.size(); i += 2) {
    uint16_t bits = static_cast<uint16_t>(random());
    if (bf16) bits = static_cast<uint16_t>((bits & 0x807f) | (124 + bits % 6) << 7);
    std::memcpy(&bytes[i], &bits, 2);
  }
}

class Amx : public testing::TestWithParam<std::tuple<int, bool, bool>> {};

TEST_P(Amx, EqualsThePortableLevel) {
  auto [side, bf16, transposed] = GetParam();
  const MxuKernels &plain = portableKernels()->mxu;
  const int rows = bf16 ? 16 : 32;
  test::Random random(side);
  test::Bytes weights[2], vreg(4096), other(4096);
  std::vector<float> sums[2];
  UsedWeights used[2];
  uint16_t touched[2][4] = {};
  for (int k = 0; k < 2; ++k) weights[k].resize(weightBytes(side)), sums[k].resize(32 * side, 0.0f);
  for (int row = 0; row < side / rows; ++row)
    for (int col = 0; col < side / 128; ++col) {
      fill(vreg, random, bf16);
      (bf16 ? plain.loadBf16 : plain.loadInt8)(weights[0].data(), vreg.data(), side, row, col, transposed, used[0]);
      (bf16 ? model::loadWeights<model::PairBf16Form>
            : model::loadWeights<model::QuadInt8Form>)(weights[1].data(), vreg.data(), side, row, col, transposed,
                                                       used[1]);
    }
  for (int push = 0; push < 2; ++push) {
    fill(vreg, random, bf16);
    fill(other, random, bf16);
    const uint8_t *b = side == 256 ? other.data() : nullptr;
    (bf16 ? plain.pushBf16 : plain.pushInt8)(sums[0].data(), weights[0].data(), vreg.data(), b, side, used[0],
                                             touched[0]);
    (bf16 ? model::push<model::PairBf16Form, model::rowsBf16>
          : model::push<model::QuadInt8Form, model::rowsInt8>)(sums[1].data(), weights[1].data(), vreg.data(), b, side,
                                                               used[1], touched[1]);
  }
  EXPECT_EQ(std::memcmp(sums[0].data(), sums[1].data(), sums[0].size() * 4), 0);
}

INSTANTIATE_TEST_SUITE_P(All, Amx, testing::Combine(testing::Values(128, 256), testing::Bool(), testing::Bool()));

}  // namespace
}  // namespace tpuc::exec
