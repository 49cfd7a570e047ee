// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rewrites of the tree before scheduling, each on a routine small enough to read, and the diagnostics of the door.
#include "passes/schedule/tidy.h"

#include <gtest/gtest.h>

#include "passes/schedule/machine_text.h"
#include "passes/schedule/make_again.h"
#include "passes/schedule/schedule.h"

namespace tpuc::schedule {
namespace {

timing::MachineModel v5e() {
  target::Target target;
  std::string error;
  EXPECT_TRUE(target::loadTarget("v5e", target, error)) << error;
  return timing::MachineModel(target);
}

machine::Routine parse(const std::string &text) {
  machine::Routine routine;
  std::string error;
  EXPECT_TRUE(parseRoutine(text, routine, error)) << error;
  return routine;
}

// Without the header's list of registers.
std::string bodyOf(const machine::Routine &routine) {
  std::string text = toText(routine);
  size_t regs = text.find("  regs");
  return regs == std::string::npos ? text : text.erase(regs, text.find('\n', regs) + 1 - regs);
}

TEST(ScheduleTidy, ConstantsBecomeImmediates) {
  machine::Routine r =
      parse("routine r { s0 = s.li imm=3 s1 = s.add s0, s2 s3 = s.mul s0 imm=5 mxu.push.bf16 v4, _, s3 }");
  foldConstants(r);
  EXPECT_EQ(
      bodyOf(r),
      "routine r {\n  s0 = s.li imm=3\n  s1 = s.add s2 imm=3\n  s3 = s.li imm=15\n  mxu.push.bf16 v4 imm=15\n}\n");
}

TEST(ScheduleTidy, EqualLoadsOnlyOnceUntilAStore) {
  machine::Routine r = parse(R"(routine r {
    s0 = s.li
    v1 = v.ld s0 region=1
    v2 = v.ld s0 region=1
    v.st v2, s0 region=2
    v3 = v.ld s0 region=1
    v.st v3, s0 region=1
    v4 = v.ld s0 region=1
    v.st v4, s0 region=2
  })");
  eliminateCommon(r);
  EXPECT_EQ(bodyOf(r), R"(routine r {
  s0 = s.li
  v1 = v.ld s0 region=1
  v.st v1, s0 region=2
  v.st v1, s0 region=1
  v4 = v.ld s0 region=1
  v.st v4, s0 region=2
}
)");
}

TEST(ScheduleTidy, InvariantsLeaveTheLoop) {
  // The load of region 1 leaves, the one of region 2 does not: the loop stores there.
  machine::Routine r = parse(R"(routine r {
    s0 = s.li
    loop 4 {
      v1 = v.li imm=7
      v2 = v.ld s0 region=1
      v3 = v.ld s0 region=2
      v4 = v.add.f32 v1, v2
      v5 = v.add.f32 v3, v4
      v.st v5, s0 region=2
    }
  })");
  hoistInvariants(r);
  EXPECT_EQ(bodyOf(r), R"(routine r {
  s0 = s.li
  v1 = v.li imm=7
  v2 = v.ld s0 region=1
  v4 = v.add.f32 v1, v2
  loop 4 {
    v3 = v.ld s0 region=2
    v5 = v.add.f32 v3, v4
    v.st v5, s0 region=2
  }
}
)");
}

