// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The figures that follow from a target's constants.
#include "runtime/timing/machine_model.h"

#include <gtest/gtest.h>

namespace tpuc::timing {
namespace {

using isa::Op;

MachineModel model(const std::string &name) {
  target::Target target;
  std::string error;
  EXPECT_TRUE(target::loadTarget(name, target, error)) << error;
  return MachineModel(target);
}

TEST(MachineModel, PushRates) {
  EXPECT_EQ(model("v5e").occupancy(Op::MxuPushB), 16);  // 16 rows, one a cycle
  EXPECT_EQ(model("v5e").occupancy(Op::MxuPushI), 16);  // 32 rows, two a cycle
  EXPECT_EQ(model("v5e").occupancy(Op::MxuPushF), 48);  // 8 rows, six beats each
  EXPECT_EQ(model("v4").occupancy(Op::MxuPushI), 32);   // int8 no faster than bf16
  EXPECT_EQ(model("v6e").occupancy(Op::MxuPushB), 8);   // two rows a cycle
}

TEST(MachineModel, WeightsOfAWholeArray) {
  for (const char *name : {"v2", "v4", "v5e", "v5p", "v6e"}) {
    MachineModel m = model(name);
    int side = m.target().core().mxu_side();
    int loads = side / 16 * (side / 128);
    EXPECT_NEAR(loads * m.stageCycles(Op::MxuLdwB), side / m.target().core().mxu_weight_rows_per_cycle(), loads)
        << name;
  }
}

TEST(MachineModel, Runs) {
  MachineModel m = model("v5e");
  int64_t granule = m.target().memory().hbm_granule_bytes();
  isa::DmaDescriptor d;
  d.runBytes = 4096;
  EXPECT_EQ(m.hbmBytes(d), 4096);
  d.runBytes = 4;  // a short run costs the granule
  EXPECT_EQ(m.hbmBytes(d), granule);
  d.numDims = 1;
  d.dims[0] = {1024, 4, 4};  // continues the run
  EXPECT_EQ(m.hbmBytes(d), 4096);
  d.dims[0] = {1024, 8, 4};
  EXPECT_EQ(m.hbmBytes(d), 1024 * granule);
  d.dstSpace = isa::Space::Hbm;  // written too, in one run
  EXPECT_EQ(m.hbmBytes(d), 1024 * granule + 4096);
}

TEST(MachineModel, Slots) {
  MachineModel m = model("v5e");
  isa::Inst valu{Op::VFAdd, 0, 1, 2, 3}, eup{Op::EExp2, 0, 1, 2}, push{Op::MxuPushB, 0, isa::kNoReg, 1};
  std::vector<isa::Inst> bundle(4, valu);
  EXPECT_EQ(checkSlots(m, bundle.data(), 4), "");
  bundle.push_back(eup);
  EXPECT_EQ(checkSlots(m, bundle.data(), 5), "5 vector instructions for 4 slots");
  isa::Inst pushes[2] = {push, push};
  EXPECT_EQ(checkSlots(m, pushes, 2), "two instructions for the push port of one array");
  isa::setField(pushes[1], "mxu", 3);
  EXPECT_EQ(checkSlots(m, pushes, 2), "");
  isa::setField(pushes[1], "mxu", 4);
  EXPECT_EQ(checkSlots(m, pushes, 2), "array 4 of 4");
}

TEST(MachineModel, NoInt8OnV2) {
  EXPECT_FALSE(model("v2").supports(Op::MxuPushI));
  EXPECT_TRUE(model("v1").supports(Op::MxuPushI));
  EXPECT_FALSE(model("v1").supports(Op::MxuPushB));
}

}  // namespace
}  // namespace tpuc::timing
