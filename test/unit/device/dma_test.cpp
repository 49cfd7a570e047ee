// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DMA against a byte-by-byte walk, and the memories.
#include "runtime/device/dma.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "runtime/device/mapping.h"

namespace tpuc::device {
namespace {

TEST(Dma, RandomDescriptors) {
  std::mt19937_64 random(3);
  auto below = [&](int64_t n) { return std::uniform_int_distribution<int64_t>(0, n - 1)(random); };
  int timesShared = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    isa::DmaDescriptor d;
    const int64_t runs[] = {4, 12, 128, 512, 4096, 1 + below(700)};
    d.runBytes = runs[below(6)];
    d.numDims = static_cast<uint8_t>(below(5));
    int64_t stride = d.runBytes;
    for (int i = d.numDims - 1; i >= 0; --i) {  // destination runs never overlap; some dims merge
      d.dims[i].count = 1 + below(4);
      d.dims[i].dstStride = stride + (below(2) ? below(64) : 0);
      d.dims[i].srcStride = below(2) ? d.dims[i].dstStride : below(600) - 300;
      stride = d.dims[i].dstStride * d.dims[i].count;
      if (below(5) == 0) d.dims[i].dstStride = -d.dims[i].dstStride;
    }
    DmaPlan plan(d);
    ASSERT_EQ(plan.totalBytes, d.totalBytes());
    std::vector<uint8_t> src(plan.srcHigh - plan.srcLow), dst(plan.dstHigh - plan.dstLow, 7), moved = dst,
                                                                                              expected = dst;
    for (uint8_t &byte : src) byte = static_cast<uint8_t>(random());
    int64_t lowest = 0, highest = 0;
    for (int64_t i = 0; i < d.totalBytes(); ++i) {
      int64_t rest = i / d.runBytes, from = i % d.runBytes, to = from;
      for (int k = d.numDims - 1; k >= 0; rest /= d.dims[k].count, --k) {
        from += rest % d.dims[k].count * d.dims[k].srcStride;
        to += rest % d.dims[k].count * d.dims[k].dstStride;
      }
      lowest = std::min(lowest, to);
      highest = std::max(highest, to + 1);
      expected[to - plan.dstLow] = src[from - plan.srcLow];
    }
    EXPECT_EQ(lowest, plan.dstLow);
    EXPECT_EQ(highest, plan.dstHigh);
    plan.copy(src.data() - plan.srcLow, dst.data() - plan.dstLow);
    plan.move(src.data() - plan.srcLow, moved.data() - plan.dstLow);
    ASSERT_EQ(dst, expected) << trial;
    ASSERT_EQ(moved, expected) << trial;
    for (int parts = 2; parts <= 3; ++parts) {
      if (!plan.mayShare(parts)) continue;
      std::vector<uint8_t> shared(expected.size(), 7);
      for (int part = parts; part-- > 0;)
        plan.copyPart(src.data() - plan.srcLow, shared.data() - plan.dstLow, part, parts);
      ASSERT_EQ(shared, expected) << trial;
      ++timesShared;
    }
  }
  EXPECT_GT(timesShared, 1000);
}

// Runs that land on one another have an order, which threads would not keep.
TEST(Dma, SharesOnlyWhatLiesApart) {
  auto mayShare = [](int64_t count0, int64_t stride0, int64_t count1, int64_t stride1) {
    isa::DmaDescriptor d;
    d.runBytes = 64;
    d.numDims = 2;
    d.dims[0] = {count0, 1000, stride0};
    d.dims[1] = {count1, 300, stride1};
    return DmaPlan(d).mayShare(2);
  };
  EXPECT_TRUE(mayShare(4, 512, 4, 128));
  EXPECT_TRUE(mayShare(4, 128, 4, -512));
  EXPECT_FALSE(mayShare(4, 0, 1, 0));      // each run over the one before
  EXPECT_FALSE(mayShare(4, 256, 4, 128));  // 4 * 128 > 256
  EXPECT_FALSE(mayShare(4, 32, 1, 0));     // 64 > 32
}

TEST(Dma, Inside) {
  EXPECT_TRUE(inside(0, 0, 512, 512));
  EXPECT_FALSE(inside(1, 0, 512, 512));
  EXPECT_FALSE(inside(-1, 0, 512, 512));
  EXPECT_FALSE(inside(0, -4, 4, 512));
  EXPECT_TRUE(inside(4, -4, 4, 512));
  EXPECT_FALSE(inside(INT64_MAX, 0, 4, 512));
  EXPECT_FALSE(inside(INT64_MIN, 0, 4, 512));
  EXPECT_FALSE(inside(0, 0, 4, 0));
}

TEST(Mapping, SharedPrefixIsOneMemory) {
  SharedPrefix prefix;
  ASSERT_TRUE(prefix.init(8192));
  Mapping a = prefix.image(5 << 20), b = prefix.image(5 << 20);
  ASSERT_TRUE(a.data() && b.data());
  a.data()[8191] = 1;
  a.data()[8192] = 2;
  EXPECT_EQ(b.data()[8191], 1);
  EXPECT_EQ(b.data()[8192], 0);
  Mapping moved = std::move(a);
  EXPECT_EQ(moved.data()[8192], 2);
  EXPECT_EQ(a.data(), nullptr);
  Mapping refused(size_t{1} << 60);
  EXPECT_EQ(refused.data(), nullptr);
}

}  // namespace
}  // namespace tpuc::device
