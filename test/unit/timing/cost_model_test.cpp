// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The closed forms against the walk over hand-scheduled code, and against arithmetic.
#include "runtime/timing/cost_model.h"

#include <cmath>

#include "runtime/timing/timing.h"
#include "test/unit/timing/matmul_program.h"

namespace tpuc::timing {
namespace {

target::Target load(const std::string &name) {
  target::Target t;
  std::string error;
  EXPECT_TRUE(target::loadTarget(name, t, error)) << error;
  return t;
}

TEST(CostModel, AgreesWithTheWalk) {
  for (const char *name : {"v4", "v5e", "v5p", "v6e"}) {
    target::Target t = load(name);
    MachineModel model(t);
    for (auto [size, bm, bn] : std::vector<std::array<int64_t, 3>>{
             {1024, 512, 512}, {2048, 1024, 512}, {4096, 1024, 1024}, {8192, 512, 1024}}) {
      test::Builder b = test::matmulProgram(t, {size, size, size, bm, bn});
      TimingResult walked = timeProgram(b.exe, t);
      ASSERT_TRUE(walked.ok) << walked.error;
      double guess = matmulCycles(model, size, size, size, bm, bn, size, 2, 2, 1);
      EXPECT_LT(std::fabs(std::log(guess / static_cast<double>(walked.cycles))), 0.08)
          << name << " " << size << ": " << guess << " and " << walked.cycles;
    }
  }
}

// 4 x 4 blocks of 512 of 2048^3: rows once for each of m's blocks, weights 4 times, the result once.
TEST(CostModel, Bytes) {
  MachineModel model(load("v5e"));
  MatmulCost cost = matmulCost(model, {2048, 2048, 2048, 512, 512, 2048});
  EXPECT_EQ(cost.hbmBytes, 2048 * 2048 * 2 * (1 + 4 + 1));
  EXPECT_EQ(cost.mxuCycles, 2048.0 * 16 * 16 / 4);
  EXPECT_EQ(cost.vmemBytes, 2 * (2 * 512 * 2048 * 2 + 512 * 512 * 2));
  // k in 4: both operands in every step; each array keeps one column tile of 512 rows.
  MatmulCost split = matmulCost(model, {2048, 2048, 2048, 512, 512, 512});
  EXPECT_EQ(split.hbmBytes, 2048 * 2048 * 2 * (4 + 4 + 1));
  EXPECT_EQ(split.accumulatorRows, 512);
}

TEST(CostModel, RaggedBlocksCostTheirOwnSize) {
  MachineModel model(load("v5e"));
  double whole = matmulCycles(model, 4096, 4096, 4096, 1024, 1024, 4096, 2, 2, 1);
  double ragged = matmulCycles(model, 4100, 4096, 4096, 1024, 1024, 4096, 2, 2, 1);
  EXPECT_GT(ragged, whole);
  EXPECT_LT(ragged, 1.10 * whole);  // four more rows go through all of the weights
}

TEST(CostModel, Streams) {
  MachineModel model(load("v5e"));
  double bytes = 1 << 28;
  double expected = bytes / target::hbmBytesPerCycle(model.target());
  EXPECT_NEAR(streamCycles(model, 1 << 28) / expected, 1, 0.01);
  EXPECT_GT(streamCycles(model, 1 << 28, 1 << 16), 1.2 * expected);  // 64 KiB take less than a latency
}

TEST(CostModel, Vectors) {
  MachineModel model(load("v5e"));  // 4 vector slots, 2 loads, 1 store
  EXPECT_EQ(vectorCycles(model, 100, {.alu = 3, .loads = 2, .stores = 1}), 100);
  EXPECT_EQ(vectorCycles(model, 100, {.alu = 14, .loads = 2, .stores = 1, .eup = 2}), 400);
}

}  // namespace
}  // namespace tpuc::timing