TEST(ScheduleTidy, ConstantsReturnToLoopsWithoutRegisters) {
  // 38 constants from outside, of which 36 stay: those used least are made where they are used.
  std::string text = "routine r {\n  s200 = s.li\n", body = "  loop 4 {\n    v100 = v.ld s200 region=1\n";
  for (int i = 0; i < 38; ++i) text += "  v" + std::to_string(i) + " = v.li imm=" + std::to_string(i + 1) + "\n";
  for (int i = 0; i < 38; ++i)
    for (int k = 0; k < (i == 5 || i == 7 ? 1 : 2); ++k) body += "    v100 = v.xor v100, v" + std::to_string(i) + "\n";
  machine::Routine r = parse(text + body + "    v.st v100, s200 region=1\n  }\n}");
  sinkConstants(r);
  const std::string after = bodyOf(r), loop = after.substr(after.find("loop"));
  size_t made = 0;
  for (size_t at = loop.find("v.li"); at != std::string::npos; at = loop.find("v.li", at + 1)) ++made;
  EXPECT_EQ(made, 2u);
  EXPECT_NE(loop.find("= v.li imm=6\n    v100 = v.xor v100, v"), std::string::npos) << loop;
  EXPECT_NE(loop.find("= v.li imm=8\n    v100 = v.xor v100, v"), std::string::npos) << loop;
}

// The loop's body with what is made in it again, as text.
std::string madeAgain(const std::string &text, int ii) {
  machine::Routine r = parse(text);
  std::vector<MInst> before, body;
  std::vector<Reg> invariants;
  for (const machine::Node &node : r.body)
    if (const MInst *inst = std::get_if<MInst>(&node.value)) {
      before.push_back(*inst);
      if (inst->dst >= 0) invariants.push_back(inst->dst);
    } else {
      for (const machine::Node &n : std::get<machine::LoopNode>(node.value).body)
        body.push_back(std::get<MInst>(n.value));
    }
  std::sort(invariants.begin(), invariants.end());
  Flow flow;
  flow.regs = r.regs;
  auto made = makeAgain(body, before, invariants, constantsOf(r), ii, Resources(v5e()), flow);
  if (!made) return "";
  machine::Routine out;
  out.name = "r";
  out.regs = flow.regs;
  for (const MInst &inst : *made) out.body.push_back({inst});
  return bodyOf(out);
}

TEST(ScheduleTidy, LoopsMakeAgainWhatFreeSlotsAllow) {
  // In one cycle there is room for two loads, of which the loop has one, and for four vector operations, of which it
  // has three.
  const std::string text = R"(routine r {
    s0 = s.li
    v1 = v.ld s0 region=1
    v2 = v.ld s0 off=8 region=1
    v3 = v.li imm=7
    v4 = v.li imm=9
    loop 40 {
      v5 = v.ld s0 off=16 region=1
      v6 = v.xor v1, v1
      v7 = v.xor v2, v3
      v8 = v.xor v4, v4
      v.st v8, s0 region=2
    }
  })";
  EXPECT_EQ(madeAgain(text, 1), R"(routine r {
  v5 = v.ld s0 off=16 region=1
  v6 = v.xor v1, v1
  v9 = v.ld s0 off=8 region=1
  v10 = v.li imm=7
  v7 = v.xor v9, v10
  v8 = v.xor v4, v4
  v.st v8, s0 region=2
}
)");
}

TEST(ScheduleTidy, LoopsDoNotLoadAgainWhatChanges) {
  // v1's words are stored to by the loop, v2's behind the load, v3's address changes.
  EXPECT_EQ(madeAgain(R"(routine r {
    s0 = s.li
    s6 = s.li imm=64
    v1 = v.ld s0 region=1
    v2 = v.ld s0 region=2
    v3 = v.ld s6 region=3
    s6 = s.add s6 imm=8
    v.st v1, s0 region=2
    loop 40 {
      v4 = v.xor v1, v2
      v5 = v.xor v4, v3
      v.st v5, s0 region=1
    }
  })",
                      4),
            "");
}

TEST(ScheduleTidy, AddressesStep) {
  // 512 + 8 i: starts at 512, grows by 8; nothing reads the old counter any more.
  machine::Routine r = parse(R"(routine r {
    s0 = s.li imm=512
    s1 = s.li
    loop s9 {
      s2 = s.mul s1 imm=8
      s3 = s.add s2, s0
      v4 = v.ld s3 region=1
      v.st v4, s3 region=2
      s1 = s.add s1 imm=1
    }
  })");
  reduceStrength(r);
  foldConstants(r);
  std::string text = bodyOf(r);
  EXPECT_NE(text.find("v4 = v.ld s12 region=1\n    v.st v4, s12 region=2\n    s12 = s.add s12 imm=8\n  }"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("s.mul"), std::string::npos) << text;
}

