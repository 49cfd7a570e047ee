// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the host: what it reads and writes, how it stops a run, what it may do with the device meanwhile.
#include <thread>

#include "test/unit/executor/harness.h"

namespace tpuc::exec {
namespace {

constexpr char kArray[] = "array { type: \"i32\" dims: 3 }";

// The host's function 7 of the argument is the result.
std::string program(const std::string &operand = "operands { buffer: 0 array { type: \"i32\" dims: 3 } }") {
  return std::string(".buffer kind: ARGUMENT size: 512 ") + kArray + "\n.buffer kind: RESULT size: 512 " + kArray +
         "\n.host id: 7 " + operand + " results { buffer: 1 " + kArray +
         " }\n.routine name: \"main\" kind: \"entry\" bundles: 2\nmain:\n{ host.call 0 }\n{ halt }\n";
}

std::shared_ptr<Device> makeDevice(bool checking = false) {
  std::string error;
  DeviceOptions options;
  options.checking = checking;
  auto device = Device::create(test::shapeOfSide(128), options, error);
  EXPECT_TRUE(device) << error;
  return device;
}

std::shared_ptr<LoadedProgram> load(const std::string &text, const std::shared_ptr<Device> &device) {
  auto exe = std::make_shared<isa::Executable>();
  std::string error;
  EXPECT_TRUE(isa::assemble(text, *exe, error)) << error << "\n" << text;
  auto program = LoadedProgram::load(exe, device, {}, error);
  EXPECT_TRUE(program) << error;
  return program;
}

exec::Run runOn(Device &device, int32_t first, HostFunction host) {
  std::string error;
  exec::Run run;
  run.arguments = {{device.hbm().allocate(512, nullptr, error)}};
  std::memset(run.arguments[0].array->data(), 0, 512);
  std::memcpy(run.arguments[0].array->data(), &first, 4);
  run.host = std::move(host);
  return run;
}

int32_t firstOf(const Run &run) {
  int32_t value;
  std::memcpy(&value, run.results[0]->data(), 4);
  return value;
}

int32_t *numbers(const HostArray &array) { return static_cast<int32_t *>(array.data); }

TEST(HostCalls, ReadAndWriteDenseArrays) {
  for (bool checking : {false, true}) {
    auto device = makeDevice(checking);
    auto loaded = load(program(), device);
    exec::Run run = runOn(*device, 20, [](uint64_t id, auto operands, auto results, std::string &) {
      EXPECT_EQ(id, 7u);
      EXPECT_EQ(operands.size(), 1u);
      EXPECT_EQ(operands[0].layout->dims, std::vector<int64_t>{3});
      for (int k = 0; k < 3; ++k) numbers(results[0])[k] = numbers(operands[0])[k] + k + 1;
      return true;
    });
    RunError error;
    ASSERT_TRUE(loaded->run(run, error)) << error.text();
    EXPECT_EQ(firstOf(run), 21);
    int32_t last;
    std::memcpy(&last, run.results[0]->data() + 8, 4);
    EXPECT_EQ(last, 3);
  }
}

TEST(HostCalls, WhatTheHostSaysEndsTheRun) {
  auto device = makeDevice();
  auto loaded = load(program(), device);
  exec::Run run = runOn(*device, 1, [](uint64_t, auto, auto, std::string &error) {
    error = "no such luck";
    return false;
  });
  RunError error;
  EXPECT_FALSE(loaded->run(run, error));
  EXPECT_EQ(error.message, "no such luck");
  EXPECT_TRUE(error.ofHost);
  run.host = {};
  EXPECT_FALSE(loaded->run(run, error));
  EXPECT_FALSE(error.ofHost);
  EXPECT_NE(error.message.find("which this run has not"), std::string::npos) << error.message;
}

// The same program, from within its own call, some levels deep; then from another thread meanwhile.
TEST(HostCalls, TheDeviceIsFreeMeanwhile) {
  auto device = makeDevice();
  auto loaded = load(program(), device);
  std::function<int32_t(int32_t)> factorial = [&](int32_t n) {
    exec::Run run = runOn(*device, n, [&](uint64_t, auto operands, auto results, std::string &) {
      int32_t n = *numbers(operands[0]);
      *numbers(results[0]) = n <= 1 ? 1 : n * factorial(n - 1);
      return true;
    });
    RunError error;
    EXPECT_TRUE(loaded->run(run, error)) << error.text();
    return firstOf(run);
  };
  EXPECT_EQ(factorial(5), 120);
  exec::Run outer = runOn(*device, 4, [&](uint64_t, auto operands, auto results, std::string &) {
    std::thread([&] { *numbers(results[0]) = *numbers(operands[0]) + factorial(3); }).join();
    return true;
  });
  RunError error;
  ASSERT_TRUE(loaded->run(outer, error)) << error.text();
  EXPECT_EQ(firstOf(outer), 10);
}

TEST(HostCalls, GarbageIsFound) {
  auto device = makeDevice(/*checking=*/true);
  auto loaded = load(program("operands { buffer: 1 array { type: \"i32\" dims: 3 } }"), device);
  exec::Run run = runOn(*device, 1, [](uint64_t, auto, auto, std::string &) { return true; });
  RunError error;
  EXPECT_FALSE(loaded->run(run, error));
  EXPECT_NE(error.message.find("operand 0 of the host call has garbage"), std::string::npos) << error.message;
}

TEST(HostCalls, AreValidated) {
  auto problem = [](const std::string &text) {
    isa::Executable exe;
    std::string error;
    EXPECT_FALSE(isa::assemble(text, exe, error));
    return error;
  };
  std::string good = program();
  auto with = [&](const std::string &from, const std::string &to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return problem(text);
  };
  EXPECT_NE(with("{ host.call 0 }", "{ host.call 1 }").find("unknown host call"), std::string::npos);
  EXPECT_NE(with("kind: \"entry\"", "kind: \"loop\"").find("a host call outside of an entry routine"),
            std::string::npos);
  EXPECT_NE(with("operands { buffer: 0", "operands { buffer: 5").find("unknown buffer"), std::string::npos);
  EXPECT_NE(with("operands { buffer: 0", "operands { buffer: 0 offset: 8").find("an array outside of its buffer"),
            std::string::npos);
  EXPECT_NE(with("results { buffer: 1", "results { buffer: 0").find("writes an argument"), std::string::npos);
}

TEST(HostCalls, TextIsReadBack) {
  isa::Executable exe, again;
  std::string error;
  ASSERT_TRUE(isa::assemble(program(), exe, error)) << error;
  std::string text = isa::disassemble(exe);
  EXPECT_NE(text.find(".host id: 7"), std::string::npos) << text;
  ASSERT_TRUE(isa::assemble(text, again, error)) << error;
  EXPECT_EQ(isa::disassemble(again), text);
}

}  // namespace
}  // namespace tpuc::exec
