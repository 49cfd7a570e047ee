// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hand-counted programs: what waits for what, and for how long.
#include <cmath>

#include "runtime/timing/timing.h"
#include "test/unit/timing/builder.h"

namespace tpuc::timing {
namespace {

using isa::Op;
using test::Builder;

// v5e with round latencies, so that the arithmetic can stand beside each test.
target::Target machine() {
  target::Target t;
  std::string error;
  EXPECT_TRUE(target::loadTarget("v5e", t, error)) << error;
  for (const char *set :
       {"latency.valu=2", "latency.vload=4", "latency.scalar=1", "latency.branch=4", "latency.loop_back=1",
        "latency.mxu_fill=0", "latency.mxu_pop=4", "latency.mxu_swap=0", "latency.mxu_weight=0",
        "core.mxu_weight_rows_per_cycle=1", "latency.eup=12", "core.eup_cycles=1", "latency.xlu=8",
        "memory.dma_setup_ns=0", "memory.dma_latency_ns=1000", "clock_ghz=1", "memory.hbm_bandwidth_gbps=512",
        "memory.hbm_efficiency=1", "launch_overhead_ns=100"})
    EXPECT_TRUE(target::setConstant(t, set, error)) << error;
  return t;
}

TimingResult time(const Builder &b, const target::Target &t = machine()) {
  TimingResult r = timeProgram(b.exe, t);
  EXPECT_TRUE(r.ok) << r.error;
  return r;
}

TEST(Walk, OneCycleABundle) {
  Builder b;
  b("s.li s0, 1");
  b("v.li v0, 0x00000000; v.li v1, 0x00000000");
  b("halt");
  b.finish();
  EXPECT_EQ(time(b).cycles, 3);
}

// v.li at 0 (ready 2), add at 2 (ready 4), add at 4, halt at 5: 6 cycles, 2 of them waiting.
TEST(Walk, OperandsInterlock) {
  Builder b;
  b("v.li v0, 0x00000000");
  b("v.add.f32 v1, v0, v0");
  b("v.add.f32 v2, v1, v1");
  b("halt");
  b.finish();
  TimingResult r = time(b);
  EXPECT_EQ(r.cycles, 6);
  EXPECT_EQ(r.counters.stalls[static_cast<int>(Stall::Vector)], 2);
  EXPECT_EQ(r.counters.bundles, 4);
  EXPECT_EQ(r.counters.issues[static_cast<int>(isa::Unit::VAlu)], 3);
}

// Reads before writes: the copy sees the old v0 and does not wait for the load of its own bundle.
TEST(Walk, BundleReadsBeforeItWrites) {
  Builder b;
  b("v.ld v0, s0, off=0, stride=1; v.mov v1, v0");
  b("halt");
  b.finish();
  EXPECT_EQ(time(b).cycles, 2);
}

// loop at 0; 5 iterations of 2 bundles with a back-edge of 1 cycle: 10; halt: 12 cycles.
TEST(Walk, Loop) {
  Builder b;
  int l = b.loop("5");
  b("s.add s1, s1, 1");
  b.end(l);
  b("halt");
  b.finish();
  EXPECT_EQ(time(b).cycles, 1 + 10 + 1);
}

// A loop of no iterations is a branch: 4 cycles.
TEST(Walk, EmptyLoop) {
  Builder b;
  int l = b.loop("s3");
  b("s.add s1, s1, 1");
  b.end(l);
  b("halt");
  b.finish();
  TimingResult r = time(b);
  EXPECT_EQ(r.cycles, 4 + 1);
  EXPECT_EQ(r.counters.stalls[static_cast<int>(Stall::Branch)], 3);
}

// The second push waits for the port: 16 rows, one a cycle. A pop waits 8 + 2 * 128 - 2 cycles from its push for the
// first group, 8 more for the second.
TEST(Walk, MatrixUnit) {
  Builder b;
  b("mxu.push.bf16 v0, -, 0, mxu=0");         // 0
  b("mxu.push.bf16 v1, -, 2, mxu=0");         // 16
  b("mxu.push.bf16 v1, -, 0, mxu=1");         // 17: another array
  b("mxu.pop v2, 0, mxu=0, col=0, clear=1");  // 0 + 262
  b("mxu.pop v3, 3, mxu=0, col=0, clear=1");  // 16 + 270
  b("v.add.f32 v3, v3, v3");                  // + 4
  b("halt");
  b.finish();
  TimingResult r = time(b);
  EXPECT_EQ(r.cycles, 16 + 270 + 4 + 2);
  EXPECT_EQ(r.counters.pushesBf16, 3);
  EXPECT_EQ(r.counters.mxuBusyCycles, 48);
  EXPECT_EQ(r.counters.stalls[static_cast<int>(Stall::MxuBusy)], 15);
}

// 8 loads of 16 rows stage the next weights while the rows of the active ones go in; the swap waits in the background
// for both, the push after it for the swap.
TEST(Walk, WeightsAreStagedInTheBackground) {
  auto stage = [](Builder &b) {
    for (int i = 0; i < 8; ++i) b("mxu.ldw.bf16 v0, mxu=0, row=" + std::to_string(i) + ", col=0, xpose=0");
  };
  Builder b;
  stage(b);                            // 0 .. 7, in place at 128
  b("mxu.swap mxu=0");                 // 8, in effect at 128
  stage(b);                            // 9 .. 16, enter at 128, in place at 256
  b("mxu.push.bf16 v0, -, 0, mxu=0");  // 128
  b("mxu.swap mxu=0");                 // 129, in effect at 256
  b("mxu.push.bf16 v0, -, 0, mxu=0");  // 256
  b("halt");
  b.finish();
  TimingResult r = time(b);
  EXPECT_EQ(r.cycles, 258);
  EXPECT_EQ(r.counters.weightLoads, 16);
  EXPECT_EQ(r.counters.stalls[static_cast<int>(Stall::MxuWeight)], 128 - 17 + 256 - 130);
}

// 8 rows of 6 beats: 48 cycles a push; the same group again after a chain's way through the array, 6 * 128 cycles.
TEST(Walk, F32ChainsStartFromTheAccumulator) {
  Builder b;
  b("mxu.push.f32 v0, -, 0, mxu=0");  // 0
  b("mxu.push.f32 v0, -, 1, mxu=0");  // 48
  b("mxu.push.f32 v0, -, 0, mxu=0");  // 768
  b("halt");
  b.finish();
  EXPECT_EQ(time(b).cycles, 768 + 2);
}

// 1 GHz and 512 GB/s: 512 bytes a cycle. Two transfers queue: done at 0 + 64 + 1000 and 128 + 1000.
TEST(Walk, DmaQueues) {
  Builder b;
  b.descriptor(32768);
  b("dma.start s31, s31, 0, desc=0");  // 0
  b("dma.start s31, s31, 1, desc=0");  // 1
  b("dma.wait 0, count=1");            // 1064
  b("dma.wait 1, count=1");            // 1128
  b("halt");
  b.finish();
  TimingResult r = time(b);
  EXPECT_EQ(r.cycles, 1128 + 2);
  EXPECT_EQ(r.counters.hbmReadBytes, 65536);
  EXPECT_EQ(r.counters.stalls[static_cast<int>(Stall::Dma)], 1062 + 63);
}

// The same with 100 cycles of setup: the second begins 100 after the first, whose bytes take 64. With 50 the bytes take
// longer, and nothing changes.
TEST(Walk, SetupsOverlapTheBytesBefore) {
  for (auto [setup, cycles] : {std::pair{100, 200 + 1000 + 2}, {50, 128 + 1000 + 2}}) {
    target::Target t = machine();
    std::string error;
    ASSERT_TRUE(target::setConstant(t, "memory.dma_setup_ns=" + std::to_string(setup), error));
    Builder b;
    b.descriptor(32768);
    b("dma.start s31, s31, 0, desc=0");
    b("dma.start s31, s31, 0, desc=0");
    b("dma.wait 0, count=2");
    b("halt");
    b.finish();
    EXPECT_EQ(time(b, t).cycles, cycles) << setup;
  }
}

TEST(Walk, WaitingForEverIsAnError) {
  Builder b;
  b("dma.wait 0, count=1");
  b("halt");
  b.finish();
  TimingResult r = timeProgram(b.exe, machine());
  EXPECT_FALSE(r.ok);
  EXPECT_EQ(r.error, "bundle 0: waits for semaphore 0, which no transfer under way will raise enough");
}

// Four steps with a transfer of 32768 bytes each, on two cores.
static TimingResult timeOfGrid(const std::string &fields) {
  target::Target t = machine();
  std::string error;
  EXPECT_TRUE(target::setConstant(t, "cores=2", error));
  Builder b;
  b.descriptor(32768);
  int l = b.loop("s1");                // 0 s0 = first step, s1 = steps
  b("dma.start s31, s31, 0, desc=0");  // 1
  b("dma.wait 0, count=1");
  b.end(l);
  b("ret");
  b.routine("kernel", "loop", 0);
  int entry = b("grid 4, target=0" + fields);
  b("halt");
  b.finish(entry);
  return time(b, t);
}

// Each core has two steps and half of the channel: 128 cycles a transfer.
TEST(Walk, GridSharesTheChannel) {
  TimingResult r = timeOfGrid("");
  // grid: 1 + 3 for the branch, 100 to launch; loop 1; two iterations of start, 1128 later the wait, loop.end; ret 4;
  // halt.
  EXPECT_EQ(r.cycles, 4 + 100 + 1 + 2 * (1 + 1127 + 1 + 1) + 4 + 1);
  EXPECT_EQ(r.counters.hbmReadBytes, 4 * 32768);
  EXPECT_EQ(r.counters.kernels, 1);
  EXPECT_EQ(r.routines[0].calls, 1);
  EXPECT_EQ(r.routines[0].cycles, r.cycles - 4 - 100 - 1);
}

// The program's core runs all four, and has the channel to itself: 64 cycles a transfer.
TEST(Walk, AGridAloneHasOneCoreAndItsChannel) {
  TimingResult r = timeOfGrid(", alone=1");
  EXPECT_EQ(r.cycles, 4 + 100 + 1 + 4 * (1 + 1063 + 1 + 1) + 4 + 1);
  EXPECT_EQ(r.counters.hbmReadBytes, 4 * 32768);
}

// A transfer of the program keeps the channel for 640 cycles; a kernel's comes behind it, and is there another 640 and
// the latency later. The program then waits for nothing.
TEST(Walk, TransfersUnderWayComeFirst) {
  Builder b;
  b.descriptor(327680);
  b("dma.start s31, s31, 0, desc=0");
  b("dma.wait 0, count=1");
  b("ret");
  b.routine("kernel", "loop", 0);
  int entry = b("dma.start s31, s31, 1, desc=0");
  b("grid 1, target=0");
  b("dma.wait 1, count=1");
  b("halt");
  b.finish(entry);
  EXPECT_EQ(time(b).cycles, 2 * 640 + 1000 + 1 + 4 + 1 + 1);
}

// Two kernels, once each in a launch of their own and twice in one: 100 cycles a launch, whatever is in it.
TEST(Walk, KernelsOfALaunchPayForItOnce) {
  Builder b;
  b("s.add s0, s0, s1");  // 0
  b("ret");               // 1 + 3
  b.routine("kernel", "loop", 0);
  int launch = b("grid 2, target=0");
  b("grid 2, target=0");
  b("ret");
  b.routine("launch0", "launch", launch);
  int entry = b("grid 2, target=0");
  b("call target=" + std::to_string(launch));
  b("grid 2, target=0");
  b("halt");
  b.finish(entry);
  TimingResult r = time(b);
  const int grid = 4 + 5, call = 4 + 2 * grid + 4;
  EXPECT_EQ(r.cycles, 2 * (grid + 100) + (call + 100) + 1);
  EXPECT_EQ(r.counters.kernels, 4);
  EXPECT_EQ(r.counters.launches, 3);
  EXPECT_EQ(r.counters.stalls[static_cast<int>(Stall::Launch)], 300);
  EXPECT_EQ(r.routines[0].calls, 4);
  EXPECT_EQ(r.routines[0].cycles, 4 * 5);
}

// A launch that two cores share, of three iterations with a kernel of 5 cycles each: one core has two. One launch is
// paid, kernels count with half of their cycles.
TEST(Walk, CoresShareALaunch) {
  target::Target t = machine();
  std::string error;
  ASSERT_TRUE(target::setConstant(t, "cores=2", error));
  Builder b;
  b("s.add s0, s0, s1");  // 0
  b("ret");               // 1 + 3
  b.routine("kernel", "loop", 0);
  int launch = b.loop("s1");  // 1
  b("grid 1, target=0");      // 4 + 5
  b.end(launch);
  b("ret");  // 4
  b.routine("cores0", "launch", launch);
  int entry = b("grid 3, target=" + std::to_string(launch));
  b("halt");
  b.finish(entry);
  TimingResult r = time(b, t);
  EXPECT_EQ(r.cycles, 4 + 100 + 1 + 2 * (9 + 1) + 4 + 1);
  EXPECT_EQ(r.counters.launches, 1);
  EXPECT_EQ(r.counters.kernels, 3);
  EXPECT_EQ(r.routines[0].calls, 3);
  EXPECT_EQ(r.routines[0].cycles, 3 * (5 / 2));
}

// Registers of the program outlive a grid, whose cores have their own; a grid within a step is a call.
TEST(Walk, GridsHaveTheirOwnRegisters) {
  Builder b;
  b("s.add s0, s0, s1; s.add s5, s5, 1");
  b("ret");
  int nested = b.here();
  b("grid 3, target=0");
  b("ret");
  int entry = b("s.li s5, 7");
  b("grid 2, target=" + std::to_string(nested));
  int l = b.loop("s5");  // 7 iterations
  b("s.add s6, s6, 1");
  b.end(l);
  b("halt");
  b.finish(entry);
  TimingResult r = time(b);
  EXPECT_EQ(r.counters.bundles, 1 + 1 + (2 + 2) + 1 + 14 + 1);
}

TEST(Walk, EndlessRecursionIsAnError) {
  Builder b;
  b("call target=0");
  b("halt");
  b.finish();
  EXPECT_EQ(timeProgram(b.exe, machine()).error, "bundle 0: calls and loops nest deeper than 512");
}

TEST(Walk, EndlessLoopsAreAnError) {
  Builder b;
  b("br target=0");
  b.finish();
  TimingOptions options;
  options.maxBundles = 1000;
  EXPECT_EQ(timeProgram(b.exe, machine(), options).error, "bundle 0: does not end within 1000 bundles");
}

TEST(Walk, DataDependentWithoutATrace) {
  Builder b;
  b("v.tos s1, v0");                // 0
  int skip = b("bz s1, target=0");  // 1
  b("v.li v1, 0x00000000");
  b.patch(skip, b.here());
  b("halt");
  b.finish();
  TimingResult r = timeProgram(b.exe, machine());
  EXPECT_FALSE(r.ok);
  EXPECT_TRUE(r.dataDependent);
  EXPECT_EQ(
      r.error,
      "bundle 1: data dependent: the operand of bz comes from tensor data; run the program to record a control trace");
  ControlTrace trace;
  trace.outcomes = {0};
  TimingResult notTaken = timeProgram(b.exe, machine(), &trace);
  ASSERT_TRUE(notTaken.ok) << notTaken.error;
  trace.outcomes = {1};
  TimingResult taken = timeProgram(b.exe, machine(), &trace);
  EXPECT_EQ(taken.cycles, notTaken.cycles + 2);  // 3 cycles of branch, 1 bundle less
  trace.outcomes.clear();
  EXPECT_EQ(timeProgram(b.exe, machine(), &trace).error,
            "bundle 1: the control trace ends early: it is of another program");
}

TEST(Walk, CyclesAreBundlesAndStalls) {
  Builder b;
  b.descriptor(4096);
  b("s.add s5, s5, 1");
  b("ret");
  int entry = b("grid 2, target=0");
  int l = b.loop("7");
  b("dma.start s31, s31, 0, desc=0; v.ld v1, s2, off=0, stride=1; s.add s2, s2, 8");
  b("e.exp2 v2, v1");
  b("dma.wait 0, count=1; v.add.f32 v3, v2, v1");
  b.end(l);
  b("halt");
  b.finish(entry);
  TimingResult r = time(b);
  int64_t sum = r.counters.bundles;
  for (int64_t s : r.counters.stalls) sum += s;
  EXPECT_EQ(r.cycles, sum);
}

TEST(Walk, NamesTheBundleThatTheTargetCannotRun) {
  Builder b;
  b("s.li s0, 0");
  b("mxu.push.s8 v0, -, 0, mxu=0");
  b("halt");
  b.finish();
  target::Target v2;
  std::string error;
  ASSERT_TRUE(target::loadTarget("v2", v2, error));
  EXPECT_EQ(timeProgram(b.exe, v2).error, "bundle 1: target v2 has no mxu.push.s8");
}

}  // namespace
}  // namespace tpuc::timing