TEST(ScheduleTidy, ShortLoopsBesideStraightCodeAreUnrolled) {
  // Staging eight rows of weights on one array takes as long as two pushes of 16 rows.
  std::string stage;
  for (int row = 0; row < 8; ++row)
    for (int array = 0; array < 4; ++array) {
      std::string v = "v" + std::to_string(20 + 4 * row + array);
      stage += v + " = v.ld s0 region=1 off=" + std::to_string(8 * row + 64 * array) + "\n";
      stage += "mxu.ldw.bf16 " + v + " row=" + std::to_string(row) + " mxu=" + std::to_string(array) + "\n";
    }
  auto looped = [&](const std::string &count) {
    return parse("routine r {\n s0 = s.li\n s1 = s.li imm=4096\n" + stage + "loop " + count +
                 " {\n v2 = v.ld s1 region=2\n mxu.push.bf16 v2\n s1 = s.add s1 imm=8\n }\n}");
  };
  timing::MachineModel model = v5e();
  Resources resources(model);
  machine::Routine whole = looped("4");
  unrollShortLoops(whole, resources);
  std::string text = bodyOf(whole);
  EXPECT_EQ(text.find("loop"), std::string::npos);
  EXPECT_NE(text.find("v.ld s1 off=24 region=2"), std::string::npos) << "the fourth iteration's address";
  machine::Routine peeled = looped("400");
  unrollShortLoops(peeled, resources);
  text = bodyOf(peeled);
  EXPECT_NE(text.find("loop 39"), std::string::npos) << text;  // a few iterations beside the staging
}

TEST(ScheduleErrors, SayWhatWasExpected) {
  timing::MachineModel model = v5e();
  auto errorOf = [&](const machine::Routine &routine) {
    machine::Scheduled code;
    std::string error;
    EXPECT_FALSE(scheduleRoutine(routine, model, code, error));
    return error;
  };
  machine::Routine routine = parse("routine r { v0 = v.laneid v1 = v.mov v0 }");
  std::get<MInst>(routine.body[1].value).src[0] = kNone;
  EXPECT_EQ(errorOf(routine), "routine 'r': v.mov: expects a register, but got none");
  EXPECT_EQ(errorOf(parse("routine r { call }")), "routine 'r': call without a routine");
  // v.ld stays what it is: its value cannot be made again after the call.
  EXPECT_EQ(errorOf(parse("routine r { s0 = s.li v1 = v.ld s0 region=1 call routine=1 v.st v1, s0 region=1 }")),
            "routine 'r': a vector or mask register is live across a call");
}

TEST(ScheduleVerify, FindsBrokenBundles) {
  timing::MachineModel model = v5e();
  machine::Scheduled code;
  std::string error;
  ASSERT_TRUE(scheduleRoutine(
      parse("routine r { s0 = s.li imm=1 loop 500 { s1 = s.ldw s0 s.stw s1, s0 s0 = s.add s0 imm=4 } }"), model, code,
      error));
  EXPECT_EQ(verifyScheduled(code, model, false), "");
  machine::Scheduled target = code;
  for (isa::Inst &inst : target.code)
    if (inst.op == Op::LoopEnd) isa::setField(inst, "target", 77);
  machine::Scheduled open = code;
  open.code.pop_back();
  EXPECT_NE(verifyScheduled(target, model, false), "");
  EXPECT_NE(verifyScheduled(open, model, false), "");
  machine::Scheduled zero = code;
  for (isa::Inst &inst : zero.code)
    if (inst.op == Op::SLi) inst.dst = machine::kZeroReg;
  EXPECT_NE(verifyScheduled(zero, model, false), "");
}

}  // namespace
}  // namespace tpuc::schedule
