// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What was added from repeating states equals what a walk of every bundle counts, in every counter.
#include <chrono>

#include "runtime/timing/timing.h"
#include "test/unit/timing/matmul_program.h"
#include "test/unit/timing/random_program.h"

namespace tpuc::timing {
namespace {

using test::Builder;
using test::RandomProgram;

target::Target load(const std::string &name) {
  target::Target t;
  std::string error;
  EXPECT_TRUE(target::loadTarget(name, t, error)) << error;
  return t;
}

void expectSame(const isa::Executable &exe, const target::Target &t, TimingResult *out = nullptr) {
  TimingOptions walk;
  walk.extrapolate = false;
  TimingResult full = timeProgram(exe, t, walk), fast = timeProgram(exe, t);
  ASSERT_EQ(full.ok, fast.ok) << full.error << " / " << fast.error;
  if (!full.ok) {
    EXPECT_EQ(full.error, fast.error);
    ADD_FAILURE() << full.error;
    return;
  }
  EXPECT_EQ(full.cycles, fast.cycles);
  EXPECT_TRUE(full.counters == fast.counters);
  EXPECT_TRUE(full.routines == fast.routines);
  EXPECT_TRUE(full.transfers == fast.transfers);
  EXPECT_EQ(full.bundlesWalked, full.counters.bundles);
  if (out) *out = fast;
}

TEST(Extrapolate, RandomPrograms) {
  int64_t bundles = 0, walked = 0, ran = 0;
  for (const char *name : {"v3", "v4", "v5e", "v5p", "v6e"}) {
    target::Target t = load(name);
    t.mutable_core()->set_mxu_accumulator_rows(4096);
    for (uint64_t seed = 0; seed < 60; ++seed) {
      Builder b = RandomProgram(seed * 7 + 1, t.core().mxu_int8_rate() > 0, t.core().valu_slots() > 2).build();
      SCOPED_TRACE(std::string(name) + " seed " + std::to_string(seed));
      TimingResult r;
      expectSame(b.exe, t, &r);
      if (HasFatalFailure()) return;
      ran += r.ok;
      bundles += r.counters.bundles;
      walked += r.bundlesWalked;
    }
  }
  RecordProperty("walked_percent", static_cast<int>(100 * walked / bundles));
  EXPECT_EQ(ran, 300);
  EXPECT_LT(walked, bundles / 2);
}

TEST(Extrapolate, Matmul) {
  for (const char *name : {"v4", "v5e", "v6e"}) {
    target::Target t = load(name);
    SCOPED_TRACE(name);
    TimingResult r;
    Builder b = test::matmulProgram(t, {8192, 8192, 1024, 512, 1024});
    expectSame(b.exe, t, &r);
    int64_t side = t.core().mxu_side();
    EXPECT_EQ(r.counters.pushesBf16, 8192 / 16 * (1024 / side) * (8192 / side));
    EXPECT_LT(r.bundlesWalked, r.counters.bundles / 4);
  }
}

// 16384^3: 16.8 million pushes, timed in the time of one block.
TEST(Extrapolate, LargeMatmulIsFast) {
  target::Target t = load("v5e");
  Builder b = test::matmulProgram(t, {16384, 16384, 16384, 1024, 512});
  auto begin = std::chrono::steady_clock::now();
  TimingResult r = timeProgram(b.exe, t);
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  ASSERT_TRUE(r.ok) << r.error;
  EXPECT_EQ(r.counters.pushesBf16, int64_t{1024} * 128 * 128);
  EXPECT_LT(seconds, 0.5);
  RecordProperty("milliseconds", static_cast<int>(seconds * 1e3));
  RecordProperty("cycles", std::to_string(r.cycles));
  RecordProperty("walked", std::to_string(r.bundlesWalked));
  RecordProperty("bundles", std::to_string(r.counters.bundles));
}

// A count that nobody waits for ends in an error, not in an overflow.
TEST(Extrapolate, EndlessLoop) {
  Builder b;
  b("s.li s1, 4611686018427387303");
  int l = b.loop("s1");
  b("v.add.f32 v1, v1, v2; s.add s2, s2, 2000000000");
  b.end(l);
  b("halt");
  TimingResult r = timeProgram(b.finish(), load("v5e"));
  EXPECT_FALSE(r.ok);
  EXPECT_NE(r.error.find("more than 2^50 cycles"), std::string::npos) << r.error;
}

}  // namespace
}  // namespace tpuc::timing
