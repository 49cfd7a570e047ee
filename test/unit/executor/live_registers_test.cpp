// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much of vregs somebody needs.
#include "runtime/executor/live_registers.h"

#include <gtest/gtest.h>

#include "test/unit/executor/decoded.h"

namespace tpuc::exec {
namespace {

using isa::Op;

DInst store(uint8_t a, uint8_t sublanes, uint8_t lanes) {
  DInst i = test::decoded(Op::VSt, 0, a, 31);
  i.sublanes = sublanes;
  i.lanes = lanes;
  return i;
}

// What `i` needs of vreg 1, its source, where a store takes 3 sublanes and 32 lanes of vreg 0, its result.
VregExtent needed(const DInst &i) {
  LiveRegisters live;
  stepBack(store(0, 3, 32), live);
  stepBack(i, live);
  EXPECT_FALSE(live.vregs[0]);
  EXPECT_EQ(live.vregExtents[0], VregExtent());
  return live.vregExtents[1];
}

TEST(LiveRegisters, LanesComeFromThoseThatTheResultNeeds) {
  EXPECT_EQ(needed(test::decoded(Op::VMov, 0, 1)), (VregExtent{3, 32}));
  EXPECT_EQ(needed(test::decoded(Op::ETanh, 0, 1)), (VregExtent{3, 32}));
  EXPECT_EQ(needed(test::decoded(Op::VPackB, 0, 1, 2)), (VregExtent{8, 32}));
  EXPECT_EQ(needed(test::decoded(Op::VUnpack8, 0, 1)), (VregExtent{8, 32}));
  EXPECT_EQ(needed(test::decoded(Op::XRotSub, 0, 1)), (VregExtent{8, 32}));
  EXPECT_EQ(needed(test::decoded(Op::XSumSubF, 0, 1)), (VregExtent{8, 32}));
  EXPECT_EQ(needed(test::decoded(Op::XRotLane, 0, 1)), (VregExtent{3, 128}));
  EXPECT_EQ(needed(test::decoded(Op::XMaxLaneF, 0, 1)), (VregExtent{3, 128}));
}

TEST(LiveRegisters, OtherUnitsNeedAll) {
  for (Op op : {Op::XTrPush, Op::MxuLdwB, Op::MxuPushF}) {
    LiveRegisters live;
    stepBack(test::decoded(op, 0, 1), live);
    EXPECT_EQ(live.vregExtents[1], kWholeVreg) << isa::info(op).mnemonic;
  }
  LiveRegisters live;
  stepBack(test::decoded(Op::VToS, 0, 1), live);
  EXPECT_EQ(live.vregExtents[1], (VregExtent{1, 1}));
}

// A loop whose body adds to vreg 0, of which 32 lanes are stored behind it; and another reader of more sublanes.
TEST(LiveRegisters, GoAroundLoops) {
  std::vector<LiveBlock> blocks(3);
  blocks[0].insts = {test::decoded(Op::VFAdd, 0, 0, 1)};
  blocks[0].successors = {0, 1};
  blocks[1].insts = {store(0, 2, 32)};
  blocks[1].successors = {2};
  blocks[2].insts = {store(0, 5, 16)};
  findLiveRegisters(blocks);
  EXPECT_EQ(blocks[0].out.vregExtents[0], (VregExtent{5, 32}));
  EXPECT_EQ(blocks[0].out.vregExtents[1], (VregExtent{5, 32}));
  EXPECT_EQ(blocks[1].out.vregExtents[0], (VregExtent{5, 16}));
}

}  // namespace
}  // namespace tpuc::exec
