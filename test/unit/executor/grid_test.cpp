// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grids: the same results for any number of threads, what steps share and what they do not, recorded control flow.
#include "test/unit/executor/harness.h"

namespace tpuc::exec {
namespace {

// Step i adds i to vreg i of the argument, twice in a loop whose count is data, and writes it to the result.
constexpr const char *kProgram = R"(
.set vmem_bytes 65536
.set vmem_shared_bytes 4096
.set smem_bytes 64
.set semaphores 2
.dma 0 hbm[0]+0 -> vmem+8192, run=4096
.dma 1 vmem+8192 -> hbm[1]+0, run=4096
.entry bundle: 0
main:
{ s.li s1, 100 }
{ s.std s1, s31, off=8 }
{ v.li v1, 0x00000005 }
{ v.st v1, s31, off=0, stride=1 }
{ grid 23, target=step }
{ s.ldd s1, s31, off=8 }
{ grid s1, target=nothing }
{ halt }
step:
{ s.mul s2, s0, 4096 }
.next:
{ dma.start s2, s31, 0, desc=0 }
{ dma.wait 0, count=1 ; v.splat v2, s0 }
{ v.ld v3, s31, off=0, stride=1 }
{ s.ldd s3, s31, off=8 }
{ s.li s4, 2 ; v.ld v1, s31, off=16, stride=1 }
.loop:
{ loop s4, target=.end }
{ v.add.i32 v1, v1, v2 }
.end:
{ v.add.i32 v1, v1, v3 ; loop.end target=.loop }
{ v.splat v4, s3 }
{ v.add.i32 v1, v1, v4 }
{ s.std s0, s31, off=8 ; v.st v1, s31, off=16, stride=1 }
{ s.li s3, 100 ; dma.start s31, s2, 1, desc=1 }
{ dma.wait 1, count=1 ; s.std s3, s31, off=8 }
{ s.add s0, s0, 1 ; s.add s2, s2, 4096 ; s.sub s1, s1, 1 }
{ bnz s1, target=.next }
{ ret }
nothing:
{ ret }
)";

TEST(Grid, SameResultForAnyNumberOfThreads) {
  test::Random random(1);
  test::Bytes in = test::oddBytes(random, 23 * 4096);
  auto pool = std::make_shared<device::ThreadPool>(7);
  Statistics one;
  for (int threads : {1, 2, 3, 7, -3}) {
    ExecutorOptions options;
    options.checking = threads < 0;
    options.threads = std::abs(threads);
    options.pool = pool;
    test::Outcome out = test::runText(kProgram, {in}, {in.size()}, options);
    ASSERT_TRUE(out.ok) << out.error.text();
    std::vector<uint32_t> got = test::words(out.results[0]), from = test::words(in);
    for (size_t i = 0; i < got.size(); ++i)
      ASSERT_EQ(got[i], static_cast<uint32_t>(from[i] + 2 * (i / 1024) + 2 * 5 + 100)) << i;
    if (threads == 1) one = out.statistics;
    EXPECT_EQ(out.statistics.dmaBytes, one.dmaBytes);
    EXPECT_EQ(out.statistics.issues[static_cast<int>(isa::Unit::VStore)],
              one.issues[static_cast<int>(isa::Unit::VStore)]);
    EXPECT_EQ(out.statistics.dmaBytes[0][1], in.size());
    EXPECT_EQ(out.statistics.loopIterations, 46u);
  }
}

TEST(Grid, ErrorsOfAStepStopTheProgram) {
  test::Outcome out = test::runText(
      ".set smem_bytes 64\nmain:\n{ grid 8, target=step }\n{ halt }\n.routine name: \"step\" bundles: 2\nstep:\n"
      ".loc \"model.py:7\"\n{ s.ldd s1, s0, off=57 }\n{ ret }\n",
      {}, {});
  EXPECT_FALSE(out.ok);
  EXPECT_EQ(out.error.location, "model.py:7");
  EXPECT_EQ(out.error.bundle, 2);
  EXPECT_EQ(out.error.routine, "step");
}

// What a run of `program` records on two cores.
static ControlTrace traceOf(const std::string &program) {
  test::Bytes in(23 * 4096);
  isa::Executable exe;
  std::string error;
  ControlTrace trace;
  EXPECT_TRUE(isa::assemble(test::buffers({in}, {in.size()}) + program, exe, error)) << error;
  ExecutorOptions options;
  options.shape = test::shapeOfSide(128);
  auto executor = Executor::create(exe, options, error);
  const bool isBound = executor && executor->bindArgument(0, in, error);
  RunError why;
  EXPECT_TRUE(isBound && executor->run(why, &trace)) << error << why.text();
  return trace;
}

TEST(Grid, RecordedControlFlow) {
  ControlTrace trace = traceOf(kProgram);
  EXPECT_TRUE(trace.outcomes.empty());
  ASSERT_EQ(trace.grids.size(), 2u);
  ASSERT_EQ(trace.grids[0].size(), 2u);
  for (int core : {0, 1}) {
    std::vector<int64_t> expected;
    for (int step = core ? 12 : 11; step-- > 0;) expected.insert(expected.end(), {2, step > 0});
    EXPECT_EQ(trace.grids[0][core].outcomes, expected);
  }
}

// Of a grid alone, one core's outcomes, of all steps.
TEST(Grid, AloneIsRecordedOfOneCore) {
  std::string text = kProgram;
  text.replace(text.find("{ grid 23, target=step }"), 24, "{ grid 23, target=step, alone=1 }");
  ControlTrace trace = traceOf(text);
  ASSERT_EQ(trace.grids.size(), 2u);
  ASSERT_EQ(trace.grids[0].size(), 1u);
  EXPECT_EQ(trace.grids[0][0].outcomes.size(), 2u * 23);
}

// A grid whose routine takes nothing from vregs or transfers into the scalar unit: timing finds its way by itself.
TEST(Grid, WithoutDataNothingIsRecorded) {
  const char *text =
      ".set smem_bytes 64\nmain:\n{ grid 8, target=step }\n{ grid 2, target=picks }\n{ halt }\n"
      ".routine name: \"step\" bundles: 3\nstep:\n{ s.li s2, 3 }\n{ bz s2, target=.end }\n.end:\n{ ret }\n"
      ".routine name: \"picks\" bundles: 4\npicks:\n{ v.li v1, 0x00000001 }\n{ v.tos s2, v1 }\n{ bz s2, target=.out "
      "}\n.out:\n{ ret }\n";
  isa::Executable exe;
  std::string error;
  ASSERT_TRUE(isa::assemble(text, exe, error)) << error;
  ExecutorOptions options;
  options.shape = test::shapeOfSide(128);  // two cores
  auto executor = Executor::create(exe, options, error);
  ASSERT_TRUE(executor) << error;
  ControlTrace trace;
  RunError why;
  ASSERT_TRUE(executor->run(why, &trace)) << why.text();
  ASSERT_EQ(trace.grids.size(), 1u);  // of `picks`
  ASSERT_EQ(trace.grids[0].size(), 2u);
  for (const ControlTrace &core : trace.grids[0]) EXPECT_EQ(core.outcomes, std::vector<int64_t>{0});
}

// Accumulators and weights do not survive from one grid's steps to the next one's.
TEST(Grid, StepsBeginWithEmptyArrays) {
  const char *text =
      ".set vmem_bytes 8192\n.set semaphores 1\n.dma 0 vmem+0 -> hbm[0]+0, run=4096\n"
      "main:\n{ grid 4, target=leave }\n{ grid 1, target=look }\n{ halt }\n"
      "leave:\n{ v.li v1, 0x3f800000 }\n{ mxu.ldw.f32 v1 }\n{ mxu.swap }\n{ mxu.push.f32 v1, -, 7 }\n{ ret }\n"
      "look:\n{ v.li v1, 0x40000000 }\n{ mxu.push.f32 v1, -, 7 }\n{ mxu.pop v2, 7 }\n{ v.st v2, s31, off=0, stride=1 "
      "}\n"
      "{ dma.start s31, s31, 0, desc=0 }\n{ dma.wait 0, count=1 }\n{ ret }\n";
  test::Outcome out = test::runText(text, {}, {4096});
  ASSERT_TRUE(out.ok) << out.error.text();
  EXPECT_EQ(out.results[0], test::Bytes(4096));
}

// Nor from one grid within a step to the next one; VMEM and SMEM do.
TEST(Grid, GridsWithinAStepBeginWithEmptyArrays) {
  const char *text =
      ".set vmem_bytes 16384\n.set smem_bytes 64\n.set semaphores 1\n.dma 0 vmem+0 -> hbm[0]+0, run=8192\n"
      "main:\n{ grid 1, target=both }\n{ halt }\n"
      "both:\n{ grid 1, target=leave }\n{ grid 1, target=look }\n{ ret }\n"
      "leave:\n{ v.li v1, 0x3f800000 ; s.li s2, 9 }\n{ mxu.ldw.f32 v1 ; s.std s2, s31, off=8 }\n{ mxu.swap }\n"
      "{ mxu.push.f32 v1, -, 7 ; v.st v1, s31, off=8, stride=1 }\n{ mxu.ldw.f32 v1 }\n{ ret }\n"
      "look:\n{ v.li v1, 0x40000000 ; s.ldd s2, s31, off=8 }\n{ mxu.push.f32 v1, -, 7 }\n{ mxu.pop v2, 7 }\n"
      "{ v.splat v3, s2 }\n{ v.add.i32 v2, v2, v3 }\n{ v.st v2, s31, off=0, stride=1 }\n"
      "{ dma.start s31, s31, 0, desc=0 }\n{ dma.wait 0, count=1 }\n{ ret }\n";
  for (int threads : {1, 2}) {
    ExecutorOptions options;
    options.threads = threads;
    test::Outcome out = test::runText(text, {}, {8192}, options);
    ASSERT_TRUE(out.ok) << out.error.text();
    const std::vector<uint32_t> got = test::words(out.results[0]);
    for (size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], i < 1024 ? 9u : 0x3f800000u) << i;
  }
}

