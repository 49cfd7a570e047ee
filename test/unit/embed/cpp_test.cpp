// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C++ library: compile, run, counters, errors.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "compiler/embed/cpp/tpuc.h"

namespace tpuc::api {
namespace {

constexpr char kAdd[] = R"(
func.func @main(%x: tensor<3x5xf32>, %n: tensor<3x5xi32>) -> (tensor<3x5xf32>, tensor<3x5xi32>) {
  %0 = stablehlo.multiply %x, %x : tensor<3x5xf32>
  %1 = stablehlo.add %n, %n : tensor<3x5xi32>
  return %0, %1 : tensor<3x5xf32>, tensor<3x5xi32>
}
)";

struct Inputs {
  std::vector<float> x = std::vector<float>(15, 1.5f);
  std::vector<int32_t> n = std::vector<int32_t>(15, -7);
  std::vector<std::span<const std::byte>> spans() const {
    return {std::as_bytes(std::span(x)), std::as_bytes(std::span(n))};
  }
};

int64_t counter(const std::vector<Counter> &counters, const std::string &name) {
  for (const Counter &c : counters)
    if (c.name == name) return c.value;
  ADD_FAILURE() << "no counter " << name;
  return -1;
}

// Rows of x are split over two devices, the sum is whole on each.
constexpr char kSharded[] = R"(
module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["d"=2]>
  func.func @main(%x: tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>})
      -> (tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, tensor<f32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.add %x, %x : tensor<4x3xf32>
    %1 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1]
        : (tensor<4x3xf32>, tensor<f32>) -> tensor<f32>
    return %0, %1 : tensor<4x3xf32>, tensor<f32>
  }
}
)";

TEST(CppLibrary, RunsOnSeveralDevices) {
  auto exe = compile(kSharded);
  ASSERT_TRUE(exe) << exe.error().message;
  EXPECT_EQ(exe->arguments()[0].dims, (std::vector<int64_t>{4, 3}));
  EXPECT_EQ(exe->arguments()[0].bytes, 48u);
  std::vector<float> x(12);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  const std::span<const std::byte> inputs[] = {std::as_bytes(std::span(x))};
  for (int run = 0; run < 2; ++run) {
    auto results = exe->run(inputs);
    ASSERT_TRUE(results) << results.error().message;
    std::vector<float> doubled(12);
    float sum;
    ASSERT_EQ((*results)[0].size(), 48u);
    std::memcpy(doubled.data(), (*results)[0].data(), 48);
    std::memcpy(&sum, (*results)[1].data(), 4);
    for (size_t i = 0; i < x.size(); ++i) EXPECT_EQ(doubled[i], 2 * x[i]) << i;
    EXPECT_EQ(sum, 66.0f);
  }
  auto sized = exe->runSized(std::vector<SizedArray>{{{4, 3}, {inputs[0].begin(), inputs[0].end()}}});
  ASSERT_TRUE(sized) << sized.error().message;
  EXPECT_EQ((*sized)[0].dims, (std::vector<int64_t>{4, 3}));
  CompileOptions options;
  options.devices = 3;
  auto three = compile(kSharded, options);
  ASSERT_FALSE(three);
  EXPECT_EQ(three.error().code, "TPUC-DEVICES-002");
}

TEST(CppLibrary, RunsAndCounts) {
  auto exe = compile(kAdd);
  ASSERT_TRUE(exe) << exe.error().message;
  ASSERT_EQ(exe->arguments().size(), 2u);
  EXPECT_EQ(exe->arguments()[1].element, "i32");
  EXPECT_EQ(exe->results()[0].dims, (std::vector<int64_t>{3, 5}));
  EXPECT_EQ(exe->results()[0].bytes, 60u);
  EXPECT_FALSE(exe->configure({.threads = 1, .cpuLevel = "portable", .checking = true}));
  Inputs inputs;
  auto results = exe->run(inputs.spans());
  ASSERT_TRUE(results) << results.error().message;
  float x;
  int32_t n;
  std::memcpy(&x, (*results)[0].data() + 56, 4);
  std::memcpy(&n, (*results)[1].data(), 4);
  EXPECT_EQ(x, 2.25f);
  EXPECT_EQ(n, -14);
  // With one thread a run counts what the walk says.
  auto timed = exe->time();
  ASSERT_TRUE(timed);
  Statistics statistics = exe->statistics();
  EXPECT_EQ(statistics.runs, 1u);
  for (const Counter &c : statistics.counters) EXPECT_EQ(c.value, counter(timed->counters, c.name)) << c.name;
  EXPECT_GT(counter(timed->counters, "issues.valu"), 0);
}

