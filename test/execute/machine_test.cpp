// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled programs on the machine: the same bits at every CPU level, number of threads and in the checking mode, and
// the static timing equal to what a run counts.
#include <gtest/gtest.h>

#include <random>

#include "compiler/pipeline/session.h"
#include "runtime/device/pack.h"
#include "runtime/executor/executor.h"
#include "runtime/timing/timing.h"

namespace tpuc {
namespace {

using Bytes = std::vector<uint8_t>;

struct Program {
  isa::Executable exe;
  target::Target target;
  std::vector<Bytes> arguments;
};

// Small numbers of the element's type in every byte's place, padding included.
Bytes madeUp(const isa::proto::Buffer &buffer, std::mt19937 &random) {
  Bytes out(buffer.size());
  const std::string &type = buffer.array().type();
  for (size_t i = 0; i + 4 <= out.size(); i += 4) {
    float f = static_cast<float>(static_cast<int>(random() % 2001) - 1000) * 0.001f;
    uint32_t word = std::bit_cast<uint32_t>(f);
    if (type == "bf16")
      word = word >> 16 | (random() & 0x80003f) << 16 | 0x3e000000;
    else if (type != "f32")
      word = random() & 0x07070707;
    std::memcpy(&out[i], &word, 4);
  }
  return out;
}

Program compiled(const std::string &name, const std::string &target, const std::string &precision) {
  Program p;
  CompileOptions options;
  options.target = target;
  options.matmulPrecision = precision;
  std::string error, messages;
  llvm::raw_string_ostream err(messages);
  Session session;
  Compiled result = session.compileFile(std::string(TPUC_PROGRAMS) + "/" + name + ".mlir", options, err);
  EXPECT_EQ(result.exit, 0) << messages;
  p.exe = std::move(result.exe);
  EXPECT_TRUE(resolveTarget(options, p.target, error)) << error;
  std::mt19937 random(1);
  for (const isa::proto::Buffer &b : p.exe.index.buffers())
    if (b.kind() == isa::proto::ARGUMENT) {
      if (static_cast<int>(p.arguments.size()) <= b.index()) p.arguments.resize(b.index() + 1);
      p.arguments[b.index()] = madeUp(b, random);
    }
  return p;
}

// Runs it `runs` times; the results' elements after the last (what lies in their padding is undefined).
std::vector<Bytes> run(const Program &p, const exec::ExecutorOptions &options, timing::ControlTrace *trace,
                       exec::Statistics &statistics, int runs = 1) {
  std::string error;
  auto executor = exec::Executor::create(p.exe, options, error);
  EXPECT_TRUE(executor) << error;
  if (!executor) return {};
  for (size_t i = 0; i < p.arguments.size(); ++i)
    EXPECT_TRUE(executor->bindArgument(static_cast<int>(i), p.arguments[i], error)) << error;
  exec::RunError stopped;
  for (int k = 0; k < runs; ++k) EXPECT_TRUE(executor->run(stopped, trace)) << stopped.text();
  std::vector<Bytes> out;
  for (int i = 0; i < executor->numResults(); ++i) {
    isa::ArrayLayout layout;
    EXPECT_TRUE(exec::layoutOf(executor->result(i).array(), layout, error)) << error;
    device::unpack(layout, executor->resultArray(i)->data(),
                   out.emplace_back(layout.elements * layout.type->hostBytes).data());
  }
  statistics = executor->statistics();
  return out;
}

class Machine : public testing::TestWithParam<std::tuple<const char *, const char *>> {};

TEST_P(Machine, StaticTimingEqualsTheRun) {
  auto [name, target] = GetParam();
  Program p = compiled(name, target, "");
  timing::ControlTrace trace;
  exec::Statistics counted;
  run(p, {}, &trace, counted);
  timing::TimingResult guessed = timing::timeProgram(p.exe, p.target),
                       traced = timing::timeProgram(p.exe, p.target, &trace);
  ASSERT_TRUE(guessed.ok) << guessed.error;
  ASSERT_TRUE(traced.ok) << traced.error;
  EXPECT_EQ(guessed.cycles, traced.cycles);
  EXPECT_TRUE(guessed.counters == traced.counters);
  EXPECT_TRUE(guessed.routines == traced.routines);
  const timing::Counters &c = traced.counters;
  EXPECT_EQ(c.bundles, static_cast<int64_t>(counted.bundles));
  for (int u = 0; u < timing::kNumUnits; ++u) EXPECT_EQ(c.issues[u], static_cast<int64_t>(counted.issues[u])) << u;
  EXPECT_EQ(c.pushesBf16, static_cast<int64_t>(counted.pushes[0]));
  EXPECT_EQ(c.pushesInt8, static_cast<int64_t>(counted.pushes[1]));
  EXPECT_EQ(c.pushesF32, static_cast<int64_t>(counted.pushes[2]));
  const int hbm = static_cast<int>(isa::Space::Hbm);
  uint64_t read = 0, written = 0;
  for (int other = 0; other < 3; ++other) read += counted.dmaBytes[hbm][other], written += counted.dmaBytes[other][hbm];
  EXPECT_EQ(c.hbmReadBytes, static_cast<int64_t>(read));
  EXPECT_EQ(c.hbmWriteBytes, static_cast<int64_t>(written));
}

TEST_P(Machine, SameBitsAtEveryLevelAndThreadCount) {
  auto [name, target] = GetParam();
  Program p = compiled(name, target, "highest");
  exec::Statistics statistics;
  const std::vector<Bytes> want = run(p, {}, nullptr, statistics);
  auto same = [&](const exec::ExecutorOptions &options, int runs, const std::string &what) {
    EXPECT_EQ(run(p, options, nullptr, statistics, runs), want) << what;
  };
  for (exec::Level level : exec::availableLevels())
    for (int threads : {1, 3}) {
      exec::ExecutorOptions options;
      options.level = level;
      options.threads = threads;
      same(options, 1, std::string(exec::levelName(level)) + ", threads " + std::to_string(threads));
    }
  exec::ExecutorOptions hot;
  hot.hotAfter = 1;  // generated code from the first iteration on
  same(hot, 2, "generated code");
  exec::ExecutorOptions checking;
  checking.checking = true;
  same(checking, 1, "checking");
}

INSTANTIATE_TEST_SUITE_P(
    All, Machine,
    testing::Combine(testing::Values("mlp", "attention", "convolution", "train_step", "quantised", "reductions"),
                     testing::Values("v2", "v4", "v5e", "v6e")),
    [](const auto &info) { return std::string(std::get<0>(info.param)) + "_" + std::get<1>(info.param); });

}  // namespace
}  // namespace tpuc
