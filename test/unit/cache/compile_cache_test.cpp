// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs through the cache: which are compiled, which are loaded, and why.
#include "compiler/cache/compile_cache.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "compiler/cache/build_id.h"
#include "compiler/cache/differences.h"

namespace tpuc::cache {
namespace {

std::string program(int rows, const char *constant = "2.0", const char *op = "add") {
  const std::string type = "tensor<" + std::to_string(rows) + "x128xf32>";
  return "module @jit_f {\n  func.func public @main(%x: " + type + " loc(\"x\")) -> " + type +
         " {\n    %c = stablehlo.constant dense<" + constant + "> : " + type + "\n    %0 = stablehlo." + op +
         " %x, %c : " + type + " loc(\"model.py\":7:3)\n    return %0 : " + type + "\n  }\n}\n";
}

class CompileCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    settings.folder = std::filesystem::path(testing::TempDir()) / ("tpuc_compile_cache_" + std::to_string(getpid()));
    std::filesystem::remove_all(settings.folder);
  }
  void TearDown() override { std::filesystem::remove_all(settings.folder); }

  // What is said; `compiled` counts compilations.
  std::string compile(CompileCache &cache, const std::string &text, const CompileOptions &options = {},
                      const char *name = "f.mlir") {
    std::unique_ptr<Session> session;
    std::string diagnostics;
    llvm::raw_string_ostream err(diagnostics);
    auto make = [&]() -> Session & {
      ++compiled;
      session = std::make_unique<Session>();
      return *session;
    };
    last = cache.compile(make, llvm::MemoryBuffer::getMemBufferCopy(text, name), options, err);
    return diagnostics;
  }

  Settings settings;
  std::atomic<int> compiled = 0;
  Compiled last;
};

TEST_F(CompileCacheTest, TheSameProgramIsLoaded) {
  CompileCache cache(settings), other(settings);
  EXPECT_EQ(compile(cache, program(8)), "");
  const std::string bytes = isa::serialize(last.exe);
  EXPECT_EQ(compile(other, program(8)), "");
  EXPECT_EQ(compiled, 1);
  EXPECT_EQ(isa::serialize(last.exe), bytes);
}

TEST_F(CompileCacheTest, WhateverChangesTheExecutableIsInTheKey) {
  CompileCache cache(settings);
  CompileOptions options;
  compile(cache, program(8));
  compile(cache, program(16));
  compile(cache, program(8), options, "g.mlir");
  options.target = "v6e";
  compile(cache, program(8), options);
  options.target = "v5e";
  options.sets = {"hbm_bandwidth_gbps=900"};
  compile(cache, program(8), options);
  options.sets.clear();
  options.matmulPrecision = "highest";
  compile(cache, program(8), options);
  options.matmulPrecision = "";
  options.ioLayouts = "default";
  compile(cache, program(8), options);
  options.ioLayouts = "";
  options.fuse = false;
  compile(cache, program(8), options);
  options.fuse = true;
  options.pipeline = false;
  compile(cache, program(8), options);
  options.pipeline = true;
  options.constantArrays = true;
  compile(cache, program(8), options);
  EXPECT_EQ(compiled, 10);
}

TEST_F(CompileCacheTest, SizesThatAreGivenAreInTheKey) {
  CompileCache cache(settings);
  const std::string open =
      "func.func @main(%x: tensor<?x128xf32>) -> tensor<?x128xf32> {\n  %0 = stablehlo.add %x, %x : tensor<?x128xf32>\n"
      "  return %0 : tensor<?x128xf32>\n}\n";
  for (const char *shape : {"8x128", "9x128", "8x128"}) {
    CompileOptions options;
    options.argumentShapes = {shape};
    EXPECT_EQ(compile(cache, open, options), "");
    ASSERT_EQ(last.exit, 0);
    EXPECT_EQ(last.exe.index.buffers(0).array().dims(0), shape[0] - '0');
  }
  EXPECT_EQ(compiled, 2);
}

