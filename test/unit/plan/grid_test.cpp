// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a grid's blocks move, and what its steps take.
#include "passes/plan/grid/grid.h"

#include "gtest/gtest.h"
#include "mlir/IR/Builders.h"
#include "runtime/target/target.h"

namespace tpuc::plan {
namespace {

// f32[1024, 1024] comes, f32[1024, 1024] leaves, 64 rows a step.
struct Example {
  explicit Example(const ResidentMap &residents = {}) : residents(residents) {
    domain.dims = {1024, 1024};
    domain.block = {64, 1024};
    for (ArrayBlock *b : {&in, &out}) b->view = &domain;
    in.origin.buffer = "in";
    out.origin.buffer = "out";
    out.isResult = true;
    grid.parallel = {0, 1};
    in.isCopied = true;  // it moves, wherever it lies
    grid.placeBlocks(0);
  }
  mlir::MLIRContext context;
  mlir::RankedTensorType type = mlir::RankedTensorType::get({1024, 1024}, mlir::Float32Type::get(&context));
  ResidentMap residents;
  Resident resident = Resident::of(Array(type), 8, 1);
  Domain domain;
  ArrayBlock in{Array(type), DimMap{0, 1}}, out{Array(type), DimMap{0, 1}};
  Grid grid{domain, {&in}, {&out}, residents};
};

target::Target v5e() {
  target::Target target;
  std::string error;
  EXPECT_TRUE(target::loadTarget("v5e", target, error)) << error;
  return target;
}

constexpr int64_t kBlock = 64 * 1024 / 128;  // words

TEST(Grid, ArraysInVmemMoveWithinIt) {
  Example e;
  EXPECT_EQ(e.grid.arriving().hbm, kBlock);
  EXPECT_EQ(e.grid.arriving().local, 0);
  EXPECT_EQ(e.grid.leaving().hbm, kBlock);
  e.in.resident = &e.resident;
  EXPECT_EQ(e.grid.arriving().hbm, 0);
  EXPECT_EQ(e.grid.arriving().local, kBlock);
  const timing::MachineModel model(v5e());
  EXPECT_EQ(e.grid.arriving().cycles(model, 1), model.localCycles(kBlock * isa::kWordBytes));
  EXPECT_EQ(e.grid.arriving().latency(model), model.dmaLatency(/*hbm=*/false));
  EXPECT_LT(e.grid.overlappedCycles(model, 0, 1), Example().grid.overlappedCycles(model, 0, 1));
  e.in.inPlace = true;
  EXPECT_EQ(e.grid.arriving().local, 0);
  EXPECT_EQ(e.grid.arriving().latency(model), 0);
}

// Each step but the last takes its work, where that is more than what it moves.
TEST(Grid, StepsOfCores) {
  Example e;
  const timing::MachineModel model(v5e());
  EXPECT_EQ(e.grid.stepsOfCore(1), 16);
  EXPECT_EQ(e.grid.stepsOfCore(2), 8);
  EXPECT_EQ(e.grid.stepsOfCore(3), 6);
  EXPECT_DOUBLE_EQ(e.grid.overlappedCycles(model, 1e6, 1), 15e6);
  EXPECT_DOUBLE_EQ(e.grid.overlappedCycles(model, 1e6, 2), 7e6);
  EXPECT_EQ(e.grid.overlappedCycles(model, 1e6, 16), 0);
  EXPECT_DOUBLE_EQ(e.grid.endCycles(model, 1),
                   2 * (model.hbmCycles(kBlock * isa::kWordBytes, 1) + model.dmaLatency(/*hbm=*/true)));
}

}  // namespace
}  // namespace tpuc::plan
