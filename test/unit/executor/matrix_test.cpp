// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix unit at every CPU level against its definition: bf16 as AMX sums it, int8 modulo 2^32, f32 as a chain of
// FMAs.
#include <algorithm>
#include <cmath>

#include "runtime/executor/kernels.h"
#include "test/unit/executor/harness.h"

namespace tpuc::exec {
namespace {

using test::as;
using test::Bytes;

enum Kind { kBf16, kInt8, kF32 };
constexpr const char *kSuffix[] = {"bf16", "s8", "f32"};
constexpr int kRows[] = {16, 32, 8}, kGroups[] = {2, 4, 1};

uint32_t element(Kind kind, const uint8_t *vreg, int row, int lane) {
  int p = kRows[kind] / 8;
  uint32_t word;
  std::memcpy(&word, vreg + row / p * 512 + lane * 4, 4);
  return p == 1 ? word : (word >> (row % p * (32 / p))) & ((1u << (32 / p)) - 1);
}

// ---- the definition of the bf16 sum ---------------------------------------------------------------------------------
float flush(float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }
float flushFma(float a, float b, float c) {
  a = flush(a), b = flush(b), c = flush(c);
  float r = std::fma(a, b, c);
  // Tiny or not is decided after rounding with an unbounded exponent.
  bool tiny = std::fabs(r) <= 0x1p-126f && std::fabs(std::fma(a * 0x1p32f, b * 0x1p32f, c * 0x1p64f)) < 0x1p-62f;
  return tiny ? std::copysign(0.0f, r) : r;
}
float flushAdd(float a, float b) { return flush(flush(a) + flush(b)); }

float sumBf16(float acc, const std::vector<float> &a, const std::vector<float> &w) {
  for (size_t block = 0; block < a.size(); block += 32) {
    float chain[2] = {0, 0};
    for (size_t k = block; k < block + 32; ++k) chain[k % 2] = flushFma(a[k], w[k], chain[k % 2]);
    acc = flushAdd(acc, flushAdd(chain[0], chain[1]));
  }
  return acc;
}

struct Case {
  Kind kind;
  int side;
  bool transposed;
  int weightRows;  // rows of weight vregs loaded; the rest stays zero
};

struct Operands {
  std::vector<Bytes> weights;      // [row][column]
  std::vector<Bytes> activations;  // [push][half]
};

void fillNicely(Kind kind, Bytes &bytes, test::Random &random, bool nice) {
  bytes = test::oddBytes(random, 4096);
  if (!nice) return;
  for (size_t i = 0; i < bytes.size(); i += kind == kF32 ? 4 : 2) {
    float f = std::ldexp(1.0f + static_cast<float>(random() % 4096) / 4096, static_cast<int>(random() % 8) - 4) *
              (random() % 2 ? 1 : -1);
    uint32_t bits = as<uint32_t>(f);
    if (kind == kF32)
      std::memcpy(&bytes[i], &bits, 4);
    else if (kind == kBf16)
      bytes[i] = static_cast<uint8_t>(bits >> 16), bytes[i + 1] = static_cast<uint8_t>(bits >> 24);
    else
      bytes[i] = static_cast<uint8_t>(random()), bytes[i + 1] = static_cast<uint8_t>(random());
  }
}

// Weights, `pushes` pushes onto the same accumulators, all columns popped.
std::string program(const Case &c, int pushes) {
  const int columns = c.side / 128, weightVregs = c.weightRows * columns, halves = columns,
            results = kGroups[c.kind] * columns;
  std::string text = ".set vmem_bytes 4194304\n.set semaphores 1\n";
  text += ".dma 0 hbm[0]+0 -> vmem+0, run=" + std::to_string(4096 * (weightVregs + pushes * halves)) + "\n";
  text += ".dma 1 vmem+2097152 -> hbm[1]+0, run=" + std::to_string(4096 * results) + "\n";
  text += "{ dma.start s31, s31, 0, desc=0 }\n{ dma.wait 0, count=1 }\n";
  auto load = [&](int reg, int vreg) {
    text += "{ v.ld v" + std::to_string(reg) + ", s31, off=" + std::to_string(8 * vreg) + ", stride=1 }\n";
  };
  auto loadWeights = [&](int row, int col) {
    text += std::string("{ mxu.ldw.") + kSuffix[c.kind] + " v1, mxu=1, row=" + std::to_string(row) +
            ", col=" + std::to_string(col) + ", xpose=" + std::to_string(c.transposed) + " }\n";
  };
  // Stage and active weights hold others before: what is not loaded has to become zero.
  load(1, weightVregs);
  for (int swap = 0; swap < 2; ++swap) {
    for (int i = 0; i < c.side / kRows[c.kind] * columns; ++i) loadWeights(i / columns, i % columns);
    text += "{ mxu.swap mxu=1 }\n";
  }
  for (int i = 0; i < weightVregs; ++i) {
    load(1, i);
    loadWeights(i / columns, i % columns);
  }
  text += "{ mxu.swap mxu=1 }\n";
  for (int p = 0; p < pushes; ++p) {
    load(1, weightVregs + p * halves);
    if (halves == 2) load(2, weightVregs + p * halves + 1);
    text += std::string("{ mxu.push.") + kSuffix[c.kind] + " v1, " + (halves == 2 ? "v2" : "-") + ", 3, mxu=1 }\n";
  }
  for (int i = 0; i < results; ++i)
    text += "{ mxu.pop v3, " + std::to_string(3 + i / columns) + ", mxu=1, col=" + std::to_string(i % columns) +
            ", clear=1 }\n{ v.st v3, s31, off=" + std::to_string(4096 + 8 * i) + ", stride=1 }\n";
  return text + "{ dma.start s31, s31, 0, desc=1 }\n{ dma.wait 0, count=1 }\n{ halt }\n";
}

std::vector<uint32_t> expected(const Case &c, const Operands &in, int pushes) {
  const int columns = c.side / 128, rows = kRows[c.kind];
  std::vector<uint32_t> w(c.side * c.side), out(kGroups[c.kind] * columns * 1024);
  for (int i = 0; i < c.weightRows * columns; ++i)
    for (int r = 0; r < rows; ++r)
      for (int l = 0; l < 128; ++l) {
        int along = i / columns * rows + r, across = i % columns * 128 + l;
        w[c.transposed ? across * c.side + along : along * c.side + across] =
            element(c.kind, in.weights[i].data(), r, l);
      }
  for (int r = 0; r < rows; ++r)
    for (int n = 0; n < c.side; ++n) {
      float sum = 0;
      uint32_t integer = 0;
      for (int p = 0; p < pushes; ++p) {
        std::vector<float> a(c.side), b(c.side);
        for (int k = 0; k < c.side; ++k) {
          uint32_t x = element(c.kind, in.activations[p * columns + k / 128].data(), r, k % 128), y = w[k * c.side + n];
          if (c.kind == kInt8)
            integer += static_cast<uint32_t>(static_cast<int8_t>(x) * static_cast<int8_t>(y));
          else if (c.kind == kF32)
            sum = std::fma(as<float>(x), as<float>(y), sum);
          else
            a[k] = as<float>(x << 16), b[k] = as<float>(y << 16);
        }
        if (c.kind == kBf16) sum = sumBf16(sum, a, b);
      }
      int vreg = r / 8 * columns + n / 128;
      out[vreg * 1024 + r % 8 * 128 + n % 128] = c.kind == kInt8 ? integer : test::f32Bits(sum);
    }
  return out;
}

constexpr int kPushes = 2;

// Every level and the checking mode against the definition.
void check(const Case &c, const Operands &in) {
  Bytes all;
  for (const std::vector<Bytes> *list : {&in.weights, &in.activations})
    for (const Bytes &vreg : *list) all.insert(all.end(), vreg.begin(), vreg.end());
  std::vector<uint32_t> want = expected(c, in, kPushes);
  std::vector<Level> levels = availableLevels();
  levels.push_back(levels.back());  // once more in the checking mode
  for (size_t k = 0; k < levels.size(); ++k) {
    Level level = levels[k];
    ExecutorOptions options;
    options.level = level;
    options.checking = k + 1 == levels.size();
    options.shape = test::shapeOfSide(c.side);
    test::Outcome out = test::runText(program(c, kPushes), {all}, {want.size() * 4}, options);
    ASSERT_TRUE(out.ok) << out.error.text();
    std::vector<uint32_t> got = test::words(out.results[0]);
    for (size_t i = 0; i < want.size(); ++i)
      ASSERT_EQ(got[i], want[i]) << kSuffix[c.kind] << " side " << c.side << " transposed " << c.transposed << " "
                                 << levelName(level) << " lane " << i << std::hex << " got " << got[i] << " want "
                                 << want[i];
    EXPECT_EQ(out.statistics.pushes[c.kind], static_cast<uint64_t>(kPushes));
  }
}

void check(const Case &c, bool nice, uint64_t seed) {
  test::Random random(seed);
  const int columns = c.side / 128;
  Operands in;
  for (int i = 0; i < c.weightRows * columns; ++i) fillNicely(c.kind, in.weights.emplace_back(), random, nice);
  for (int i = 0; i < kPushes * columns; ++i) fillNicely(c.kind, in.activations.emplace_back(), random, nice);
  check(c, in);
}

class Matrix : public testing::TestWithParam<std::tuple<Kind, int, bool>> {};

TEST_P(Matrix, EqualsItsDefinition) {
  auto [kind, side, transposed] = GetParam();
  int all = side / kRows[kind];
  for (bool nice : {true, false})
    for (int rows : {all, 1, all / 2, all - 1}) check({kind, side, transposed, rows}, nice, side + rows);
}

std::string caseName(const testing::TestParamInfo<std::tuple<Kind, int, bool>> &info) {
  return std::string(kSuffix[std::get<0>(info.param)]) + "_" + std::to_string(std::get<1>(info.param)) +
         (std::get<2>(info.param) ? "_transposed" : "");
}
INSTANTIATE_TEST_SUITE_P(All, Matrix,
                         testing::Combine(testing::Values(kBf16, kInt8, kF32), testing::Values(128, 256),
                                          testing::Bool()),
                         caseName);

// Denormal products, sums that become denormal and sums that round up to the smallest normal number.
TEST(MatrixEdges, TinyNumbers) {
  for (int seed = 0; seed < 3; ++seed) {
    test::Random random(seed);
    Operands in;
    Bytes all;
    auto add = [&](std::vector<Bytes> &list, int count, int exponent) {
      for (int i = 0; i < count; ++i) {
        Bytes &b = list.emplace_back(4096);
        for (size_t k = 0; k < b.size(); k += 2) {
          uint16_t bits = static_cast<uint16_t>((random() & 0x807f) | (exponent + random() % 6) << 7);
          std::memcpy(&b[k], &bits, 2);
        }
        all.insert(all.end(), b.begin(), b.end());
      }
    };
    add(in.weights, 8, 60);
    add(in.activations, 1, 62);
    Case c{kBf16, 128, false, 8};
    std::vector<uint32_t> want = expected(c, in, 1);
    for (Level level : availableLevels()) {
      ExecutorOptions options;
      options.level = level;
      test::Outcome out = test::runText(program(c, 1), {all}, {want.size() * 4}, options);
      ASSERT_EQ(test::words(out.results[0]), want) << levelName(level);
    }
  }
}

// Weights with zeros in every pattern of 32 k by 16 columns, products that vanish with either sign, rows of one sign,
// and rows with an infinity that zeros do not clean.
TEST_P(Matrix, ZeroWeights) {
  auto [kind, side, transposed] = GetParam();
  const int rows = kRows[kind], words = 32 / (kind == kF32 ? 32 : kind == kBf16 ? 16 : 8);
  for (int seed = 0; seed < 4; ++seed) {
    test::Random random(seed);
    // Some rows are not even loaded, where an infinity has to meet their zeros too.
    Case c{kind, side, transposed, side / rows - (seed > 1 ? side / rows / 2 + 1 : 0)};
    Operands in;
    auto put = [&](Bytes &vreg, int row, int lane, bool zero, bool negative, bool infinite) {
      int bytes = 4 / words, at = row / words * 512 + lane * 4 + row % words * bytes;
      uint32_t exponent = infinite ? 255 : seed == 0 || random() % 2 ? 40 : 120 + random() % 8;
      uint32_t bits = zero ? 0 : (negative ? 0x80000000 : 0) | exponent << 23 | (infinite ? 0 : random() & 0x7f0000);
      if (kind == kInt8) bits = zero ? 0 : static_cast<uint32_t>(random()) | 1u << 24;
      for (int b = 0; b < bytes; ++b) vreg[at + b] = static_cast<uint8_t>(bits >> (32 - 8 * bytes + 8 * b));
    };
    std::vector<bool> used(8 * 16);
    for (size_t i = 0; i < used.size(); ++i) used[i] = random() % 3 == 0;
    for (int i = 0; i < c.weightRows * (side / 128); ++i) {
      Bytes &vreg = in.weights.emplace_back(4096);
      for (int r = 0; r < rows; ++r)
        for (int l = 0; l < 128; ++l) {
          int along = i / (side / 128) * rows + r, across = i % (side / 128) * 128 + l;
          int k = transposed ? across : along, n = transposed ? along : across;
          put(vreg, r, l, !used[k / 32 * 16 + n / 16], random() % 2, false);
        }
    }
    for (int i = 0; i < kPushes * (side / 128); ++i) {
      Bytes &vreg = in.activations.emplace_back(4096);
      for (int r = 0; r < rows; ++r)
        for (int l = 0; l < 128; ++l)
          put(vreg, r, l, false, r % 3 == 0 || (r % 3 == 1 && random() % 2), seed == 3 && r == 5 && l == 70);
    }
    check(c, in);
  }
}

// Sums of which pushes touch some columns, now these and now those, between pops that clear them and pops that don't.
TEST(MatrixEdges, SomeColumnsOfSums) {
  constexpr int kWeights = 3, kSums = 6;
  std::string text =
      ".set vmem_bytes 65536\n.set semaphores 1\n.dma 0 hbm[0]+0 -> vmem+0, run=16384\n.dma 1 vmem+16384 -> hbm[1]+0, "
      "run=24576\n{ dma.start s31, s31, 0, desc=0 }\n{ dma.wait 0, count=1 }\n";
  for (int v = 0; v <= kWeights; ++v)
    text += "{ v.ld v" + std::to_string(v) + ", s31, off=" + std::to_string(8 * v) + ", stride=1 }\n";
  const bool clears[kSums] = {false, true, false, true, true, true};
  const int weights[kSums] = {0, 1, 2, 2, -1, 1};  // -1: no push before the pop
  for (int k = 0; k < kSums; ++k) {
    if (weights[k] >= 0)
      text += "{ mxu.ldw.bf16 v" + std::to_string(weights[k]) + " }\n{ mxu.swap }\n{ mxu.push.bf16 v3, -, 5 }\n";
    text += "{ mxu.pop v4, 5, clear=" + std::to_string(clears[k]) +
            " }\n{ v.st v4, s31, off=" + std::to_string(32 + 8 * k) + ", stride=1 }\n";
  }
  text += "{ dma.start s31, s31, 0, desc=1 }\n{ dma.wait 0, count=1 }\n{ halt }\n";
  // Weights v have something in columns 48 v to 48 v + 20; the activations a row of negative zeros too.
  test::Random random(7);
  Bytes in;
  for (int v = 0; v <= kWeights; ++v) {
    Bytes vreg;
    fillNicely(kBf16, vreg, random, true);
    for (int r = 0; r < 16; ++r)
      for (int l = 0; l < 128; ++l) {
        const int at = r / 2 * 512 + l * 4 + r % 2 * 2;
        if (v < kWeights ? l < 48 * v || l > 48 * v + 20 : r == 3)
          vreg[at] = 0, vreg[at + 1] = v == kWeights ? 0x80 : 0;
      }
    in.insert(in.end(), vreg.begin(), vreg.end());
  }
  auto wide = [&](int v, int row, int lane) { return as<float>(element(kBf16, &in[v * 4096], row, lane) << 16); };
  std::vector<uint32_t> want;
  std::vector<float> sums(1024);
  for (int k = 0; k < kSums; ++k) {
    for (int i = 0; i < 1024; ++i) {
      std::vector<float> a(128), w(128);
      for (int j = 0; weights[k] >= 0 && j < 128; ++j) {
        a[j] = wide(kWeights, i / 128, j);
        w[j] = j < 16 ? wide(weights[k], j, i % 128) : 0;
      }
      sums[i] = sumBf16(sums[i], a, w);  // without a push too: no sum of these is -0
      want.push_back(test::f32Bits(sums[i]));
    }
    if (clears[k]) sums.assign(1024, 0);
  }
  for (Level level : availableLevels()) {
    ExecutorOptions options;
    options.level = level;
    test::Outcome out = test::runText(text, {in}, {want.size() * 4}, options);
    ASSERT_TRUE(out.ok) << out.error.text();
    ASSERT_EQ(test::words(out.results[0]), want) << levelName(level);
  }
}

// The instruction that adds two products, on CPUs that have it but where it does not pay.
TEST(MatrixEdges, PairsOfProducts) {
  const std::vector<Level> levels = availableLevels();
  if (std::find(levels.begin(), levels.end(), Level::Avx512Bf16) == levels.end()) GTEST_SKIP() << "no such CPU";
  const MxuKernels *kernels[] = {&portableKernels()->mxu, avx512Bf16Pairs()};
  test::Random random(11);
  for (int trial = 0; trial < 24; ++trial) {
    const int side = trial % 2 ? 256 : 128, columns = side / 128;
    Bytes weights[2], vreg, other;
    std::vector<float> sums[2];
    UsedWeights used[2];
    uint16_t touched[2][2] = {};
    for (int k = 0; k < 2; ++k) weights[k].resize(weightBytes(side)), sums[k].resize(16 * side, 0.0f);
    for (int i = 0; i < side / 16 * columns; ++i) {
      fillNicely(kBf16, vreg, random, trial % 3);
      if (random() % 4 == 0) continue;  // stays zero
      for (int k = 0; k < 2; ++k)
        kernels[k]->loadBf16(weights[k].data(), vreg.data(), side, i / columns, i % columns, trial & 4, used[k]);
    }
    for (int push = 0; push < 3; ++push) {
      fillNicely(kBf16, vreg, random, trial % 3);
      fillNicely(kBf16, other, random, trial % 3);
      for (int k = 0; k < 2; ++k)
        kernels[k]->pushBf16(sums[k].data(), weights[k].data(), vreg.data(), side == 256 ? other.data() : nullptr, side,
                             used[k], touched[k]);
    }
    for (size_t i = 0; i < sums[0].size(); ++i)
      ASSERT_EQ(test::f32Bits(sums[0][i]), test::f32Bits(sums[1][i])) << trial << " " << i;
  }
}

TEST(MatrixErrors, AreFound) {
  auto error = [](const std::string &body, int side = 128) {
    ExecutorOptions options;
    options.shape = test::shapeOfSide(side);
    test::Outcome out = test::runText(body + "{ halt }\n", {}, {}, options);
    EXPECT_FALSE(out.ok) << body;
    return out.error.text();
  };
  EXPECT_NE(error("{ mxu.ldw.bf16 v1 }\n{ mxu.ldw.f32 v1 }\n").find("another type"), std::string::npos);
  EXPECT_NE(error("{ mxu.ldw.bf16 v1 }\n{ mxu.swap }\n{ mxu.push.s8 v1, -, 0 }\n").find("another type"),
            std::string::npos);
  EXPECT_NE(error("{ mxu.push.bf16 v1, -, 31 }\n").find("outside of the accumulators"), std::string::npos);
  EXPECT_NE(error("{ mxu.pop v1, 32 }\n").find("outside of the accumulators"), std::string::npos);
  EXPECT_NE(error("{ mxu.ldw.bf16 v1, row=8 }\n").find("outside of the array"), std::string::npos);
  EXPECT_NE(error("{ mxu.ldw.bf16 v1, col=1 }\n").find("outside of the array"), std::string::npos);
  EXPECT_NE(error("{ mxu.swap mxu=2 }\n").find("no matrix unit"), std::string::npos);
  EXPECT_NE(error("{ mxu.push.bf16 v1, v2, 0 }\n").find("vregs a push"), std::string::npos);
  EXPECT_NE(error("{ mxu.push.bf16 v1, -, 0 }\n", 256).find("vregs a push"), std::string::npos);
}

// Both orientations in one stage: what the first left out is zero.
TEST(MatrixWeights, OrientationsMix) {
  const char *text =
      ".set vmem_bytes 65536\n.set semaphores 1\n.dma 0 hbm[0]+0 -> vmem+0, run=12288\n.dma 1 vmem+16384 -> hbm[1]+0, "
      "run=4096\n"
      "{ dma.start s31, s31, 0, desc=0 }\n{ dma.wait 0, count=1 }\n{ v.ld v1, s31, off=0, stride=1 }\n{ v.ld v2, s31, "
      "off=8, stride=1 }\n"
      "{ v.ld v3, s31, off=16, stride=1 }\n{ mxu.ldw.f32 v3, row=3 }\n{ mxu.swap }\n{ mxu.ldw.f32 v1, row=2 }\n"
      "{ mxu.ldw.f32 v2, row=5, xpose=1 }\n{ mxu.swap }\n{ mxu.push.f32 v3, -, 0 }\n{ mxu.pop v0, 0 }\n{ v.st v0, s31, "
      "off=32, stride=1 }\n"
      "{ dma.start s31, s31, 0, desc=1 }\n{ dma.wait 0, count=1 }\n{ halt }\n";
  test::Random random(5);
  Bytes in(3 * 4096);
  for (size_t i = 0; i < in.size(); i += 4) {
    uint32_t bits = test::f32Bits(static_cast<float>(random() % 100));
    std::memcpy(&in[i], &bits, 4);
  }
  auto at = [&](int vreg, int row, int lane) {
    uint32_t bits;
    std::memcpy(&bits, &in[vreg * 4096 + row * 512 + lane * 4], 4);
    return as<float>(bits);
  };
  for (Level level : availableLevels()) {
    ExecutorOptions options;
    options.level = level;
    test::Outcome out = test::runText(text, {in}, {4096}, options);
    ASSERT_TRUE(out.ok) << out.error.text();
    std::vector<uint32_t> got = test::words(out.results[0]);
    for (int r = 0; r < 8; ++r)
      for (int n = 0; n < 128; ++n) {
        float sum = 0;
        for (int k = 0; k < 128; ++k) {
          float w = n >= 40 && n < 48 ? at(1, n - 40, k) : k >= 16 && k < 24 ? at(0, k - 16, n) : 0;
          sum = std::fma(at(2, r, k), w, sum);
        }
        ASSERT_EQ(as<float>(got[r * 128 + n]), sum) << r << " " << n;
      }
  }
}

}  // namespace
}  // namespace tpuc::exec
