// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the scheduler makes of the loops that kernels spend their time in, on v5e: the intervals that its bounds allow,
// and the cycles that the bundles then take.
#include <gtest/gtest.h>

#include <ctime>

#include "passes/schedule/machine_text.h"
#include "passes/schedule/schedule.h"
#include "test/unit/schedule/random_routine.h"
#include "test/unit/schedule/reference.h"

namespace tpuc::schedule {
namespace {

timing::MachineModel v5e() {
  target::Target target;
  std::string error;
  EXPECT_TRUE(target::loadTarget("v5e", target, error)) << error;
  return timing::MachineModel(target);
}

struct Outcome {
  LoopStats loop;
  int64_t cycles = 0;
  machine::Scheduled code;
};

// Schedules a routine with one innermost loop, checks it against the reference, and measures it.
Outcome measure(const std::string &text) {
  timing::MachineModel model = v5e();
  machine::Routine routine;
  std::string error;
  Outcome o;
  Stats stats;
  EXPECT_TRUE(parseRoutine(text, routine, error)) << error;
  EXPECT_TRUE(scheduleRoutine(routine, model, o.code, error, {}, &stats)) << error;
  EXPECT_EQ(verifyScheduled(o.code, model, routine.isEntry), "");
  reference::Run expected = reference::runTree(routine, 0, 0), actual = reference::runScheduled(o.code, model, 0, 0);
  EXPECT_EQ(actual.error, "");
  EXPECT_EQ(expected.memory.difference(actual.memory, int64_t{1} << 40, int64_t{1} << 40), "");
  EXPECT_EQ(stats.loops.size(), 1u);
  o.loop = stats.loops.at(0);
  o.cycles = actual.cycles;
  printf(
      "[ %s ] %d instructions: II %d (resources %d, recurrences %d), %d stages, unrolled %d; plain %d; %ld cycles, %zu "
      "bundles\n",
      ::testing::UnitTest::GetInstance()->current_test_info()->name(), o.loop.instructions, o.loop.ii, o.loop.resMii,
      o.loop.recMii, o.loop.stages, o.loop.unroll, o.loop.plainCycles, o.cycles, o.code.bundleLoc.size());
  return o;
}

std::string number(int64_t n) { return std::to_string(n); }

// c = a + b, four vregs an iteration: 8 loads on 2 slots, 4 stores on 1: 4 cycles.
TEST(ScheduleQuality, Elementwise) {
  std::string body;
  for (int k = 0; k < 4; ++k) {
    std::string off = " off=" + number(8 * k) + " stride=1";
    std::string a = "v" + number(10 + 3 * k), b = "v" + number(11 + 3 * k), c = "v" + number(12 + 3 * k);
    body += a + " = v.ld s0" + off + " region=0\n" + b + " = v.ld s1" + off + " region=1\n";
    body += c + " = v.add.f32 " + a + ", " + b + "\nv.st " + c + ", s2" + off + " region=2\n";
  }
  Outcome o = measure(
      "routine r {\n s0 = s.li imm=1000\n s1 = s.li imm=200000\n s2 = s.li imm=400000\n loop 256 independent {\n" +
      body + "s0 = s.add s0 imm=32\n s1 = s.add s1 imm=32\n s2 = s.add s2 imm=32\n }\n}");
  EXPECT_EQ(o.loop.ii, 4);
  EXPECT_EQ(o.loop.recMii, 1);
  EXPECT_LT(o.cycles, 4 * 256 + 40);
}

// The same with a trip count that is known at run time only.
TEST(ScheduleQuality, ElementwiseCountInRegister) {
  Outcome o = measure(R"(routine r {
    s0 = s.li imm=1000  s1 = s.li imm=200000  s2 = s.li imm=400000  s3 = s.li imm=1000
    loop s3 independent {
      v4 = v.ld s0 stride=1 region=0
      v5 = v.ld s1 stride=1 region=1
      v6 = v.add.f32 v4, v5
      v.st v6, s2 stride=1 region=2
      s0 = s.add s0 imm=8
      s1 = s.add s1 imm=8
      s2 = s.add s2 imm=8
    }
  })");
  EXPECT_EQ(o.loop.ii, 2);  // three address steps in two scalar slots
  EXPECT_LT(o.cycles, 2 * 1000 + 80);
}

// y = tanh(exp2(x)): the latencies of 12 + 12 are hidden.
TEST(ScheduleQuality, Transcendental) {
  Outcome o = measure(R"(routine r {
    s0 = s.li imm=1000  s1 = s.li imm=200000
    loop 500 independent {
      v2 = v.ld s0 stride=1 region=0
      v3 = e.exp2 v2
      v4 = e.tanh v3
      v.st v4, s1 stride=1 region=1
      s0 = s.add s0 imm=8
      s1 = s.add s1 imm=8
    }
  })");
  EXPECT_EQ(o.loop.ii, o.loop.resMii);
  EXPECT_LT(o.cycles, o.loop.ii * 500 + 60);
}

