// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assembly text round trips.
#include <gtest/gtest.h>

#include "test/unit/isa/random_program.h"

namespace tpuc::isa {
namespace {

TEST(Text, EveryInstructionRoundTrips) {
  test::Random random(7);
  for (int op = 0; op < kNumOps; ++op)
    for (int i = 0; i < 50; ++i) {
      Inst inst = test::randomInst(random, static_cast<Op>(op)), back;
      ASSERT_EQ(validate(inst), "");
      std::string text = format(inst), error;
      ASSERT_TRUE(parseInst(text, back, error)) << text << ": " << error;
      ASSERT_EQ(back, inst) << text;
    }
}

TEST(Text, LooksAsDocumented) {
  Inst inst;
  std::string error;
  auto shown = [&](const char *text) {
    EXPECT_TRUE(parseInst(text, inst, error)) << text << ": " << error;
    return format(inst);
  };
  for (const char *text :
       {"v.add.f32 v1, v2, v63", "v.st v4, s5, off=-3, stride=2, ?m7", "s.add s1, s2, -7", "s.add s1, s2, s3",
        "v.li v0, 0x3f800000", "loop 10, target=4", "mxu.push.bf16 v1, -, 12, mxu=3", "mxu.push.s8 v1, v2, s3",
        "s.li s9, -9223372036854775808", "halt", "dma.start s31, s31, 2, desc=5", "x.rot.lane v1, v2, 64"})
    EXPECT_EQ(shown(text), text);
}

TEST(Text, RefusesNonsense) {
  Inst inst;
  std::string error;
  for (const char *text :
       {"", "v.add", "v.add.f32", "v.add.f32 v1, v2", "v.add.f32 v1, v2, v64", "v.add.f32 v1, v2, s3",
        "v.add.f32 v1, v2, v3, v4", "s.add s1, s2, 4294967296", "s.add s1, s2, ", "v.st v1, s2, ?v3",
        "v.ld v1, s2, off=", "v.ld v1, s2, on=3", "br target=loop", "s.li s1, 99999999999999999999", "m.li m16, 1",
        "v.add.f32 v1, v2, v3, ?m1"}) {
    error.clear();
    EXPECT_FALSE(parseInst(text, inst, error)) << text;
    EXPECT_FALSE(error.empty()) << text;
  }
}

TEST(Text, DescriptorsRoundTrip) {
  test::Random random(9);
  for (int i = 0; i < 500; ++i) {
    DmaDescriptor d = test::randomDescriptor(random, 5), back;
    std::string error;
    ASSERT_TRUE(parseDescriptor(format(d), back, error)) << format(d) << error;
    ASSERT_EQ(back, d) << format(d);
  }
  DmaDescriptor d;
  std::string error;
  for (const char *text : {"", "hbm[0]+0", "hbm[0]+0 -> vmem+0", "hbm+0 -> vmem+0, run=4",
                           "hbm[0]+0 -> vmem+0, run=4, dim=1:2", "disk+0 -> vmem+0, run=4", "hbm[0+0 -> vmem+0, run=4"})
    EXPECT_FALSE(parseDescriptor(text, d, error)) << text;
}

TEST(Text, ExecutablesRoundTrip) {
  for (int seed = 0; seed < 100; ++seed) {
    test::Random random(seed);
    Executable exe = test::randomExecutable(random), back;
    ASSERT_EQ(validate(exe), "");
    std::string text = disassemble(exe), error;
    ASSERT_TRUE(assemble(text, back, error)) << error << "\n" << text;
    ASSERT_EQ(serialize(back), serialize(exe)) << text;
    ASSERT_EQ(disassemble(back), text);
  }
}

TEST(Text, OmittedConstantsAreNotAssembled) {
  test::Random random(1);
  Executable exe = test::randomExecutable(random), back;
  std::string error;
  EXPECT_FALSE(assemble(disassemble(exe, 100), back, error));
  EXPECT_NE(error.find("without its constants"), std::string::npos);
}

TEST(Text, ErrorsNameTheLine) {
  Executable exe;
  std::string error;
  EXPECT_FALSE(assemble("main:\n  { s.li s1, 4 }  // four\n  { v.mov v1, s2 }\n", exe, error));
  EXPECT_EQ(error.substr(0, 7), "line 3:");
  EXPECT_FALSE(assemble("main:\n { br target=.Lx }\n", exe, error));
  EXPECT_NE(error.find(".Lx"), std::string::npos);
  EXPECT_FALSE(assemble(".set colour 3\n", exe, error));
  EXPECT_FALSE(assemble(".buffer kind: 77777777777777777\n", exe, error));
}

}  // namespace
}  // namespace tpuc::isa