// A chain of grids, each from one page to another: of the result in HBM, or of the VMEM that grids share; some find the
// page's place in SMEM. Each multiplies by 3 many times and adds its number, so that the order of two that meet shows.
std::string randomChain(test::Random &random, int grids) {
  auto below = [&](int n) { return static_cast<int>(random() % n); };
  constexpr int kPages = 6;
  std::string dma =
      ".dma 0 hbm[0]+0 -> hbm[1]+0, run=" + std::to_string(kPages * 4096) + "\n.dma 1 hbm[0]+0 -> smem+0, run=512\n";
  for (int page = 0; page < kPages; ++page) {
    std::string at = std::to_string(page * 4096);
    dma += ".dma " + std::to_string(2 + 3 * page) + " hbm[1]+" + at + " -> vmem+8192, run=4096\n";
    dma += ".dma " + std::to_string(3 + 3 * page) + " vmem+8192 -> hbm[1]+" + at + ", run=4096\n";
    dma += ".dma " + std::to_string(4 + 3 * page) + " hbm[1]+" + at + " -> hbm[1]+" +
           std::to_string(below(kPages) * 4096) + ", run=2048\n";
  }
  std::string main = "main:\n{ grid 1, target=init }\n{ s.li s4, 12 }\n.again:\n{ loop s4, target=.done }\n", routines;
  for (int k = 0; k < grids; ++k) {
    std::string id = std::to_string(k);
    main += "{ grid 1, target=r" + id + " }\n";
    routines += "r" + id + ":\n";
    if (below(5) == 0) {  // half a page, by way of a scalar from memory, which is 0
      routines += "{ dma.start s31, s31, 0, desc=1 }\n{ dma.wait 0, count=1 }\n{ s.ldw s5, s31, off=0 }\n";
      routines += "{ dma.start s5, s5, 0, desc=" + std::to_string(4 + 3 * below(kPages)) +
                  " }\n{ dma.wait 0, count=1 }\n{ ret }\n";
      continue;
    }
    bool fromHbm = below(2), toHbm = below(2);
    if (fromHbm)
      routines +=
          "{ dma.start s31, s31, 0, desc=" + std::to_string(2 + 3 * below(kPages)) + " }\n{ dma.wait 0, count=1 }\n";
    routines += "{ s.li s4, " + std::to_string(300 + below(300)) +
                " ; v.ld v1, s31, off=" + std::to_string(fromHbm ? 16 : 8 * below(2)) + ", stride=1 }\n";
    routines += "{ s.li s6, " + id + " }\n{ v.splat v3, s6 }\n.l" + id + ":\n{ loop s4, target=.e" + id +
                " }\n{ v.add.i32 v2, v1, v1 }\n{ v.add.i32 v1, v1, v2 }\n.e" + id + ":\n";
    routines += "{ v.add.i32 v1, v1, v3 ; loop.end target=.l" + id +
                " }\n{ v.st v1, s31, off=" + std::to_string(toHbm ? 16 : 8 * below(2)) + ", stride=1 }\n";
    if (toHbm)
      routines +=
          "{ dma.start s31, s31, 0, desc=" + std::to_string(3 + 3 * below(kPages)) + " }\n{ dma.wait 0, count=1 }\n";
    routines += "{ ret }\n";
  }
  main +=
      ".done:\n{ loop.end target=.again }\n{ halt }\ninit:\n{ v.li v1, 0x00000007 }\n{ v.st v1, s31, off=0, stride=1 "
      "}\n{ v.st v1, s31, off=8, stride=1 }\n{ dma.start s31, s31, 0, desc=0 }\n{ dma.wait 0, count=1 }\n{ ret }\n";
  return ".set vmem_bytes 65536\n.set vmem_shared_bytes 8192\n.set smem_bytes 512\n.set semaphores 2\n" + dma +
         ".entry bundle: 0\n" + main + routines;
}