// One accumulator: the addition's latency bounds the interval.
TEST(ScheduleQuality, Reduction) {
  Outcome o = measure(R"(routine r {
    s0 = s.li imm=1000  v1 = v.li
    loop 300 {
      v2 = v.ld s0 stride=1 region=0
      v1 = v.add.f32 v1, v2
      s0 = s.add s0 imm=8
    }
    v.st v1, s0 stride=1 off=80000 region=1
  })");
  EXPECT_EQ(o.loop.ii, o.loop.recMii);
  EXPECT_EQ(o.loop.recMii, 2);  // latency of v.add.f32
  EXPECT_LT(o.cycles, 2 * 300 + 40);
}

// A row group of 16 rows pushed to each of four arrays: 16 cycles, whatever else there is.
TEST(ScheduleQuality, MatmulPushes) {
  Outcome o = measure(R"(routine r {
    s0 = s.li imm=1000  s1 = s.li imm=0
    loop 64 {
      v2 = v.ld s0 stride=1 region=0
      mxu.push.bf16 v2, _, s1 mxu=0
      mxu.push.bf16 v2, _, s1 mxu=1
      mxu.push.bf16 v2, _, s1 mxu=2
      mxu.push.bf16 v2, _, s1 mxu=3
      s0 = s.add s0 imm=8
      s1 = s.add s1 imm=2
    }
  })");
  EXPECT_EQ(o.loop.resMii, 16);
  EXPECT_EQ(o.loop.ii, 0);  // the plain body is as fast: the arrays refuse the next pushes for longer than it takes
  EXPECT_LT(o.cycles, 16 * 64 + 60);
}

// Results popped, scaled and stored: bound by the single store.
TEST(ScheduleQuality, MatmulPops) {
  Outcome o = measure(R"(routine r {
    s0 = s.li imm=1000  s1 = s.li imm=0  v2 = v.li imm=7
    loop 64 independent {
      v3 = mxu.pop s1 clear=1
      v4 = v.mul.f32 v3, v2
      v.st v4, s0 stride=1 region=0
      v5 = mxu.pop s1 mxu=1 clear=1
      v6 = v.mul.f32 v5, v2
      v.st v6, s0 off=8 stride=1 region=0
      s0 = s.add s0 imm=16
      s1 = s.add s1 imm=1
    }
  })");
  EXPECT_EQ(o.loop.ii, 2);
  EXPECT_LT(o.cycles, 2 * 64 + 40);
}

