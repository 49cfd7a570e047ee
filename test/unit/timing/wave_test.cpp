// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The array cell by cell against the fast model: every number and the cycle of every instruction.
#include "runtime/timing/wave.h"

#include <gtest/gtest.h>

namespace tpuc::timing {
namespace {

MachineModel model(const std::string &name, const std::vector<std::string> &sets) {
  target::Target target;
  std::string error;
  EXPECT_TRUE(target::loadTarget(name, target, error)) << error;
  for (const std::string &set : sets) EXPECT_TRUE(target::setConstant(target, set, error)) << error;
  return MachineModel(target);
}

void expectSame(const MachineModel &m, WaveType type, int rows, int k, int n) {
  ASSERT_TRUE(waveSupports(m, type));
  WaveProblem p = randomProblem(type, rows, k, n, static_cast<uint64_t>(rows * 131 + k * 17 + n));
  EXPECT_EQ(compareRuns(runWave(m, p), runFast(m, p)), "")
      << "type " << static_cast<int>(type) << " side " << m.target().core().mxu_side() << " " << rows << "x" << k << "x"
      << n;
}

constexpr WaveType kTypes[] = {WaveType::Bf16, WaveType::Int8, WaveType::F32};

// Sizes below, at and above the side, in every dimension.
TEST(Wave, SmallSides) {
  for (int side : {4, 8, 16, 32})
    for (const char *swap : {"latency.mxu_swap=0", "latency.mxu_swap=7"}) {
      MachineModel m = model("v5e", {"core.mxu_side=" + std::to_string(side), swap});
      for (WaveType type : kTypes)
        for (int rows : {1, 8, 33, 100})
          for (int k : {1, side, 3 * side - 1})
            for (int n : {side - 1, 2 * side}) expectSame(m, type, rows, k, n);
    }
}

TEST(Wave, RatesOfRowsAndWeights) {
  for (const char *rows : {"core.mxu_rows_per_cycle=1", "core.mxu_rows_per_cycle=2"})
    for (const char *weights : {"core.mxu_weight_rows_per_cycle=0.5", "core.mxu_weight_rows_per_cycle=1.6",
                                "core.mxu_weight_rows_per_cycle=4"})
      for (const char *fill : {"latency.mxu_fill=0", "latency.mxu_fill=5"}) {
        MachineModel m = model("v6e", {"core.mxu_side=16", rows, weights, fill, "latency.mxu_weight=3"});
        for (WaveType type : kTypes)
          for (int count : {16, 50, 200}) expectSame(m, type, count, 40, 33);
      }
}

TEST(Wave, RealSides) {
  for (WaveType type : kTypes) {
    expectSame(model("v5e", {"core.mxu_side=64"}), type, 70, 130, 64);
    expectSame(model("v5e", {}), type, 40, 129, 128);
    expectSame(model("v4", {}), type, 64, 128, 130);
  }
  for (WaveType type : {WaveType::Bf16, WaveType::Int8}) expectSame(model("v6e", {}), type, 20, 257, 100);
}

TEST(Wave, ForTheBench) {
  target::Target v2;
  std::string error;
  ASSERT_TRUE(target::loadTarget("v2", v2, error)) << error;
  WaveCheck check;
  ASSERT_TRUE(checkWave(v2, 8, WaveType::Bf16, 20, 20, 20, check, error)) << error;
  EXPECT_EQ(check.difference, "");
  EXPECT_GT(check.cells, 0);
  EXPECT_FALSE(checkWave(v2, 8, WaveType::Int8, 20, 20, 20, check, error));
  EXPECT_FALSE(checkWave(v2, 9, WaveType::Bf16, 20, 20, 20, check, error));
}

TEST(Wave, CountedByHand) {
  MachineModel m = model("v5e", {"core.mxu_side=4", "latency.mxu_swap=0", "latency.mxu_fill=0", "latency.mxu_weight=0",
                                 "core.mxu_weight_rows_per_cycle=1"});
  WaveProblem p = randomProblem(WaveType::Bf16, 32, 4, 4, 1);
  WaveRun run = runWave(m, p);
  // stage 0, swap 1 (in effect at 16, when the 16 rows of the load have entered), pushes at 16 and 32,
  // pops of groups 0 and 1 at 16 + 8 + 2 * 4 - 2 = 30, but after the push at 32: 33; 38; of groups 2 and 3 at 46, 54.
  EXPECT_EQ(run.issued, (std::vector<int64_t>{0, 1, 16, 32, 33, 38, 46, 54}));
  EXPECT_EQ(run.cycles, 55);
}

}  // namespace
}  // namespace tpuc::timing
