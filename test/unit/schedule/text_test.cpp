// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine program's text: printing and parsing are inverse, errors name the line.
#include <gtest/gtest.h>

#include "passes/schedule/machine_text.h"
#include "test/unit/schedule/random_routine.h"

namespace tpuc::schedule {
namespace {

TEST(MachineText, RandomRoutinesRoundTrip) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    reference::RandomOptions options;
    options.statements = 80;
    options.calls = true;
    std::string text = toText(reference::randomRoutine(seed, options)), error;
    machine::Routine again;
    ASSERT_TRUE(parseRoutine(text, again, error)) << error << "\n" << text;
    ASSERT_EQ(toText(again), text);
  }
}

TEST(MachineText, EveryConstruct) {
  const std::string text = R"(loc 0 "model.py:3"
loc 1 "a \"quoted\" name"
entry routine main grid_start=s0 grid_count=s1 spill_vmem=4096 spill_smem=64 {
  regs s2 v1 m1
  s0 = s.li imm=-8
  loop 16 independent {
    v2 = v.ld s0 off=8 stride=1 region=3 loc=1
    mxu.push.bf16 v2, _, s0 mxu=1
    v.st v2, s0 mask=m3 region=4
  }
  loop s1 {
    v2 = v.li
    v2 = v.laneid
  }
  if s0 {
    call routine=2
  } else {
    grid s1 routine=1
  }
  while {
    s1 = s.lt s0 imm=3
  } s1 {
    s0 = s.add s0 imm=1
  }
}
)";
  machine::Program program;
  std::string error;
  ASSERT_TRUE(parseProgram(text, program, error)) << error;
  EXPECT_EQ(program.locations[1], "a \"quoted\" name");
  EXPECT_EQ(toText(program), text);
}

TEST(MachineText, Errors) {
  auto errorOf = [](const char *text) {
    machine::Routine routine;
    std::string error;
    EXPECT_FALSE(parseRoutine(text, routine, error));
    return error;
  };
  EXPECT_EQ(errorOf("routine r {\n  s0 = s.bad\n}"), "line 2: expects an instruction, but got 's.bad'");
  EXPECT_EQ(errorOf("routine r {\n  s0 = s.li\n  v0 = v.li\n}"), "line 3: register 'v0' is of another kind elsewhere");
  EXPECT_EQ(errorOf("routine r {\n  s0 = s.li row=1\n}"), "line 2: no field 'row' in s.li");
  EXPECT_EQ(errorOf("routine r {\n  m0 = m.li imm=2\n}"), "line 2: 2 does not fit the field 'imm'");
  EXPECT_EQ(errorOf("routine r {\n  loop 3 {\n"), "line 3: expects '}', but got the end");
}

}  // namespace
}  // namespace tpuc::schedule