// Rows pushed for one unit while an earlier one's results leave: of which sums is not known, but that they are others
// (parts 0 and 1). The results need not wait for the rows to reach the arrays' end.
TEST(ScheduleQuality, MatmulPushesAmongPops) {
  Outcome o = measure(R"(routine r {
    s0 = s.li imm=1000  s9 = s.li imm=0
    s1 = s.ldw s9  s2 = s.ldw s9 off=4
    s2 = s.add s2 imm=64
    loop 32 independent {
      v12 = v.ld s0 stride=1 region=0
      mxu.push.bf16 v12, _, s1 region=0
      v13 = mxu.pop s2 clear=1 region=1
      v14 = v.mul.f32 v13, v13
      v.st v14, s0 off=4000 stride=1 region=1
      s0 = s.add s0 imm=8
      s1 = s.add s1 imm=2
      s2 = s.add s2 imm=1
    }
  })");
  EXPECT_LE(o.loop.recMii, 2);
  EXPECT_LT(o.cycles, 16 * 32 + 60);
}

// The two parts change their roles from one iteration to the next: its pop waits for the push before. The reference
// tells if it doesn't.
TEST(ScheduleQuality, PartsThatTurn) {
  Outcome o = measure(R"(routine r {
    s0 = s.li imm=1000  s9 = s.li imm=0
    s1 = s.ldw s9
    s2 = s.add s1 imm=64
    loop 12 {
      v12 = v.ld s0 stride=1 region=0
      mxu.push.bf16 v12, _, s1 region=0
      v13 = mxu.pop s2 clear=1 region=1
      v.st v13, s0 off=4000 stride=1 region=1
      s0 = s.add s0 imm=8
      s3 = s.add s1 imm=0
      s1 = s.add s2 imm=0
      s2 = s.add s3 imm=0
    }
  })");
  EXPECT_GT(o.loop.recMii, o.loop.plainCycles);
}

// As lowering writes it: addresses multiplied and added anew in each iteration, constants loaded where they are used.
// The invariants leave the loop, the addresses step, and gelu's 8 vector instructions on 4 slots bound what is left.
TEST(ScheduleQuality, GeluFromACounter) {
  Outcome o = measure(R"(routine r {
    s0 = s.li imm=1000  s1 = s.li imm=200000  s2 = s.li imm=0
    loop 512 independent {
      s3 = s.mul s2 imm=8
      s4 = s.add s3, s0
      v5 = v.ld s4 stride=1 region=0
      v6 = v.li imm=1027220807
      v7 = v.mul.f32 v5, v5
      v8 = v.mul.f32 v7, v5
      v9 = v.fma.f32 v8, v6, v5
      v10 = v.li imm=1061961265
      v11 = v.mul.f32 v9, v10
      v12 = e.tanh v11
      v13 = v.li imm=1065353216
      v14 = v.add.f32 v12, v13
      v15 = v.li imm=1056964608
      v16 = v.mul.f32 v5, v15
      v17 = v.mul.f32 v14, v16
      s18 = s.mul s2 imm=8
      s19 = s.add s18, s1
      v.st v17, s19 stride=1 region=1
      s2 = s.add s2 imm=1
    }
  })");
  EXPECT_EQ(o.loop.instructions, 12);  // 8 in vector slots, a load, a store, two steps
  EXPECT_EQ(o.loop.ii, 2);             // 8 on 4 slots
  EXPECT_LT(o.cycles, o.loop.ii * 512 + 100);
}

// Mean and variance of rows in one pass: two accumulators, each bound by its own latency only.
TEST(ScheduleQuality, TwoAccumulators) {
  Outcome o = measure(R"(routine r {
    s0 = s.li imm=1000  v1 = v.li  v2 = v.li
    loop 128 {
      v3 = v.ld s0 stride=1 region=0
      v1 = v.add.f32 v1, v3
      v2 = v.fma.f32 v3, v3, v2
      s0 = s.add s0 imm=8
    }
    v.st v1, s0 stride=1 off=80000 region=1
    v.st v2, s0 stride=1 off=80008 region=1
  })");
  EXPECT_EQ(o.loop.ii, 4);  // latency of v.fma.f32
  EXPECT_LT(o.cycles, 4 * 128 + 40);
}

