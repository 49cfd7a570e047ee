// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C library: what its header promises about versions, sizes and errors.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <string>

#include "compiler/embed/capi/include/tpuc-c/tpuc.h"

namespace {

constexpr char kNegate[] =
    "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = stablehlo.negate %x : tensor<4xf32>\n  return %0 : "
    "tensor<4xf32>\n}\n";

TEST(CLibrary, RunsAndReports) {
  EXPECT_EQ(tpuc_abi_version() >> 16, static_cast<uint32_t>(TPUC_ABI_MAJOR));
  tpuc_executable *exe = nullptr;
  ASSERT_EQ(tpuc_compile(kNegate, std::strlen(kNegate), nullptr, &exe), nullptr);
  EXPECT_EQ(tpuc_executable_num_arguments(exe), 1u);
  EXPECT_EQ(tpuc_executable_num_results(exe), 1u);
  tpuc_run_options run = {sizeof run, 1, 1, "portable"};
  EXPECT_EQ(tpuc_executable_configure(exe, &run), nullptr);
  float x[4] = {1, -2, 3, 0}, y[4] = {};
  const void *inputs[] = {x};
  void *outputs[] = {y};
  const size_t bytes[] = {sizeof x};
  ASSERT_EQ(tpuc_executable_run(exe, inputs, bytes, 1, outputs, bytes, 1), nullptr);
  EXPECT_EQ(y[1], 2.0f);
  int64_t value = 0, cycles = 0;
  double seconds = 0;
  EXPECT_EQ(tpuc_executable_counter(exe, "issues.valu", &value), 1);
  EXPECT_GT(value, 0);
  EXPECT_EQ(tpuc_executable_counter(exe, "issues.magic", &value), 0);
  EXPECT_EQ(tpuc_executable_time(exe, &cycles, &seconds), nullptr);
  EXPECT_GT(cycles, 0);
  tpuc_text *json = nullptr;
  ASSERT_EQ(tpuc_executable_report_json(exe, &json), nullptr);
  EXPECT_EQ(std::strlen(tpuc_text_data(json)), tpuc_text_size(json));
  tpuc_text_destroy(json);
  tpuc_executable_destroy(exe);
}

TEST(CLibrary, KeepsProgramsInAFolder) {
  const std::string folder = testing::TempDir() + "tpuc_cache_of_c_test";
  std::filesystem::remove_all(folder);
  tpuc_compile_options options = {};
  options.struct_size = sizeof options;
  options.cache = folder.c_str();
  tpuc_executable *exe = nullptr;
  ASSERT_EQ(tpuc_compile(kNegate, std::strlen(kNegate), &options, &exe), nullptr);
  tpuc_executable_destroy(exe);
  EXPECT_FALSE(std::filesystem::is_empty(folder));
  std::filesystem::remove_all(folder);
}

// A caller of an older version: the struct ends earlier, what lies behind it stays untouched.
TEST(CLibrary, SmallerStructs) {
  tpuc_executable *exe = nullptr;
  tpuc_compile_options options;
  std::memset(&options, 0xff, sizeof options);
  options.struct_size = offsetof(tpuc_compile_options, matmul_precision);
  options.target = "v4";
  ASSERT_EQ(tpuc_compile(kNegate, std::strlen(kNegate), &options, &exe), nullptr);
  tpuc_array_type type;
  std::memset(&type, 0x5a, sizeof type);
  type.struct_size = offsetof(tpuc_array_type, rank);
  ASSERT_EQ(tpuc_executable_result(exe, 0, &type), 1);
  EXPECT_STREQ(type.element, "f32");
  EXPECT_EQ(type.dims[0], 4);
  EXPECT_EQ(type.rank, 0x5a5a5a5a5a5a5a5aull);
  EXPECT_EQ(tpuc_executable_result(exe, 1, &type), 0);
  tpuc_executable_destroy(exe);
}

TEST(CLibrary, Errors) {
  tpuc_executable *exe = nullptr;
  auto expect = [](tpuc_error *error, int exit, const char *code) {
    ASSERT_NE(error, nullptr);
    EXPECT_EQ(tpuc_error_exit(error), exit);
    EXPECT_STREQ(tpuc_error_code(error), code);
    EXPECT_NE(std::strlen(tpuc_error_message(error)), 0u);
    tpuc_error_destroy(error);
  };
  expect(tpuc_compile("func.func(", 10, nullptr, &exe), 3, "TPUC-IMPORT-002");
  expect(tpuc_compile(nullptr, 0, nullptr, &exe), 2, "TPUC-USAGE-001");
  expect(tpuc_executable_parse("no executable", 13, &exe), 3, "TPUC-EXE-001");
  expect(tpuc_executable_load("/no/such/file", &exe), 3, "TPUC-EXE-001");
  EXPECT_EQ(exe, nullptr);
  ASSERT_EQ(tpuc_compile(kNegate, std::strlen(kNegate), nullptr, &exe), nullptr);
  const void *inputs[] = {kNegate};
  void *outputs[] = {nullptr};
  const size_t bytes[] = {15}, good[] = {16};
  expect(tpuc_executable_run(exe, inputs, bytes, 1, outputs, bytes, 1), 2, "TPUC-USAGE-001");
  expect(tpuc_executable_run(exe, inputs, bytes, 1, outputs, good, 1), 3, "TPUC-INPUT-003");
  tpuc_executable_destroy(exe);
}

}  // namespace
