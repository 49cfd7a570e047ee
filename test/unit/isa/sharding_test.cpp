// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shardings as HLO spells them: which tile each device has, what of an array is in it.
#include "runtime/isa/sharding.h"

#include <gtest/gtest.h>

namespace tpuc::isa {
namespace {

using Tiles = std::vector<std::vector<int64_t>>;

Sharding parsed(const char *text, size_t rank, int64_t devices) {
  Sharding out;
  std::string error;
  EXPECT_TRUE(parseSharding(text, rank, devices, out, error)) << error;
  return out;
}

TEST(Sharding, ReadsTiles) {
  EXPECT_EQ(parsed("{devices=[2,2]<=[4]}", 2, 4).tileOf, (Tiles{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
  EXPECT_EQ(parsed("{devices=[2,2]<=[2,2]T(1,0)}", 2, 4).tileOf, (Tiles{{0, 0}, {1, 0}, {0, 1}, {1, 1}}));
  EXPECT_EQ(parsed("{devices=[2,1]1,0}", 2, 2).tileOf, (Tiles{{1, 0}, {0, 0}}));
  EXPECT_EQ(parsed("{devices=[2,1,2]<=[4] last_tile_dim_replicate}", 2, 4).tileOf,
            (Tiles{{0, 0}, {0, 0}, {1, 0}, {1, 0}}));
  EXPECT_EQ(parsed("{devices=[2,2,1]<=[4] last_tile_dims={manual, replicated}}", 1, 4).tileOf,
            (Tiles{{0}, {0}, {1}, {1}}));
  for (const char *whole : {"", "{replicated}", "{manual}"}) EXPECT_TRUE(parsed(whole, 2, 8).isWhole());
}

// Devices of one tile with summands of it, copies of each counted before them.
TEST(Sharding, ReadsSummands) {
  const Sharding s = parsed("{devices=[2,1,2,2]<=[8] last_tile_dims={replicated, unreduced}}", 2, 8);
  EXPECT_EQ(s.tileOf, (Tiles{{0, 0}, {0, 0}, {0, 0}, {0, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}}));
  EXPECT_EQ(s.summandOf, (std::vector<int64_t>{0, 1, 0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(parsed("{devices=[1,4]<=[4] last_tile_dims={unreduced}}", 1, 4).summandOf,
            (std::vector<int64_t>{0, 1, 2, 3}));
  EXPECT_FALSE(parsed("{unreduced}", 1, 4).isWhole());
  EXPECT_FALSE(parsed("{devices=[2,1,2]<=[4] last_tile_dim_replicate}", 2, 4).isPartial());
}

TEST(Sharding, RefusesWhatDoesNotFit) {
  Sharding out;
  std::string error;
  for (const char *text : {"{devices=[2,2]<=[4]", "{devices=[2,2]<=[8]}", "{devices=[4]<=[4]}", "{devices=[2,2]0,1,2}",
                           "{devices=[2,2]0,1,2,2}", "{devices=[2,2]<=[2,2]T(1,1)}", "{devices=[0,4]<=[4]}", "rows",
                           "{devices=[2,2]<=[4] last_tile_dim_replicate}", "{devices=[2,2]0,1,2,4}"})
    EXPECT_FALSE(parseSharding(text, 2, 4, out, error)) << text;
}

// Five rows over two devices: three and two, the third of the second one's is padding.
TEST(Sharding, SplitsWhatDoesNotDivide) {
  const Sharding s = parsed("{devices=[2,1]<=[2]}", 2, 2);
  const std::vector<int64_t> dims{5, 2};
  const std::vector<uint8_t> whole{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(s.partDims(dims), (std::vector<int64_t>{3, 2}));
  std::vector<uint8_t> part(6, 99), back(10);
  takePart(s, 1, dims, 1, whole.data(), part.data());
  EXPECT_EQ(part, (std::vector<uint8_t>{6, 7, 8, 9, 99, 99}));
  EXPECT_TRUE(isPart(s, 1, dims, 1, whole.data(), part.data()));
  EXPECT_FALSE(isPart(s, 0, dims, 1, whole.data(), part.data()));
  putPart(s, 1, dims, 1, part.data(), back.data());
  EXPECT_EQ(back, (std::vector<uint8_t>{0, 0, 0, 0, 0, 0, 6, 7, 8, 9}));
}

// More devices than rows: the last ones have nothing.
TEST(Sharding, LeavesDevicesEmpty) {
  const Sharding s = parsed("{devices=[4]<=[4]}", 1, 4);
  const std::vector<int64_t> dims{2};
  const uint8_t whole[] = {7, 8};
  uint8_t part = 99;
  EXPECT_EQ(s.range(3, 0, 2).size, 0);
  takePart(s, 3, dims, 1, whole, &part);
  EXPECT_EQ(part, 99);
}

}  // namespace
}  // namespace tpuc::isa
