// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layout of arrays, and its conversion against the definition element by element.
#include "runtime/device/pack.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <random>

namespace tpuc::device {
namespace {

using isa::ArrayLayout;

ArrayLayout layoutOf(std::string_view type, std::vector<int64_t> dims, std::vector<int32_t> order = {}) {
  ArrayLayout layout;
  std::string error;
  EXPECT_TRUE(isa::makeLayout(type, dims, order, layout, error)) << error;
  return layout;
}

TEST(Layout, SharedOrders) {
  using Order = std::vector<int32_t>;
  auto order = [](std::string_view type, std::vector<int64_t> dims) { return isa::sharedOrder(type, dims); };
  // Weights with features first and a window of 3x3: 8x128 tiles of 3x3 numbers take 113 times their bytes.
  EXPECT_EQ(order("f32", {512, 512, 3, 3}), (Order{2, 3, 0, 1}));
  EXPECT_EQ(order("bf16", {512, 512, 3, 3}), (Order{2, 3, 0, 1}));
  EXPECT_EQ(order("f32", {8, 224, 224, 3}), (Order{0, 3, 1, 2}));
  // A seventh: 16 of 128 lanes.
  EXPECT_EQ(order("f32", {128, 256, 17}), Order{});
  EXPECT_EQ(order("f32", {128, 256, 16}), (Order{0, 2, 1}));
  // Heads of 32 between the rows and the lanes; two layers' are too little, and so are as many bytes of few channels.
  EXPECT_EQ(order("f32", {3, 128, 4, 32}), (Order{0, 2, 3, 1}));
  EXPECT_EQ(order("f32", {2, 128, 4, 32}), Order{});
  EXPECT_EQ(order("f32", {8, 32, 32, 3}), Order{});
  // Rows of few elements are columns; two thousand are too little to gain.
  EXPECT_EQ(order("f32", {4096, 4}), (Order{1, 0}));
  EXPECT_EQ(order("bf16", {8192, 7}), (Order{1, 0}));
  EXPECT_EQ(order("f32", {2047, 4}), Order{});
  // Longer rows stay rows, as do those of bytes, 32 of which share a tile; and too little to gain; and types of two
  // words or of parts of a byte.
  EXPECT_EQ(order("f32", {100000, 8}), Order{});
  EXPECT_EQ(order("i8", {100000, 3}), Order{});
  EXPECT_EQ(order("f32", {32, 64, 3, 3}), Order{});
  EXPECT_EQ(order("f64", {512, 512, 3, 3}), Order{});
  EXPECT_EQ(order("i1", {512, 512, 3, 3}), Order{});
  EXPECT_EQ(order("i4", {512, 512, 3, 3}), Order{});
  EXPECT_EQ(order("f32", {512, 0, 3, 3}), Order{});
  EXPECT_EQ(order("f32", {int64_t{1} << 40, int64_t{1} << 40, 3}), Order{});
}

TEST(Layout, KnownSizes) {
  auto bytes = [](std::string_view type, std::vector<int64_t> dims) { return isa::paddedBytes(type, dims); };
  EXPECT_EQ(bytes("f32", {}), 512);
  EXPECT_EQ(bytes("f32", {128}), 512);
  EXPECT_EQ(bytes("f32", {129}), 1024);
  EXPECT_EQ(bytes("bf16", {129}), 512);
  EXPECT_EQ(bytes("i8", {513}), 1024);
  EXPECT_EQ(bytes("f32", {8, 128}), 4096);
  EXPECT_EQ(bytes("f32", {9, 129}), 4 * 4096);
  EXPECT_EQ(bytes("bf16", {16, 128}), 4096);
  EXPECT_EQ(bytes("i1", {32, 128}), 4096);
  EXPECT_EQ(bytes("f64", {8, 128}), 2 * 4096);
  EXPECT_EQ(bytes("complex<f64>", {3}), 4 * 512);
  EXPECT_EQ(bytes("i4", {64, 128}), 4096);
  EXPECT_EQ(bytes("ui2", {128, 128}), 4096);
  EXPECT_EQ(bytes("f32", {0, 7}), 0);
  EXPECT_EQ(bytes("f32", {0}), 0);
  EXPECT_EQ(bytes("f32", {int64_t{1} << 40, int64_t{1} << 40}), -1);
  EXPECT_EQ(bytes("f32", {int64_t{1} << 44}), -1);
  EXPECT_EQ(bytes("f32", {INT64_MAX}), -1);
  EXPECT_EQ(bytes("f32", {0, INT64_MAX, INT64_MAX}), 0);
  EXPECT_EQ(bytes("f32", {-1}), -1);
  EXPECT_EQ(bytes("f99", {1}), -1);
  std::vector<int64_t> dims = {2, 3};
  for (std::vector<int32_t> order : {std::vector<int32_t>{0}, {0, 0}, {0, 2}, {-1, 0}})
    EXPECT_EQ(isa::paddedBytes("f32", dims, order), -1);
}

TEST(Layout, TileOfBf16) {
  ArrayLayout l = layoutOf("bf16", {32, 256});
  int64_t index[] = {17, 130};  // tile (1, 1), row 1 of it: word 0, part 1; lane 2
  EXPECT_EQ(l.place(index).byte, 3 * 4096 + 0 * 512 + 2 * 4 + 2);
}

// Every element's bits lie where place() says, every other bit is the fill's, and unpack gives the elements back.
void checkRoundTrip(const ArrayLayout &l, std::mt19937_64 &random, ThreadPool *pool) {
  const int hostBytes = l.type->hostBytes, planes = l.type->planes;
  std::vector<uint8_t> host(l.elements * hostBytes), back(host.size(), 0xee), device(l.bytes + 64, 0x11);
  for (uint8_t &byte : host) byte = static_cast<uint8_t>(random());
  int bits = l.type->partBits();
  if (bits < 8)
    for (uint8_t &byte : host)
      byte = l.type->numeric == isa::Numeric::Int
                 ? static_cast<uint8_t>(static_cast<int8_t>(byte << (8 - bits)) >> (8 - bits))
                 : byte & ((1 << bits) - 1);
  pack(l, host.data(), device.data(), kGarbageFill, pool);
  for (int i = 0; i < 64; ++i) ASSERT_EQ(device[l.bytes + i], 0x11) << "written past the end";
  unpack(l, device.data(), back.data(), pool);
  ASSERT_EQ(back, host);

  std::vector<uint8_t> expected(l.bytes);
  for (int64_t i = 0; i < l.bytes; ++i) expected[i] = static_cast<uint8_t>(kGarbageFill >> (i % 4 * 8));
  std::vector<int64_t> index(l.dims.size());
  for (int64_t e = 0; e < l.elements; ++e) {
    int64_t rest = e;
    for (size_t d = l.dims.size(); d-- > 0; rest /= l.dims[d]) index[d] = rest % l.dims[d];
    ArrayLayout::Place at = l.place(index);
    int width = hostBytes / planes;
    for (int k = 0; k < planes; ++k)
      for (int b = 0; b < width; ++b) {
        uint8_t &to = expected[k * l.planeBytes + at.byte + b];
        uint8_t mask = bits < 8 ? static_cast<uint8_t>(((1 << bits) - 1) << at.bit) : 0xff;
        to = static_cast<uint8_t>((to & ~mask) | ((host[e * hostBytes + k * width + b] << at.bit) & mask));
      }
  }
  device.resize(l.bytes);
  ASSERT_EQ(device, expected) << l.type->name;
}

TEST(Pack, EveryTypeAndRank) {
  std::mt19937_64 random(1);
  auto below = [&](int64_t n) { return std::uniform_int_distribution<int64_t>(0, n - 1)(random); };
  for (const isa::ElementType &type : isa::elementTypes())
    for (int rank = 0; rank <= 5; ++rank)
      for (int trial = 0; trial < 6; ++trial) {
        std::vector<int64_t> dims(rank);
        for (int64_t &dim : dims) dim = 1 + below(rank <= 1 ? 3000 : rank == 2 ? 200 : 17);
        if (trial == 0) dims.assign(rank, 1);
        if (trial == 1 && rank) dims[below(rank)] = 0;
        if (trial == 2 && rank) dims.back() = 128;
        std::vector<int32_t> order(rank);
        std::iota(order.begin(), order.end(), 0);
        if (trial > 2) std::shuffle(order.begin(), order.end(), random);
        checkRoundTrip(layoutOf(type.name, dims, order), random, nullptr);
        if (HasFatalFailure()) return;
      }
}

TEST(Pack, ThreadsGiveTheSameBytes) {
  std::mt19937_64 random(2);
  ThreadPool pool(5);
  checkRoundTrip(layoutOf("f32", {3, 300, 700}), random, &pool);
  checkRoundTrip(layoutOf("bf16", {1000, 500}, {1, 0}), random, &pool);
  checkRoundTrip(layoutOf("i8", {1000003}), random, &pool);
  checkRoundTrip(layoutOf("f64", {257, 1001}), random, &pool);
}

TEST(Pack, NullHostIsZeros) {
  ArrayLayout l = layoutOf("bf16", {3, 5});
  std::vector<uint32_t> device(l.bytes / 4);
  pack(l, nullptr, device.data(), 0xffffffff);
  EXPECT_EQ(device[0], 0u);
  EXPECT_EQ(device[4], 0u);
  EXPECT_EQ(device[5], 0xffffffff);
  EXPECT_EQ(device[128], 0xffff0000);  // rows 2 and 3
}

TEST(ThreadPool, RunsEveryTaskOnce) {
  ThreadPool pool(4);
  for (int round = 0; round < 2000; ++round) {
    std::atomic<int> sum{0};
    int tasks = 1 + round % 7, expected = 0;
    std::atomic<bool> known{true};
    auto job = [&](int i, int thread) {
      sum += 1 << (4 * i);
      if (thread < 0 || thread >= pool.size()) known = false;
    };
    pool.run(tasks, job, round % 3 != 0);
    for (int i = 0; i < tasks; ++i) expected += 1 << (4 * i);
    ASSERT_EQ(sum.load(), expected);
    ASSERT_TRUE(known.load());
    if (round % 500 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace
}  // namespace tpuc::device
