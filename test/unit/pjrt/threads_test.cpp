// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that compile, upload, run, donate and delete at once, with nothing between them and the plugin: a build of
// the preset `threads` sees every access, where a client of other people's code has handed things over unseen.
//
// TPUC_STRESS=SECONDS makes it longer.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <random>
#include <thread>

#include "test/unit/pjrt/programs.h"

namespace tpuc::pjrt {
namespace {

constexpr int kThreads = 4;

double seconds() {
  const char *text = std::getenv("TPUC_STRESS");
  return text ? std::atof(text) : 0.5;
}

std::string scaled(float factor, bool donates) {
  return "func.func @main(%a: tensor<64x40xf32>" + std::string(donates ? " {tf.aliasing_output = 0 : i32}" : "") +
         ") -> tensor<64x40xf32> {\n  %k = stablehlo.constant dense<" + std::to_string(factor) +
         "> : tensor<64x40xf32>\n  %0 = stablehlo.multiply %a, %k : tensor<64x40xf32>\n"
         "  return %0 : tensor<64x40xf32>\n}\n";
}

// A thread's own arrays and programs; what all share stands in the fixture.
class Threads : public Programs {
 protected:
  struct Worker {
    std::mt19937 random;
    std::vector<PJRT_Buffer *> buffers;
  };

  PJRT_Buffer *uploadFor(Worker &worker, float value) {
    return worker.buffers.emplace_back(fromHost(std::vector<float>(64 * 40, value), {64, 40}));
  }

  PJRT_Buffer *run(Worker &worker, PJRT_LoadedExecutable *executable, PJRT_Buffer *argument) {
    auto options = make<PJRT_ExecuteOptions>();
    PJRT_Buffer *const *arguments = &argument;
    PJRT_Buffer *result = nullptr, **results = &result;
    auto args = make<PJRT_LoadedExecutable_Execute_Args>();
    args.executable = executable;
    args.options = &options;
    args.argument_lists = &arguments;
    args.num_devices = 1;
    args.num_args = 1;
    args.output_lists = &results;
    EXPECT_EQ(caught(api().PJRT_LoadedExecutable_Execute(&args)).message, "");
    worker.buffers.push_back(result);
    return result;
  }

  void expect(PJRT_Buffer *buffer, float value) {
    std::vector<float> got(64 * 40);
    EXPECT_EQ(download(buffer, got).message, "");
    EXPECT_EQ(got, std::vector<float>(64 * 40, value));
  }

  PJRT_LoadedExecutable *compileFor(const std::string &text) {
    std::string code = text;
    auto program = make<PJRT_Program>();
    program.code = code.data();
    program.code_size = code.size();
    program.format = "mlir";
    program.format_size = 4;
    auto args = make<PJRT_Client_Compile_Args>();
    args.client = client_;
    args.program = &program;
    EXPECT_EQ(caught(api().PJRT_Client_Compile(&args)).message, "");
    return args.executable;
  }

  void destroyAll(Worker &worker) {
    for (PJRT_Buffer *buffer : worker.buffers) {
      auto args = make<PJRT_Buffer_Destroy_Args>();
      args.buffer = buffer;
      api().PJRT_Buffer_Destroy(&args);
    }
    worker.buffers.clear();
  }

  // A program of one's own, run and thrown away while its last run may be on its way.
  void compileAndRun(Worker &worker) {
    const float factor = static_cast<float>(worker.random() % 1000);
    PJRT_LoadedExecutable *executable = compileFor(scaled(factor, false));
    PJRT_Buffer *x = uploadFor(worker, 2), *once = run(worker, executable, x), *again = run(worker, executable, x);
    expect(once, 2 * factor);
    expect(again, 2 * factor);
    run(worker, executable, x);
    auto args = make<PJRT_LoadedExecutable_Destroy_Args>();
    args.executable = executable;
    api().PJRT_LoadedExecutable_Destroy(&args);
  }

  void runShared(Worker &worker) {
    PJRT_Buffer *x = uploadFor(worker, 1);
    for (int i = 0; i < 6; ++i) x = run(worker, shared_, x);
    expect(x, 64);
    expect(run(worker, shared_, given_), 6);
  }

  void donate(Worker &worker) {
    PJRT_Buffer *x = uploadFor(worker, 1);
    for (int i = 0; i < 5; ++i) x = run(worker, donating_, x);
    expect(x, 243);
  }

  void ask(Worker &) {
    auto get = make<PJRT_LoadedExecutable_GetExecutable_Args>();
    get.loaded_executable = shared_;
    EXPECT_EQ(caught(api().PJRT_LoadedExecutable_GetExecutable(&get)).message, "");
    auto costs = make<PJRT_Executable_GetCostAnalysis_Args>();
    costs.executable = get.executable;
    EXPECT_EQ(caught(api().PJRT_Executable_GetCostAnalysis(&costs)).message, "");
    auto destroy = make<PJRT_Executable_Destroy_Args>();
    destroy.executable = get.executable;
    api().PJRT_Executable_Destroy(&destroy);
  }

  PJRT_LoadedExecutable *shared_ = nullptr, *donating_ = nullptr;
  PJRT_Buffer *given_ = nullptr;
};

TEST_F(Threads, DoEverythingAtOnce) {
  ASSERT_EQ(compile(scaled(2, false), shared_).message, "");
  ASSERT_EQ(compile(scaled(3, true), donating_).message, "");
  given_ = upload(std::vector<float>(64 * 40, 3), {64, 40});
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds());
  std::atomic<int> done{0};
  std::vector<std::thread> threads;
  for (int n = 0; n < kThreads; ++n)
    threads.emplace_back([&, n] {
      Worker worker{std::mt19937(n), {}};
      while (std::chrono::steady_clock::now() < end && !HasFailure()) {
        switch (worker.random() % 5) {
          case 0:
            compileAndRun(worker);
            break;
          case 1:
            donate(worker);
            break;
          case 2:
            ask(worker);
            break;
          default:
            runShared(worker);
        }
        if (worker.buffers.size() > 100 || worker.random() % 4 == 0) destroyAll(worker);
        ++done;
      }
      destroyAll(worker);
    });
  for (std::thread &thread : threads) thread.join();
  EXPECT_GT(done, kThreads);
  std::cout << done << " pieces of work\n";
}

}  // namespace
}  // namespace tpuc::pjrt