// Lane sums of rows: the cross-lane unit's latency of 16 is hidden, its two units bound the loop.
TEST(ScheduleQuality, LaneReductions) {
  Outcome o = measure(R"(routine r {
    s0 = s.li imm=1000  s1 = s.li imm=200000
    loop 200 independent {
      v2 = v.ld s0 stride=1 region=0
      v3 = x.max.lane.f32 v2
      v4 = v.sub.f32 v2, v3
      v5 = e.exp2 v4
      v6 = x.sum.lane.f32 v5
      v7 = e.rcp v6
      v8 = v.mul.f32 v5, v7
      v.st v8, s1 stride=1 region=1
      s0 = s.add s0 imm=8
      s1 = s.add s1 imm=8
    }
  })");
  EXPECT_EQ(o.loop.ii, o.loop.resMii);
  EXPECT_EQ(o.loop.resMii, 2);  // two transcendentals on one unit
  EXPECT_LT(o.cycles, o.loop.ii * 200 + 120);
}

// Results leave four arrays through bias, relu and packing: 8 pops, 4 stores of packed rows.
TEST(ScheduleQuality, MatmulEpilogue) {
  std::string body;
  for (int k = 0; k < 4; ++k) {
    std::string pop = " mxu=" + number(k) + " clear=1\n", bias = ", v" + number(10 + k) + "\n";
    auto v = [&](int i) { return "v" + number(20 + 10 * k + i); };
    body += v(0) + " = mxu.pop s1" + pop + v(1) + " = mxu.pop s2" + pop;
    body += v(2) + " = v.add.f32 " + v(0) + bias + v(3) + " = v.add.f32 " + v(1) + bias;
    body += v(4) + " = v.max.f32 " + v(2) + ", v14\n" + v(5) + " = v.max.f32 " + v(3) + ", v14\n";
    body += v(6) + " = v.pack.bf16 " + v(4) + ", " + v(5) + "\n";
    body += "v.st " + v(6) + ", s3 stride=1 region=1 off=" + number(8 * k) + "\n";
  }
  Outcome o = measure(
      "routine r { s0 = s.li v10 = v.li imm=1 v11 = v.li imm=2 v12 = v.li imm=3 v13 = v.li imm=4 v14 = v.li imm=0\n"
      "loop 8 {\n s1 = s.mul s0 imm=2\n s2 = s.add s1 imm=1\n s3 = s.mul s0 imm=32\n" +
      body + "s0 = s.add s0 imm=1\n }\n}");
  EXPECT_EQ(o.loop.resMii, 5);  // 20 vector instructions on 4 slots
  EXPECT_EQ(o.loop.ii, o.loop.resMii);
}

// Five thousand instructions, in one block and in hundreds of loops, with registers to spare and with far too few.
TEST(ScheduleQuality, CompileTime) {
  timing::MachineModel model = v5e();
  reference::RandomOptions options;
  double worst = 0;
  for (int depth : {0, 3})
    for (uint64_t seed = 1; seed <= 6; ++seed) {
      options.vregs = seed % 2 ? 60 : 12;
      options.scalars = seed % 2 ? 20 : 6;
      options.statements = 5000;
      options.maxDepth = depth;
      machine::Routine routine = reference::randomRoutine(seed, options);
      machine::Scheduled code;
      std::string error;
      Stats stats;
      std::clock_t start = std::clock();  // of this process: other work on the machine does not count
      ASSERT_TRUE(scheduleRoutine(routine, model, code, error, {}, &stats)) << error;
      double ms = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      printf("[ CompileTime ] depth %d: %ld instructions, %ld bundles, %ld spilled, %d rounds: %.1f ms\n", depth,
             stats.instructions, stats.bundles, stats.spilledRegs, stats.rounds, ms);
      worst = std::max(worst, ms);
    }
  EXPECT_LT(worst, 10000);  // in any kind of build; the release figures are printed above
}

}  // namespace
}  // namespace tpuc::schedule