TEST_F(CompileCacheTest, OnlyWholeCompilations) {
  CompileCache cache(settings);
  CompileOptions options;
  options.stopAfter = "fuse";
  for (int i = 0; i < 2; ++i) {
    compile(cache, program(8), options);
    EXPECT_NE(last.stageText, "");
  }
  EXPECT_EQ(compiled, 2);
}

TEST_F(CompileCacheTest, RefusedProgramsAreRefusedEachTime) {
  CompileCache cache(settings);
  for (int i = 0; i < 2; ++i) EXPECT_NE(compile(cache, "func.func @main() { oh no }").find("error"), std::string::npos);
  EXPECT_EQ(compiled, 2);
}

TEST_F(CompileCacheTest, ManyThreadsCompileOnce) {
  CompileCache cache(settings);
  std::vector<std::thread> threads;
  std::atomic<int> sessions = 0, failed = 0;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      Session session;
      auto take = [&]() -> Session & { return ++sessions, session; };
      Compiled out = cache.compile(take, llvm::MemoryBuffer::getMemBufferCopy(program(8), "f"), {}, llvm::nulls());
      failed += out.exit != 0 || out.exe.code.empty();
    });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(sessions, 1);
  EXPECT_EQ(failed, 0);
}

TEST_F(CompileCacheTest, SaysWhatDiffers) {
  settings.log = true;
  CompileCache cache(settings);
  auto logged = [&](const std::string &text) {
    testing::internal::CaptureStderr();
    compile(cache, text);
    return testing::internal::GetCapturedStderr();
  };
  using testing::PrintToString;
  auto has = [](const std::string &text, const char *part) { return text.find(part) != std::string::npos; };
  EXPECT_PRED2(has, logged(program(8)), "jit_f: compiled in ");
  EXPECT_PRED2(has, logged(program(8)), "jit_f: cached, loaded in ");
  EXPECT_PRED2(has, logged(program(16)), "argument 0 'x' is 16x128xf32, before 8x128xf32 (model.py:7:3)");
  EXPECT_PRED2(has, logged(program(16, "3.0")), "a constant is 3.000000e+00, before 2.000000e+00");
  EXPECT_PRED2(has, logged(program(16, "3.0", "multiply")),
               "its operations differ from stablehlo.multiply on (model.py:7:3)");
  EXPECT_PRED2(has, logged(program(8, "3.0")),
               "a constant is 3.000000e+00, before 2.000000e+00");  // 16 rows of it are further away
  EXPECT_PRED2(has, logged("\n" + program(16)), "only lines of its source differ");
}

TEST_F(CompileCacheTest, WithoutAFolderItSaysWhyAllTheSame) {
  settings.log = true;
  settings.folder = "";
  CompileCache cache(settings);
  testing::internal::CaptureStderr();
  compile(cache, program(8));
  compile(cache, program(8));
  compile(cache, program(16));
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("it was compiled before, but nothing keeps programs"), std::string::npos) << text;
  EXPECT_NE(text.find("argument 0 'x' is 16x128xf32, before 8x128xf32"), std::string::npos) << text;
  EXPECT_EQ(compiled, 3);
}

TEST(Records, AreReadAgain) {
  Record record;
  record.name = "f \"quoted\" \xff";
  record.build = buildId();
  record.arguments = {{"8xf32", "x", "a.py:1:1"}};
  record.constants = {{"2xi32", "ab12", "", ""}};
  record.ops = {{0x12, "stablehlo.add", ""}, {0xffffffff, "func.return", ""}};
  Record again;
  ASSERT_TRUE(fromJson(toJson(record), again));
  EXPECT_TRUE(differences(again, record).sentences.empty());
  EXPECT_EQ(again.ops.size(), 2u);
  for (const char *bad : {"", "{}", "[1]", "{\"name\":1}"}) EXPECT_FALSE(fromJson(bad, again)) << bad;
}

TEST(BuildId, IsThere) { EXPECT_GE(buildId().size(), 16u); }

}  // namespace
}  // namespace tpuc::cache
