// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which lanes of vregs are zero whatever the data.
#include "runtime/executor/known_zeros.h"

#include <gtest/gtest.h>

#include "test/unit/executor/decoded.h"

namespace tpuc::exec {
namespace {

using isa::Op;

DInst load(uint8_t dst, uint8_t lanes) {
  DInst i = test::decoded(Op::VLd, dst, 31);
  i.lanes = lanes;
  return i;
}

DInst turned(uint8_t dst, uint8_t a, int64_t by) {
  DInst i = test::decoded(Op::XRotLane, dst, a);
  i.imm = by;
  return i;
}

// Where a pack finds its first source's zeros, after `insts`, of which the last makes vreg 1.
int lanesAfter(std::vector<DInst> insts) {
  insts.push_back(test::decoded(Op::VPackB, 0, 1, 1));
  std::vector<LiveBlock> blocks(1);
  blocks[0].insts = insts;
  findKnownZeros(blocks, {true});
  return blocks[0].insts.back().from[0];
}

TEST(KnownZeros, ComeFromLoads) {
  EXPECT_EQ(lanesAfter({load(1, 32)}), 32);
  EXPECT_EQ(lanesAfter({load(1, 33)}), 48);  // whole groups of 16
  EXPECT_EQ(lanesAfter({load(1, 128)}), 128);
  EXPECT_EQ(lanesAfter({}), 128);  // at an entry
}

TEST(KnownZeros, GoThroughInstructions) {
  EXPECT_EQ(lanesAfter({load(1, 32), test::decoded(Op::VMov, 1, 1)}), 32);
  EXPECT_EQ(lanesAfter({load(2, 32), load(3, 64), test::decoded(Op::VOr, 1, 2, 3)}), 64);
  EXPECT_EQ(lanesAfter({load(2, 32), load(3, 64), test::decoded(Op::VAnd, 1, 2, 3)}), 32);
  EXPECT_EQ(lanesAfter({load(2, 32), turned(1, 2, 96)}), 128);
  EXPECT_EQ(lanesAfter({load(2, 32), turned(1, 2, 16)}), 48);
  EXPECT_EQ(lanesAfter({load(2, 32), turned(1, 2, 100)}), 128);                  // some have come to the front
  EXPECT_EQ(lanesAfter({load(2, 32), test::decoded(Op::VFSub, 1, 2, 2)}), 128);  // not looked into
  EXPECT_EQ(lanesAfter({load(1, 32), test::decoded(Op::Call, 0, kNone)}), 128);
}

// A loop whose body moves on what the last iteration has left: 64 lanes from the second on.
TEST(KnownZeros, GoAroundLoops) {
  std::vector<LiveBlock> blocks(2);
  blocks[0].insts = {load(1, 16)};
  blocks[0].successors = {1};
  blocks[1].insts = {test::decoded(Op::VPackB, 0, 1, 1), load(1, 64)};
  blocks[1].successors = {1};
  findKnownZeros(blocks, {true, false});
  EXPECT_EQ(blocks[1].insts[0].from[0], 64);
  EXPECT_EQ(blocks[1].insts[0].from[1], 64);
}

}  // namespace
}  // namespace tpuc::exec
