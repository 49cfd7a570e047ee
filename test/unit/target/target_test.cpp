// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bundled descriptions load, are sound and cite their sources; errors of a user's own say where and what.
#include "runtime/target/target.h"

#include <gtest/gtest.h>

#include <fstream>

namespace tpuc::target {
namespace {

std::string errorOf(const std::string &text) {
  Target target;
  std::string error;
  EXPECT_FALSE(parseTarget(text, target, error));
  return error;
}

TEST(Target, BundledOldestFirst) {
  std::vector<std::string> expected = {"v1", "v2", "v3", "v4", "v5e", "v5p", "v6e"};
  EXPECT_EQ(bundledTargets(), expected);
}

TEST(Target, EveryConstantCitesItsSource) {
  for (const std::string &name : bundledTargets()) {
    Target target;
    std::string error;
    ASSERT_TRUE(loadTarget(name, target, error)) << error;
    EXPECT_EQ(target.name(), name);
    for (const Constant &c : constants(target)) EXPECT_NE(c.source, "") << name << " " << c.path;
  }
}

// side^2 multiply-adds an array and beat, 2 operations each, against the published peak.
TEST(Target, PeakFollowsFromTheArrays) {
  for (const std::string &name : bundledTargets()) {
    Target target;
    std::string error;
    ASSERT_TRUE(loadTarget(name, target, error)) << error;
    double tera = bf16FlopsPerCycle(target) * target.cores() * target.clock_ghz() / 1e3;
    if (target.int8_only())
      EXPECT_NEAR(tera * target.core().mxu_int8_rate(), target.int8_tops(), 1.0) << name;
    else
      EXPECT_NEAR(tera / target.bf16_tflops(), 1.0, 0.01) << name;
  }
}

TEST(Target, TextRoundTrip) {
  Target target, again;
  std::string error;
  ASSERT_TRUE(loadTarget("v5p", target, error)) << error;
  ASSERT_TRUE(parseTarget(toText(target), again, error)) << error;
  EXPECT_EQ(toText(target), toText(again));
  EXPECT_EQ(digest(target), digest(again));
}

TEST(Target, DigestIsOfTheConstantsOnly) {
  Target target, other;
  std::string error;
  ASSERT_TRUE(loadTarget("v4", target, error));
  other = target;
  (*other.mutable_source())["clock_ghz"] = "measured here";
  EXPECT_EQ(digest(target), digest(other));
  other.set_clock_ghz(2);
  EXPECT_NE(digest(target), digest(other));
}

TEST(Target, ErrorsSayWhere) {
  EXPECT_EQ(errorOf("name: \"x\"\ncore {\n  mxus: 2\n  mxu_sides: 128\n}\n").rfind("target:4:", 0), 0u);
  std::string unknown = errorOf("core { mxu_sides: 128 }");
  EXPECT_NE(unknown.find("unknown field 'mxu_sides'; the fields of Core are mxus, mxu_side, "), std::string::npos)
      << unknown;
  EXPECT_NE(errorOf("name: \"x\"\nclock_ghz: fast\n").find("target:2:12: "), std::string::npos);
  EXPECT_EQ(errorOf("name: \"x\""), "target: clock_ghz expects a number above 0, but got 0");
}

TEST(Target, UnknownNameListsTheBundled) {
  Target target;
  std::string error;
  EXPECT_FALSE(loadTarget("v7x", target, error));
  EXPECT_EQ(error, "unknown target 'v7x': expects one of v1, v2, v3, v4, v5e, v5p, v6e or a readable textproto file");
}

TEST(Target, OwnFile) {
  Target target, own;
  std::string error;
  ASSERT_TRUE(loadTarget("v5e", target, error));
  target.set_name("mine");
  target.mutable_core()->set_mxus(8);
  std::string path = testing::TempDir() + "/mine.textproto";
  std::ofstream(path) << toText(target);
  ASSERT_TRUE(loadTarget(path, own, error)) << error;
  EXPECT_EQ(own.core().mxus(), 8u);
}

class SetConstant : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(loadTarget("v5e", target, error)) << error; }
  Target target;
  std::string error;
};

TEST_F(SetConstant, ShortForms) {
  EXPECT_TRUE(setConstant(target, "memory.hbm_bandwidth_gbps=900", error)) << error;
  EXPECT_EQ(target.memory().hbm_bandwidth_gbps(), 900);
  EXPECT_EQ(target.source().at("memory.hbm_bandwidth_gbps"), "set by the user");
  EXPECT_TRUE(setConstant(target, "hbm.bandwidth_gbps=800", error)) << error;
  EXPECT_EQ(target.memory().hbm_bandwidth_gbps(), 800);
  EXPECT_TRUE(setConstant(target, "mxus=8", error)) << error;
  EXPECT_EQ(target.core().mxus(), 8u);
  EXPECT_TRUE(setConstant(target, "latency.xlu=9", error)) << error;
  EXPECT_TRUE(setConstant(target, "int8_only=true", error)) << error;
  EXPECT_TRUE(target.int8_only());
}

TEST_F(SetConstant, Refusals) {
  std::string before = toText(target);
  EXPECT_FALSE(setConstant(target, "clock_ghz", error));
  EXPECT_EQ(error, "expects NAME=VALUE, but got 'clock_ghz'");
  EXPECT_FALSE(setConstant(target, "core.mxu_sides=128", error));
  EXPECT_EQ(error.rfind("unknown constant 'core.mxu_sides'; the fields are core.mxus, core.mxu_side, ", 0), 0u)
      << error;
  EXPECT_FALSE(setConstant(target, "bandwidth_gbps=1", error));
  EXPECT_EQ(error,
            "ambiguous constant 'bandwidth_gbps': could be memory.hbm_bandwidth_gbps, memory.cmem_bandwidth_gbps");
  EXPECT_FALSE(setConstant(target, "clock_ghz=fast", error));
  EXPECT_EQ(error, "clock_ghz expects a number, but got 'fast'");
  EXPECT_FALSE(setConstant(target, "core.mxus=2.5", error));
  EXPECT_EQ(error, "core.mxus expects a whole number up to 4294967295, but got '2.5'");
  EXPECT_FALSE(setConstant(target, "core.mxu_side=100", error));
  EXPECT_EQ(error, "core.mxu_side expects a power of two from 4 to 256, but got 100");
  EXPECT_FALSE(setConstant(target, "core.mxus=9", error));
  EXPECT_FALSE(setConstant(target, "mxu_rows_per_cycle=0.0001", error));
  EXPECT_EQ(error, "core.mxu_rows_per_cycle expects at least 0.015625, but got 0.0001");
  EXPECT_FALSE(setConstant(target, "latency.valu=4000000000", error));
  EXPECT_EQ(error, "latency.valu expects at most 10000, but got 4000000000");
  EXPECT_EQ(toText(target), before);
}

}  // namespace
}  // namespace tpuc::target