TEST(CppLibrary, SameBytesAndBack) {
  auto a = compile(kAdd), b = compile(kAdd);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->serialize(), b->serialize());
  auto again = Executable::parse(a->serialize());
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->disassemble(), a->disassemble());
  EXPECT_NE(a->reportJson()->find("\"schema_version\": 1"), std::string::npos);
  std::string bytes = a->serialize();
  EXPECT_EQ(Executable::parse(bytes.substr(0, bytes.size() / 2)).error().code, "TPUC-EXE-001");
}

// The line that TPUC_LOG asks for says whether a program was loaded.
std::string saidOfCompiling(const CompileOptions &options) {
  testing::internal::CaptureStderr();
  auto exe = compile(kAdd, options);
  EXPECT_TRUE(exe) << exe.error().message;
  return testing::internal::GetCapturedStderr();
}

TEST(CppLibrary, KeepsProgramsInAFolder) {
  const std::string folder = testing::TempDir() + "tpuc_cache_of_cpp_test";
  std::filesystem::remove_all(folder);
  setenv("TPUC_LOG", "compiles", 1);
  EXPECT_EQ(saidOfCompiling({}), "");  // without a folder nothing is compared
  EXPECT_NE(saidOfCompiling({.cache = folder}).find("compiled in"), std::string::npos);
  EXPECT_NE(saidOfCompiling({.cache = folder}).find("cached, loaded in"), std::string::npos);
  EXPECT_NE(saidOfCompiling({.target = "v4", .cache = folder}).find("compiled in"), std::string::npos);
  EXPECT_EQ(saidOfCompiling({.cache = "off"}).find("cached"), std::string::npos);
  setenv("TPUC_CACHE_SIZE", "much", 1);
  EXPECT_EQ(compile(kAdd, {.cache = folder}).error().exit, 2);
  unsetenv("TPUC_CACHE_SIZE");
  unsetenv("TPUC_LOG");
  EXPECT_EQ(compile(kAdd, {.cache = folder})->serialize(), compile(kAdd)->serialize());
  std::filesystem::remove_all(folder);
}

TEST(CppLibrary, Errors) {
  auto invalid = compile("func.func @main(%x: tensor<2xf32>) -> tensor<3xf32> {\n  return %x : tensor<3xf32>\n}",
                         {.name = "mine.mlir"});
  ASSERT_FALSE(invalid);
  EXPECT_EQ(invalid.error().exit, 3);
  EXPECT_NE(invalid.error().message.find("mine.mlir:2:"), std::string::npos) << invalid.error().message;
  EXPECT_EQ(compile(kAdd, {.target = "v9"}).error().exit, 2);
  EXPECT_EQ(compile(kAdd, {.sets = {"frob=1"}}).error().code, "TPUC-TARGET-001");
  EXPECT_EQ(compile(kAdd, {.matmulPrecision = "exact"}).error().exit, 2);
  auto exe = compile(kAdd);
  ASSERT_TRUE(exe);
  EXPECT_EQ(exe->run({}).error().code, "TPUC-INPUT-004");
  Inputs inputs;
  inputs.x.pop_back();
  EXPECT_EQ(exe->run(inputs.spans()).error().code, "TPUC-INPUT-003");
  EXPECT_EQ(exe->configure({.cpuLevel = "sse"})->exit, 2);
  EXPECT_FALSE(explain("TPUC-FIT-001").empty());
  EXPECT_TRUE(explain("TPUC-NONE-001").empty());
  EXPECT_EQ(targets().size(), 7u);
}

}  // namespace
}  // namespace tpuc::api
