// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table, and fields of the encoding.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "test/unit/isa/random_program.h"

namespace tpuc::isa {
namespace {

TEST(Table, MnemonicsAreUniqueAndFound) {
  std::set<std::string_view> seen;
  for (int op = 0; op < kNumOps; ++op) {
    const InstInfo &i = info(static_cast<Op>(op));
    EXPECT_TRUE(seen.insert(i.mnemonic).second) << i.mnemonic;
    EXPECT_EQ(lookup(i.mnemonic), static_cast<Op>(op));
  }
  EXPECT_FALSE(lookup("v.sort"));
}

TEST(Table, FieldsFitTheEncoding) {
  for (int op = 0; op < kNumOps; ++op) {
    const InstInfo &i = info(static_cast<Op>(op));
    int bits = 0;
    for (int k = 0; k < i.numFields; ++k) bits += i.fields[k].bits;
    EXPECT_LE(bits, 64) << i.mnemonic;
  }
}

TEST(Fields, HoldWhatFitsAndRefuseTheRest) {
  Inst inst;
  inst.op = Op::VLd;
  EXPECT_TRUE(setField(inst, "off", -5));
  EXPECT_TRUE(setField(inst, "stride", -32768));
  EXPECT_FALSE(setField(inst, "stride", 32768));
  EXPECT_EQ(getField(inst, "off"), -5);
  EXPECT_EQ(getField(inst, "stride"), -32768);
  inst.op = Op::SLi;
  EXPECT_TRUE(setField(inst, "imm", INT64_MIN));
  EXPECT_EQ(getField(inst, "imm"), INT64_MIN);
}

TEST(Validate, RefusesBadSlots) {
  test::Random random(1);
  Inst add = test::randomInst(random, Op::VFAdd);
  EXPECT_EQ(validate(add), "");
  Inst bad = add;
  bad.dst = kNumVregs;
  EXPECT_NE(validate(bad), "");
  bad = add;
  bad.b = kNoReg;
  EXPECT_NE(validate(bad), "");
  bad = add;
  bad.c = 1;
  EXPECT_NE(validate(bad), "");
  bad = add;
  bad.imm = 1;
  EXPECT_NE(validate(bad), "");
  bad = add;
  bad.m = 0;
  EXPECT_NE(validate(bad), "");
  bad.op = static_cast<Op>(kNumOps);
  EXPECT_NE(validate(bad), "");
}

// The page in docs/ is the one that the table gives: build the target isa_page after a change.
TEST(Page, IsCurrent) {
  std::ifstream file(TPUC_SOURCE_DIR "/docs/isa.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(text.str() == isaPage()) << "docs/isa.md is not what the table says: build the target isa_page";
}

TEST(Page, ListsEveryInstruction) {
  std::string page = isaPage();
  for (int op = 0; op < kNumOps; ++op)
    EXPECT_NE(page.find("`" + std::string(info(static_cast<Op>(op)).mnemonic) + "`"), std::string::npos);
}

// A new instruction has a line in sources.def.
TEST(Page, NamesASourceForEveryInstruction) { EXPECT_EQ(isaPage().find("|  |\n"), std::string::npos); }

}  // namespace
}  // namespace tpuc::isa