// Those that touch nothing in common may run at the same time, and nobody sees it.
TEST(Grid, ChainsOfGridsKeepTheirOrder) {
  auto pool = std::make_shared<device::ThreadPool>(4);
  for (int trial = 0; trial < 60; ++trial) {
    test::Random random(trial);
    std::string text = randomChain(random, 12);
    test::Bytes in = test::oddBytes(random, 6 * 4096);
    std::fill_n(in.begin(), 4, 0);
    test::Bytes expected;
    for (int threads : {1, 4}) {
      ExecutorOptions options;
      options.threads = threads;
      options.pool = pool;
      test::Outcome out = test::runText(text, {in}, {in.size()}, options);
      ASSERT_TRUE(out.ok) << out.error.text() << "\n" << text;
      if (threads == 1) expected = out.results[0];
      ASSERT_EQ(out.results[0], expected) << trial << "\n" << text;
    }
  }
}

// One step that moves pages about, stages and pushes them, pops, and stores over them, in any order. Executed often:
// its arrays' steps wait for threads in some executions.
std::string randomMatrixStep(test::Random &random) {
  auto below = [&](int n) { return static_cast<int>(random() % n); };
  constexpr int kPages = 8;
  std::string dma, step;
  for (int page = 0; page < kPages; ++page) {
    std::string at = std::to_string(page * 4096), vmem = "vmem+" + std::to_string(page * 4096),
                hbm = "hbm[1]+" + std::to_string(below(kPages) * 4096);
    dma += ".dma " + std::to_string(4 * page) + " hbm[0]+" + at + " -> " + vmem + ", run=4096\n";
    dma += ".dma " + std::to_string(4 * page + 1) + " " + hbm + " -> " + vmem + ", run=4096\n";
    dma += ".dma " + std::to_string(4 * page + 2) + " " + vmem + " -> " + hbm + ", run=4096\n";
    dma += ".dma " + std::to_string(4 * page + 3) + " " + vmem + " -> vmem+" +
           std::to_string((page + 1 + below(kPages - 1)) % kPages * 4096) + ", run=4096\n";
  }
  auto transfer = [&](int number) {
    step += "{ dma.start s31, s31, 0, desc=" + std::to_string(number) + " }\n{ dma.wait 0, count=1 }\n";
  };
  auto load = [&] { step += "{ v.ld v1, s31, off=" + std::to_string(8 * below(kPages)) + ", stride=1 }\n"; };
  for (int page = 0; page < kPages; ++page) transfer(4 * page);
  for (int k = 0; k < 60; ++k) {
    std::string mxu = "mxu=" + std::to_string(below(2)), group = std::to_string(2 * below(2));
    switch (below(10)) {
      case 0:
        transfer(below(4 * kPages));
        break;
      case 1:
      case 2:
      case 3:
        load(), step += "{ mxu.ldw.bf16 v1, " + mxu + ", row=" + std::to_string(below(8)) +
                        ", xpose=" + std::to_string(below(2)) + " }\n";
        break;
      case 4:
        step += "{ mxu.swap " + mxu + " }\n";
        break;
      case 5:
      case 6:
      case 7:
        load(), step += "{ mxu.push.bf16 v1, -, " + group + ", " + mxu + " }\n";
        break;
      case 8:
        step += "{ mxu.pop v2, " + group + ", " + mxu + ", clear=" + std::to_string(below(2)) + " }\n";
        break;
      case 9:
        step += "{ v.st v2, s31, off=" + std::to_string(8 * below(kPages) + below(2)) +
                ", stride=" + std::to_string(below(2)) + " }\n";
        break;
    }
  }
  return ".set vmem_bytes 65536\n.set semaphores 1\n" + dma +
         ".dma 32 vmem+0 -> hbm[1]+0, run=32768\n"
         "main:\n{ s.li s4, 9 }\n.again:\n{ loop s4, target=.done }\n{ grid 1, target=step }\n.done:\n{ loop.end "
         "target=.again }\n{ halt }\nstep:\n{ v.li v2, 0x3f800000 }\n" +
         step + "{ dma.start s31, s31, 0, desc=32 }\n{ dma.wait 0, count=1 }\n{ ret }\n";
}

// Steps of the arrays that wait read what was there when they were issued.
TEST(Grid, ArraysThatWaitSeeNoLaterWrite) {
  auto pool = std::make_shared<device::ThreadPool>(3);
  for (int trial = 0; trial < 200; ++trial) {
    test::Random random(trial);
    std::string text = randomMatrixStep(random);
    test::Bytes in(8 * 4096), expected;
    for (size_t i = 0; i < in.size(); i += 2) {  // bf16, none of them a NaN that would hide the others
      uint16_t bits = static_cast<uint16_t>((random() & 0x807f) | (120 + random() % 8) << 7);
      std::memcpy(&in[i], &bits, 2);
    }
    for (int threads : {1, 3}) {
      ExecutorOptions options;
      options.threads = threads;
      options.pool = pool;
      options.shape = test::shapeOfSide(128);
      test::Outcome out = test::runText(text, {in}, {in.size()}, options);
      ASSERT_TRUE(out.ok) << out.error.text() << "\n" << text;
      if (threads == 1) expected = out.results[0];
      ASSERT_EQ(out.results[0], expected) << trial << "\n" << text;
    }
  }
}

}  // namespace
}  // namespace tpuc::exec
