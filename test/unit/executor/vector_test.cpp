// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every vector instruction at every CPU level against a plain model of one lane.
#include <cmath>
#include <functional>

#include "test/unit/executor/harness.h"

namespace tpuc::exec {
namespace {

using test::as;
using test::Bytes;
using test::f32Bits;

constexpr int kLanes = 1024;
using Lanes = std::vector<uint32_t>;
// Result lanes from the vregs v1, v2, v3 and the mask m1 (lanes where v3 is odd).
using Model = std::function<uint32_t(const Lanes &, const Lanes &, const Lanes &, int)>;

std::string program(const std::string &body) {
  std::string text = ".set vmem_bytes 65536\n.set smem_bytes 64\n.set semaphores 2\n";
  for (int i = 0; i < 3; ++i)
    text += ".dma " + std::to_string(i) + " hbm[" + std::to_string(i) + "]+0 -> vmem+" + std::to_string(4096 * i) +
            ", run=4096\n";
  text += ".dma 3 vmem+16384 -> hbm[3]+0, run=4096\n";
  for (int i = 0; i < 3; ++i) text += "{ dma.start s31, s31, 0, desc=" + std::to_string(i) + " }\n";
  text +=
      "{ dma.wait 0, count=3 }\n{ v.ld v1, s31, off=0, stride=1 }\n{ v.ld v2, s31, off=8, stride=1 }\n{ v.ld v3, s31, "
      "off=16, stride=1 }\n";
  text += "{ v.li v4, 1 }\n{ v.and v5, v3, v4 }\n{ v.eq.i32 m1, v5, v4 }\n";
  text += body;
  return text +
         "{ v.st v0, s31, off=32, stride=1 }\n{ dma.start s31, s31, 0, desc=3 }\n{ dma.wait 0, count=1 }\n{ halt }\n";
}

void check(const std::string &body, const Model &model, int trials = 6) {
  test::Random random(std::hash<std::string>()(body));
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<Bytes> inputs = {test::oddBytes(random, 4096), test::oddBytes(random, 4096),
                                 test::oddBytes(random, 4096)};
    Lanes a = test::words(inputs[0]), b = test::words(inputs[1]), c = test::words(inputs[2]);
    std::vector<Level> levels = availableLevels();
    levels.push_back(levels.back());  // once more in the checking mode
    for (size_t k = 0; k < levels.size(); ++k) {
      Level level = levels[k];
      ExecutorOptions options;
      options.level = level;
      options.checking = k + 1 == levels.size();
      test::Outcome out = test::runText(program(body), inputs, {4096}, options);
      ASSERT_TRUE(out.ok) << body << out.error.text();
      Lanes got = test::words(out.results[0]);
      for (int l = 0; l < kLanes; ++l)
        ASSERT_EQ(got[l], model(a, b, c, l))
            << body << levelName(level) << " lane " << l << std::hex << " a " << a[l] << " b " << b[l] << " c " << c[l];
    }
  }
}

void checkF(const std::string &mnemonic, float (*fn)(float, float)) {
  check("{ " + mnemonic + " v0, v1, v2 }\n", [fn](const Lanes &a, const Lanes &b, const Lanes &, int l) {
    return f32Bits(fn(as<float>(a[l]), as<float>(b[l])));
  });
}
void checkU(const std::string &mnemonic, uint32_t (*fn)(uint32_t, uint32_t)) {
  check("{ " + mnemonic + " v0, v1, v2 }\n",
        [fn](const Lanes &a, const Lanes &b, const Lanes &, int l) { return fn(a[l], b[l]); });
}
void checkUnary(const std::string &operation, uint32_t (*fn)(uint32_t)) {
  check("{ " + operation + " }\n", [fn](const Lanes &a, const Lanes &, const Lanes &, int l) { return fn(a[l]); });
}
// The mask as lanes of 1 and 0.
void checkMask(const std::string &operation, const Model &model) {
  check("{ " + operation + " }\n{ v.li v6, 0 }\n{ v.sel v0, m2, v4, v6 }\n", model);
}

float minimum(float a, float b) {
  if (a != a || b != b) return NAN;
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
float maximum(float a, float b) {
  if (a != a || b != b) return NAN;
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

TEST(Vector, FloatArithmetic) {
  checkF("v.add.f32", [](float a, float b) { return a + b; });
  checkF("v.sub.f32", [](float a, float b) { return a - b; });
  checkF("v.mul.f32", [](float a, float b) { return a * b; });
  checkF("v.min.f32", minimum);
  checkF("v.max.f32", maximum);
  check(
      "{ v.fma.f32 v0, v1, v2, v3 }\n",
      [](const Lanes &a, const Lanes &b, const Lanes &c, int l) {
        return f32Bits(std::fma(as<float>(a[l]), as<float>(b[l]), as<float>(c[l])));
      },
      60);
}

TEST(Vector, IntegerArithmetic) {
  checkU("v.add.i32", [](uint32_t a, uint32_t b) { return a + b; });
  checkU("v.sub.i32", [](uint32_t a, uint32_t b) { return a - b; });
  checkU("v.mul.i32", [](uint32_t a, uint32_t b) { return a * b; });
  checkU("v.mulh.u32",
         [](uint32_t a, uint32_t b) { return static_cast<uint32_t>(static_cast<uint64_t>(a) * b >> 32); });
  checkU("v.min.i32", [](uint32_t a, uint32_t b) { return static_cast<int32_t>(a) < static_cast<int32_t>(b) ? a : b; });
  checkU("v.max.i32", [](uint32_t a, uint32_t b) { return static_cast<int32_t>(a) > static_cast<int32_t>(b) ? a : b; });
  checkU("v.min.u32", [](uint32_t a, uint32_t b) { return std::min(a, b); });
  checkU("v.max.u32", [](uint32_t a, uint32_t b) { return std::max(a, b); });
  checkU("v.and", [](uint32_t a, uint32_t b) { return a & b; });
  checkU("v.or", [](uint32_t a, uint32_t b) { return a | b; });
  checkU("v.xor", [](uint32_t a, uint32_t b) { return a ^ b; });
  checkU("v.shl", [](uint32_t a, uint32_t b) { return b >= 32 ? 0 : a << b; });
  checkU("v.shr.u32", [](uint32_t a, uint32_t b) { return b >= 32 ? 0 : a >> b; });
  checkU("v.shr.s32", [](uint32_t a, uint32_t b) {
    return static_cast<uint32_t>(static_cast<int64_t>(static_cast<int32_t>(a)) >> std::min(b, 32u));
  });
  checkUnary("v.popcnt v0, v1", [](uint32_t a) { return static_cast<uint32_t>(__builtin_popcount(a)); });
  checkUnary("v.clz v0, v1", [](uint32_t a) { return a ? static_cast<uint32_t>(__builtin_clz(a)) : 32; });
}

TEST(Vector, Compares) {
  auto f = [](bool (*fn)(float, float)) {
    return [fn](const Lanes &a, const Lanes &b, const Lanes &, int l) -> uint32_t {
      return fn(as<float>(a[l]), as<float>(b[l]));
    };
  };
  auto s = [](bool (*fn)(int32_t, int32_t)) {
    return [fn](const Lanes &a, const Lanes &b, const Lanes &, int l) -> uint32_t {
      return fn(as<int32_t>(a[l]), as<int32_t>(b[l]));
    };
  };
  checkMask("v.eq.f32 m2, v1, v2", f([](float a, float b) { return a == b; }));
  checkMask("v.ne.f32 m2, v1, v2", f([](float a, float b) { return a != b; }));
  checkMask("v.lt.f32 m2, v1, v2", f([](float a, float b) { return a < b; }));
  checkMask("v.le.f32 m2, v1, v2", f([](float a, float b) { return a <= b; }));
  checkMask("v.eq.i32 m2, v1, v2", s([](int32_t a, int32_t b) { return a == b; }));
  checkMask("v.ne.i32 m2, v1, v2", s([](int32_t a, int32_t b) { return a != b; }));
  checkMask("v.lt.s32 m2, v1, v2", s([](int32_t a, int32_t b) { return a < b; }));
  checkMask("v.le.s32 m2, v1, v2", s([](int32_t a, int32_t b) { return a <= b; }));
  checkMask("v.lt.u32 m2, v1, v2",
            [](const Lanes &a, const Lanes &b, const Lanes &, int l) -> uint32_t { return a[l] < b[l]; });
  checkMask("v.le.u32 m2, v1, v2",
            [](const Lanes &a, const Lanes &b, const Lanes &, int l) -> uint32_t { return a[l] <= b[l]; });
}

TEST(Vector, Masks) {
  auto odd = [](const Lanes &c, int l) -> uint32_t { return c[l] & 1; };
  auto less = [](const Lanes &a, const Lanes &b, int l) -> uint32_t { return a[l] < b[l]; };
  checkMask("v.lt.u32 m3, v1, v2 }\n{ m.and m2, m1, m3",
            [=](const Lanes &a, const Lanes &b, const Lanes &c, int l) { return odd(c, l) & less(a, b, l); });
  checkMask("v.lt.u32 m3, v1, v2 }\n{ m.or m2, m1, m3",
            [=](const Lanes &a, const Lanes &b, const Lanes &c, int l) { return odd(c, l) | less(a, b, l); });
  checkMask("v.lt.u32 m3, v1, v2 }\n{ m.xor m2, m1, m3",
            [=](const Lanes &a, const Lanes &b, const Lanes &c, int l) { return odd(c, l) ^ less(a, b, l); });
  checkMask("m.li m2, 1", [](const Lanes &, const Lanes &, const Lanes &, int) { return 1u; });
  checkMask("m.li m2, 0", [](const Lanes &, const Lanes &, const Lanes &, int) { return 0u; });
  check("{ v.sel v0, m1, v1, v2 }\n",
        [](const Lanes &a, const Lanes &b, const Lanes &c, int l) { return c[l] & 1 ? a[l] : b[l]; });
}

TEST(Vector, ConstantsAndMoves) {
  checkUnary("v.mov v0, v1", [](uint32_t a) { return a; });
  check("{ v.li v0, 0xdeadbeef }\n", [](const Lanes &, const Lanes &, const Lanes &, int) { return 0xdeadbeef; });
  check("{ s.li s1, -3 }\n{ v.splat v0, s1 }\n",
        [](const Lanes &, const Lanes &, const Lanes &, int) { return 0xfffffffd; });
  check("{ v.laneid v0 }\n", [](const Lanes &, const Lanes &, const Lanes &, int l) { return l % 128; });
  check("{ v.subid v0 }\n", [](const Lanes &, const Lanes &, const Lanes &, int l) { return l / 128; });
  check("{ v.tos s1, v1 }\n{ v.splat v0, s1 }\n",
        [](const Lanes &a, const Lanes &, const Lanes &, int) { return a[0]; });
}

uint32_t toF16(uint32_t bits) {
  float f = as<float>(bits);
  if (f != f) return 0x7e00;
  _Float16 h = static_cast<_Float16>(f);
  return as<uint16_t>(h);
}

TEST(Vector, Conversions) {
  checkUnary("v.round.f32 v0, v1, mode=0", [](uint32_t a) { return f32Bits(std::nearbyint(as<float>(a))); });
  checkUnary("v.round.f32 v0, v1, mode=1", [](uint32_t a) { return f32Bits(std::floor(as<float>(a))); });
  checkUnary("v.round.f32 v0, v1, mode=2", [](uint32_t a) { return f32Bits(std::ceil(as<float>(a))); });
  checkUnary("v.round.f32 v0, v1, mode=3", [](uint32_t a) { return f32Bits(std::trunc(as<float>(a))); });
  checkUnary("v.round.f32 v0, v1, mode=4", [](uint32_t a) { return f32Bits(std::round(as<float>(a))); });
  checkUnary("v.cvt.f32.s32 v0, v1", [](uint32_t a) {
    double d = as<float>(a);
    return d != d ? 0u
                  : static_cast<uint32_t>(static_cast<int32_t>(std::clamp(std::trunc(d), -2147483648.0, 2147483647.0)));
  });
  checkUnary("v.cvt.f32.u32 v0, v1", [](uint32_t a) {
    double d = as<float>(a);
    return d != d ? 0u : static_cast<uint32_t>(std::clamp(std::trunc(d), 0.0, 4294967295.0));
  });
  checkUnary("v.cvt.s32.f32 v0, v1", [](uint32_t a) { return f32Bits(static_cast<float>(static_cast<int32_t>(a))); });
  checkUnary("v.cvt.u32.f32 v0, v1", [](uint32_t a) { return f32Bits(static_cast<float>(a)); });
  checkUnary("v.cvt.f32.bf16 v0, v1", [](uint32_t a) {
    float f = as<float>(a);
    return f != f ? 0x7fc0u : (a + 0x7fff + (a >> 16 & 1)) >> 16;
  });
  checkUnary("v.cvt.f32.f16 v0, v1", toF16);
  checkUnary("v.cvt.f16.f32 v0, v1",
             [](uint32_t a) { return f32Bits(static_cast<float>(as<_Float16>(static_cast<uint16_t>(a)))); });
}

// All 2^16 f16 in both directions.
TEST(Vector, EveryF16) {
  for (int at = 0; at < 65536; at += kLanes) {
    Bytes in(4096);
    for (int l = 0; l < kLanes; ++l) {
      uint32_t bits = at + l;
      std::memcpy(&in[4 * l], &bits, 4);
    }
    for (Level level : availableLevels()) {
      ExecutorOptions options;
      options.level = level;
      test::Outcome out =
          test::runText(program("{ v.cvt.f16.f32 v6, v1 }\n{ v.cvt.f32.f16 v0, v6 }\n"), {in, in, in}, {4096}, options);
      ASSERT_TRUE(out.ok);
      Lanes got = test::words(out.results[0]);
      for (uint32_t l = 0; l < kLanes; ++l) {
        uint32_t h = at + l;
        ASSERT_EQ(got[l], (h & 0x7fff) > 0x7c00 ? 0x7e00 : h);
      }
    }
  }
}

// Element of row r of rows packed p a word.
uint32_t part(const Lanes &v, int p, int r, int lane) { return v[r / p * 128 + lane] >> (r % p * (32 / p)); }

TEST(Vector, Packing) {
  auto source = [](const Lanes &a, const Lanes &b, int row) -> const Lanes & { return row < 8 ? a : b; };
  check("{ v.pack.b16 v0, v1, v2 }\n", [=](const Lanes &a, const Lanes &b, const Lanes &, int l) {
    auto row = [&](int r) { return source(a, b, r)[r % 8 * 128 + l % 128] & 0xffff; };
    return row(l / 128 * 2) | row(l / 128 * 2 + 1) << 16;
  });
  check("{ v.pack.bf16 v0, v1, v2 }\n", [=](const Lanes &a, const Lanes &b, const Lanes &, int l) {
    auto row = [&](int r) {
      uint32_t x = source(a, b, r)[r % 8 * 128 + l % 128];
      return (x & 0x7fffffff) > 0x7f800000 ? 0x7fc0 : (x + 0x7fff + (x >> 16 & 1)) >> 16;
    };
    return row(l / 128 * 2) | row(l / 128 * 2 + 1) << 16;
  });
  check("{ v.pack.b8 v0, v1, v2 }\n", [](const Lanes &a, const Lanes &b, const Lanes &, int l) {
    uint32_t out = 0;
    for (int j = 0; j < 4; ++j) {
      int r = l / 128 * 4 + j;
      out |= (part(r < 16 ? a : b, 2, r % 16, l % 128) & 0xff) << (8 * j);
    }
    return out;
  });
  for (int k = 0; k < 2; ++k) {
    std::string which = std::to_string(k);
    check("{ v.unpack.bf16 v0, v1, part=" + which + " }\n", [k](const Lanes &a, const Lanes &, const Lanes &, int l) {
      return part(a, 2, 8 * k + l / 128, l % 128) << 16;
    });
    check("{ v.unpack.b16 v0, v1, part=" + which + " }\n", [k](const Lanes &a, const Lanes &, const Lanes &, int l) {
      return part(a, 2, 8 * k + l / 128, l % 128) & 0xffff;
    });
    check("{ v.unpack.b16 v0, v1, part=" + which + ", sext=1 }\n",
          [k](const Lanes &a, const Lanes &, const Lanes &, int l) {
            return static_cast<uint32_t>(static_cast<int16_t>(part(a, 2, 8 * k + l / 128, l % 128)));
          });
  }
  for (int k = 0; k < 4; ++k) {
    std::string which = std::to_string(k);
    check("{ v.unpack.b8 v0, v1, part=" + which + " }\n", [k](const Lanes &a, const Lanes &, const Lanes &, int l) {
      return part(a, 4, 8 * k + l / 128, l % 128) & 0xff;
    });
    check("{ v.unpack.b8 v0, v1, part=" + which + ", sext=1 }\n",
          [k](const Lanes &a, const Lanes &, const Lanes &, int l) {
            return static_cast<uint32_t>(static_cast<int8_t>(part(a, 4, 8 * k + l / 128, l % 128)));
          });
  }
}

TEST(Vector, CrossLane) {
  for (int by : {0, 1, 5, 64, 127, 128, 131, -1, -130}) {
    auto mod = [](int x, int m) { return ((x % m) + m) % m; };
    std::string b = std::to_string(by);
    check(
        "{ x.rot.lane v0, v1, " + b + " }\n",
        [=](const Lanes &a, const Lanes &, const Lanes &, int l) { return a[l / 128 * 128 + mod(l % 128 - by, 128)]; },
        1);
    check(
        "{ s.li s3, " + b + " }\n{ x.rot.lane v0, v1, s3 }\n",
        [=](const Lanes &a, const Lanes &, const Lanes &, int l) { return a[l / 128 * 128 + mod(l % 128 - by, 128)]; },
        1);
    check(
        "{ x.rot.sub v1, v1, " + b + " }\n{ v.mov v0, v1 }\n",
        [=](const Lanes &a, const Lanes &, const Lanes &, int l) { return a[mod(l / 128 - by, 8) * 128 + l % 128]; },
        1);
    check(
        "{ x.bcast.lane v0, v1, " + b + " }\n",
        [=](const Lanes &a, const Lanes &, const Lanes &, int l) { return a[l / 128 * 128 + mod(by, 128)]; }, 1);
    check(
        "{ x.bcast.sub v0, v1, " + b + " }\n",
        [=](const Lanes &a, const Lanes &, const Lanes &, int l) { return a[mod(by, 8) * 128 + l % 128]; }, 1);
  }
  check("{ x.perm.lane v0, v1, v2 }\n",
        [](const Lanes &a, const Lanes &b, const Lanes &, int l) { return a[l / 128 * 128 + b[l] % 128]; });
  check("{ x.perm.sub v0, v1, v2 }\n",
        [](const Lanes &a, const Lanes &b, const Lanes &, int l) { return a[b[l] % 8 * 128 + l % 128]; });
}

template <typename T>
Model laneTree(T (*fn)(T, T), int step, int count) {
  return [=](const Lanes &a, const Lanes &, const Lanes &, int l) {
    std::vector<T> v(count);
    for (int k = 0; k < count; ++k) v[k] = as<T>(step == 1 ? a[l / 128 * 128 + k] : a[k * 128 + l % 128]);
    for (int half = count / 2; half; half /= 2)
      for (int k = 0; k < half; ++k) v[k] = fn(v[k], v[k + half]);
    if constexpr (std::is_same_v<T, float>)
      return f32Bits(v[0]);
    else
      return as<uint32_t>(v[0]);
  };
}

TEST(Vector, Reductions) {
  auto add = [](float a, float b) { return a + b; };
  auto addI = [](uint32_t a, uint32_t b) { return a + b; };
  check("{ x.sum.lane.f32 v0, v1 }\n", laneTree<float>(add, 1, 128));
  check("{ x.min.lane.f32 v0, v1 }\n", laneTree<float>(minimum, 1, 128));
  check("{ x.max.lane.f32 v0, v1 }\n", laneTree<float>(maximum, 1, 128));
  check("{ x.sum.sub.f32 v0, v1 }\n", laneTree<float>(add, 128, 8));
  check("{ x.min.sub.f32 v0, v1 }\n", laneTree<float>(minimum, 128, 8));
  check("{ x.max.sub.f32 v1, v1 }\n{ v.mov v0, v1 }\n", laneTree<float>(maximum, 128, 8));
  check("{ x.sum.lane.i32 v0, v1 }\n", laneTree<uint32_t>(addI, 1, 128));
  check("{ x.sum.sub.i32 v0, v1 }\n", laneTree<uint32_t>(addI, 128, 8));
  check("{ x.min.lane.s32 v0, v1 }\n", laneTree<int32_t>([](int32_t a, int32_t b) { return std::min(a, b); }, 1, 128));
  check("{ x.max.lane.s32 v0, v1 }\n", laneTree<int32_t>([](int32_t a, int32_t b) { return std::max(a, b); }, 1, 128));
}

TEST(Vector, Transpose) {
  std::string body;
  for (int row = 0; row < 16; ++row)
    body += "{ x.tr.push " +
            std::string(row % 3 == 0   ? "v1"
                        : row % 3 == 1 ? "v2"
                                       : "v3") +
            ", row=" + std::to_string(row) + ", buf=1 }\n";
  for (int row : {0, 1, 15})
    check(
        body + "{ x.tr.pop v0, row=" + std::to_string(row) + ", buf=1 }\n",
        [row](const Lanes &a, const Lanes &b, const Lanes &c, int l) {
          int from = l % 128, column = 8 * row + l / 128;  // element (column, from) of the transposed is (from, column)
          const Lanes &v = from / 8 % 3 == 0 ? a : from / 8 % 3 == 1 ? b : c;
          return v[from % 8 * 128 + column];
        },
        2);
}

TEST(Vector, LoadsAndStores) {
  check("{ v.ld v0, s31, off=7, stride=-1 }\n",
        [](const Lanes &a, const Lanes &, const Lanes &, int l) { return a[(7 - l / 128) * 128 + l % 128]; });
  check("{ v.ld v0, s31, off=3, stride=0 }\n",
        [](const Lanes &a, const Lanes &, const Lanes &, int l) { return a[3 * 128 + l % 128]; });
  check("{ v.st v2, s31, off=1, stride=2 }\n{ v.ld v0, s31, off=0, stride=1 }\n",
        [](const Lanes &a, const Lanes &b, const Lanes &, int l) {
          return l / 128 % 2 ? b[l / 256 * 128 + l % 128] : a[l];
        });
  check("{ v.st v2, s31, off=0, stride=1, ?m1 }\n{ v.ld v0, s31, off=0, stride=1 }\n",
        [](const Lanes &a, const Lanes &b, const Lanes &c, int l) { return c[l] & 1 ? b[l] : a[l]; });
  // Of the first sublanes and lanes: what lies beyond stays.
  check("{ v.st v2, s31, off=0, stride=1, lanes=21, sublanes=3 }\n{ v.ld v0, s31, off=0, stride=1 }\n",
        [](const Lanes &a, const Lanes &b, const Lanes &, int l) { return l % 128 < 21 && l / 128 < 3 ? b[l] : a[l]; });
  check("{ v.st v2, s31, off=0, stride=1, sublanes=5, ?m1 }\n{ v.ld v0, s31, off=0, stride=1 }\n",
        [](const Lanes &a, const Lanes &b, const Lanes &c, int l) { return l / 128 < 5 && c[l] & 1 ? b[l] : a[l]; });
  // Zeros instead of what lies beyond the first lanes.
  check("{ v.ld v0, s31, off=8, stride=1, lanes=21 }\n",
        [](const Lanes &, const Lanes &b, const Lanes &, int l) { return l % 128 < 21 ? b[l] : 0; });
  check("{ v.ld v0, s31, off=8, stride=0, lanes=64 }\n",
        [](const Lanes &, const Lanes &b, const Lanes &, int l) { return l % 128 < 64 ? b[l % 128] : 0; });
  check("{ s.li s2, 16 }\n{ v.ld v0, s2, off=-8, stride=1 }\n",
        [](const Lanes &, const Lanes &b, const Lanes &, int l) { return b[l]; });
}

TEST(Vector, OutOfRangeIsAnError) {
  for (const char *body : {"{ v.ld v0, s31, off=121, stride=1 }\n", "{ v.ld v0, s31, off=-1, stride=1 }\n",
                           "{ v.ld v0, s31, off=6, stride=-1 }\n", "{ v.st v0, s31, off=128, stride=0 }\n",
                           "{ s.li s1, 9223372036854775807 }\n{ v.ld v0, s1, off=1, stride=1 }\n"}) {
    for (bool checking : {false, true}) {
      ExecutorOptions options;
      options.checking = checking;
      test::Outcome out = test::runText(program(body), {Bytes(4096), Bytes(4096), Bytes(4096)}, {4096}, options);
      EXPECT_FALSE(out.ok) << body;
      EXPECT_NE(out.error.text().find("outside of VMEM"), std::string::npos) << out.error.text();
      EXPECT_NE(out.error.instruction.find("v."), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace tpuc::exec
