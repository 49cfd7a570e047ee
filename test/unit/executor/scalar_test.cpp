// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scalar unit, control flow, SMEM and semaphores. A program stores what it computed to SMEM, which a DMA brings
// out.
#include "runtime/timing/scalar_unit.h"
#include "test/unit/executor/harness.h"

namespace tpuc::exec {
namespace {

constexpr const char *kHead = ".set smem_bytes 256\n.set semaphores 2\n.dma 0 smem+0 -> hbm[0]+0, run=256\n";
constexpr const char *kTail = "{ dma.start s31, s31, 1, desc=0 }\n{ dma.wait 1, count=1 }\n{ halt }\n";

test::Outcome run(const std::string &body, const std::string &routines = "") {
  return test::runText(kHead + body + kTail + routines, {}, {256});
}

int64_t value(const test::Outcome &out, int at = 0) {
  int64_t v = 0;
  if (!out.results.empty()) std::memcpy(&v, &out.results[0][at * 8], 8);
  return v;
}

int64_t compute(const std::string &operation, int64_t a, int64_t b) {
  test::Outcome out = run("{ s.li s1, " + std::to_string(a) + " }\n{ s.li s2, " + std::to_string(b) + " }\n{ " +
                          operation + " }\n{ s.std s3, s31 }\n");
  EXPECT_TRUE(out.ok) << operation << out.error.text();
  return value(out);
}

TEST(Scalar, Arithmetic) {
  const int64_t samples[] = {0, 1, -1, 7, -7, 63, 64, 65, INT64_MIN, INT64_MAX, 1ll << 40, -(1ll << 33) - 5};
  auto u = [](int64_t v) { return static_cast<uint64_t>(v); };
  for (int64_t a : samples)
    for (int64_t b : samples) {
      EXPECT_EQ(compute("s.add s3, s1, s2", a, b), static_cast<int64_t>(u(a) + u(b)));
      EXPECT_EQ(compute("s.sub s3, s1, s2", a, b), static_cast<int64_t>(u(a) - u(b)));
      EXPECT_EQ(compute("s.mul s3, s1, s2", a, b), static_cast<int64_t>(u(a) * u(b)));
      int64_t quotient = b == 0 ? -1 : b == -1 ? static_cast<int64_t>(0 - u(a)) : a / b;
      EXPECT_EQ(compute("s.div s3, s1, s2", a, b), quotient);
      EXPECT_EQ(compute("s.rem s3, s1, s2", a, b), b == 0 ? a : b == -1 ? 0 : a % b);
      EXPECT_EQ(compute("s.and s3, s1, s2", a, b), a & b);
      EXPECT_EQ(compute("s.or s3, s1, s2", a, b), a | b);
      EXPECT_EQ(compute("s.xor s3, s1, s2", a, b), a ^ b);
      EXPECT_EQ(compute("s.shl s3, s1, s2", a, b), static_cast<int64_t>(u(a) << (b & 63)));
      EXPECT_EQ(compute("s.shr s3, s1, s2", a, b), a >> (b & 63));
      EXPECT_EQ(compute("s.shru s3, s1, s2", a, b), static_cast<int64_t>(u(a) >> (b & 63)));
      EXPECT_EQ(compute("s.min s3, s1, s2", a, b), std::min(a, b));
      EXPECT_EQ(compute("s.max s3, s1, s2", a, b), std::max(a, b));
      EXPECT_EQ(compute("s.eq s3, s1, s2", a, b), a == b);
      EXPECT_EQ(compute("s.ne s3, s1, s2", a, b), a != b);
      EXPECT_EQ(compute("s.lt s3, s1, s2", a, b), a < b);
      EXPECT_EQ(compute("s.le s3, s1, s2", a, b), a <= b);
      EXPECT_EQ(compute("s.ltu s3, s1, s2", a, b), u(a) < u(b));
      EXPECT_EQ(compute("s.sel s3, s1, s2, s1", a, b), a ? b : a);
    }
  EXPECT_EQ(compute("s.add s3, s1, -5", 7, 0), 2);
  EXPECT_EQ(compute("s.sext32 s3, s1", 0x180000000, 0), -0x80000000ll);
}

TEST(Scalar, Floats) {
  auto f = [](float x) { return static_cast<int64_t>(test::as<uint32_t>(x)); };
  EXPECT_EQ(compute("s.fadd s3, s1, s2", f(1.5f), f(2.25f)), f(3.75f));
  EXPECT_EQ(compute("s.fsub s3, s1, s2", f(1.5f), f(2.25f)), f(-0.75f));
  EXPECT_EQ(compute("s.fmul s3, s1, s2", f(1.5f), f(-2.0f)), f(-3.0f));
  EXPECT_EQ(compute("s.fadd s3, s1, s2", 0x7f800000, 0xff800000), 0x7fc00000);
  EXPECT_EQ(compute("s.flt s3, s1, s2", f(-1.0f), f(0.0f)), 1);
  EXPECT_EQ(compute("s.feq s3, s1, s2", f(-0.0f), f(0.0f)), 1);
  EXPECT_EQ(compute("s.feq s3, s1, s2", 0x7fc00000, 0x7fc00000), 0);
}

TEST(Scalar, TheWalkComputesTheSame) {
  const int64_t samples[] = {0, 5, -3, 0x3f800000, 0xc0400000, INT64_MIN};
  for (int o = 0; o < isa::kNumOps; ++o) {
    const isa::InstInfo &info = isa::info(static_cast<isa::Op>(o));
    if (info.unit != isa::Unit::Scalar || info.result != isa::RegKind::S || info.field("off") || !info.numSources)
      continue;
    std::string text(info.mnemonic);
    for (int i = 0; i < info.numSources; ++i) text += i ? ", s" + std::to_string(1 + i % 2) : " s3, s1";
    for (int64_t a : samples)
      for (int64_t b : samples) {
        timing::ScalarUnit unit(/*smemBytes=*/0, {});
        unit.set(1, a);
        unit.set(2, b);
        isa::Inst inst;
        inst.op = static_cast<isa::Op>(o);
        inst.dst = 3;
        inst.a = 1;
        if (info.numSources > 1) inst.b = 2;
        if (info.numSources > 2) inst.c = 1;
        ASSERT_TRUE(unit.execute(&inst, &inst + 1));
        ASSERT_TRUE(unit.known(3)) << info.mnemonic << " has no case in scalar_unit.cpp";
        EXPECT_EQ(unit.value(3), compute(text, a, b)) << text << " of " << a << ", " << b;
      }
  }
}

TEST(Scalar, Smem) {
  test::Outcome out =
      run("{ s.li s1, -2 }\n{ s.stw s1, s31, off=8 }\n{ s.li s2, 16 }\n{ s.std s1, s2, off=0 }\n{ s.ldw s3, s2, off=-8 "
          "}\n{ s.ldd s4, s2 }\n"
          "{ s.std s3, s31, off=32 }\n{ s.std s4, s31, off=40 }\n");
  ASSERT_TRUE(out.ok);
  EXPECT_EQ(value(out, 1), 0xfffffffe);
  EXPECT_EQ(value(out, 2), -2);
  EXPECT_EQ(value(out, 4), -2);
  EXPECT_EQ(value(out, 5), -2);
  EXPECT_FALSE(run("{ s.ldd s1, s31, off=249 }\n").ok);
  EXPECT_FALSE(run("{ s.ldw s1, s31, off=-1 }\n").ok);
  EXPECT_FALSE(run("{ s.stw s1, s31, off=253 }\n").ok);
}

TEST(Control, LoopsNestAndMayBeEmpty) {
  // for 3: for 4: s1 += 1; for s2 = 0: s1 += 100; for -1: s1 += 1000
  test::Outcome out =
      run("{ loop 3, target=.e1 }\n{ loop 4, target=.e2 }\n.e2:\n{ s.add s1, s1, 1 ; loop.end target=1 }\n.e1:\n{ "
          "loop.end target=0 }\n"
          "{ loop s2, target=.e3 }\n.e3:\n{ s.add s1, s1, 100 ; loop.end target=4 }\n"
          "{ loop -1, target=.e4 }\n.e4:\n{ s.add s1, s1, 1000 ; loop.end target=6 }\n{ s.std s1, s31 }\n");
  ASSERT_TRUE(out.ok) << out.error.text();
  EXPECT_EQ(value(out), 12);
  EXPECT_EQ(out.statistics.loopIterations, 15u);
  EXPECT_EQ(out.statistics.bundles, 1u + 3 + 12 + 3 + 1 + 1 + 1 + 3);
}

TEST(Control, BranchesAndCalls) {
  test::Outcome out =
      run("{ s.li s1, 5 }\n.top:\n{ s.mul s2, s1, s1 }\n{ s.add s3, s3, s2 }\n{ s.sub s1, s1, 1 }\n{ bnz s1, "
          "target=.top }\n"
          "{ bz s1, target=.over }\n{ s.li s3, 0 }\n.over:\n{ call target=twice }\n{ call target=twice }\n{ s.std s3, "
          "s31 }\n",
          "twice:\n{ s.add s3, s3, s3 }\n{ ret }\n");
  ASSERT_TRUE(out.ok) << out.error.text();
  EXPECT_EQ(value(out), 4 * 55);
}

TEST(Control, RunawayRecursionStops) {
  test::Outcome out = run("{ call target=again }\n", "again:\n{ call target=again }\n{ ret }\n");
  EXPECT_FALSE(out.ok);
  EXPECT_NE(out.error.text().find("nested too deeply"), std::string::npos);
  EXPECT_FALSE(run("{ ret }\n").ok);
}

// s1 = 1 reads the old s2 and the branch the old s1.
TEST(Control, BundlesReadBeforeTheyWrite) {
  test::Outcome out = run(
      "{ s.li s1, 1 ; s.li s2, 2 }\n{ s.add s1, s2, 0 ; s.add s2, s1, 0 }\n{ s.std s1, s31 ; s.std s2, s31, off=8 }\n"
      "{ s.li s1, 0 ; bz s1, target=.bad }\n{ s.li s4, 1 }\n.bad:\n{ s.std s4, s31, off=16 }\n"
      "{ s.li s5, 9 ; s.std s5, s31, off=24 ; s.ldd s6, s31, off=24 }\n{ s.std s6, s31, off=32 }\n");
  ASSERT_TRUE(out.ok) << out.error.text();
  EXPECT_EQ(value(out, 0), 2);
  EXPECT_EQ(value(out, 1), 1);
  EXPECT_EQ(value(out, 2), 1);
  EXPECT_EQ(value(out, 3), 0);
  EXPECT_EQ(value(out, 4), 0);
}

TEST(Dma, Errors) {
  auto error = [](const std::string &head, const std::string &body) {
    test::Outcome out =
        test::runText(".set smem_bytes 64\n.set vmem_bytes 4096\n.set semaphores 1\n" + head + body + "{ halt }\n",
                      {test::Bytes(512)}, {512});
    EXPECT_FALSE(out.ok);
    return out.error.text();
  };
  EXPECT_NE(error("", "{ dma.wait 0, count=1 }\n").find("never started"), std::string::npos);
  EXPECT_NE(error("", "{ dma.wait 5, count=1 }\n").find("semaphore"), std::string::npos);
  EXPECT_NE(error(".dma 0 hbm[0]+4 -> vmem+0, run=512\n", "{ dma.start s31, s31, 0, desc=0 }\n").find("from outside"),
            std::string::npos);
  EXPECT_NE(error(".dma 0 hbm[0]+0 -> smem+0, run=512\n", "{ dma.start s31, s31, 0, desc=0 }\n").find("to outside"),
            std::string::npos);
  EXPECT_NE(error(".dma 0 vmem+0 -> hbm[0]+0, run=512\n", "{ dma.start s31, s31, 0, desc=0 }\n").find("only read"),
            std::string::npos);
}

TEST(Arguments, MissingAndWrongSizes) {
  isa::Executable exe;
  std::string error;
  ASSERT_TRUE(isa::assemble(".buffer kind: ARGUMENT size: 512\n.buffer kind: RESULT size: 512\n{ halt }\n", exe, error))
      << error;
  ExecutorOptions options;
  options.shape = test::shapeOfSide(128);
  auto executor = Executor::create(exe, options, error);
  ASSERT_TRUE(executor) << error;
  RunError why;
  EXPECT_FALSE(executor->run(why));
  EXPECT_NE(why.text().find("argument 0 is not bound"), std::string::npos);
  EXPECT_FALSE(executor->bindArgument(0, test::Bytes(511), error));
  EXPECT_FALSE(executor->bindArgument(1, test::Bytes(512), error));
  options.shape->mxuSide = 64;
  EXPECT_FALSE(Executor::create(exe, options, error));
}

TEST(Arguments, ResultsTakeOverTheirBuffers) {
  isa::Executable exe;
  std::string error;
  // Adds 1 to the first word in place, through SMEM.
  ASSERT_TRUE(
      isa::assemble(".set smem_bytes 64\n.set semaphores 1\n.buffer kind: ARGUMENT size: 512\n.buffer kind: RESULT "
                    "size: 512 alias_argument: 1\n"
                    ".dma 0 hbm[0]+0 -> smem+0, run=8\n.dma 1 smem+0 -> hbm[1]+0, run=8\n"
                    "{ dma.start s31, s31, 0, desc=0 }\n{ dma.wait 0, count=1 }\n{ s.ldd s1, s31 }\n{ s.add s1, s1, 1 "
                    "}\n{ s.std s1, s31 }\n"
                    "{ dma.start s31, s31, 0, desc=1 }\n{ dma.wait 0, count=1 }\n{ halt }\n",
                    exe, error))
      << error;
  ExecutorOptions options;
  options.shape = test::shapeOfSide(128);
  auto executor = Executor::create(exe, options, error);
  ASSERT_TRUE(executor) << error;
  test::Bytes in(512, 7);
  RunError why;
  ASSERT_TRUE(executor->bindArgument(0, in, error));
  ASSERT_TRUE(executor->run(why)) << why.text();
  EXPECT_EQ(in[0], 7);  // the caller's bytes are only read
  DeviceArray first = executor->resultArray(0);
  EXPECT_EQ(first->data()[0], 8);
  EXPECT_EQ(first->data()[511], 7);
  uint8_t *memory = first->data();
  ASSERT_TRUE(executor->donateArgument(0, std::move(first), error));
  ASSERT_TRUE(executor->run(why));
  EXPECT_EQ(executor->resultArray(0)->data(), memory);
  EXPECT_EQ(memory[0], 9);
  EXPECT_FALSE(executor->run(why));  // it is gone
  DeviceArray held = executor->resultArray(0);
  ASSERT_TRUE(executor->donateArgument(0, held, error));
  ASSERT_TRUE(executor->run(why));
  EXPECT_NE(executor->resultArray(0)->data(), memory);  // somebody else holds it
  EXPECT_EQ(memory[0], 9);
  EXPECT_EQ(executor->resultArray(0)->data()[0], 10);
}

}  // namespace
}  // namespace tpuc::exec
