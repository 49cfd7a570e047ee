// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many programs on one device: its threads, its memory, arrays that go from one to the next; entries and the system
// area.
#include <atomic>
#include <filesystem>
#include <thread>

#include "test/unit/executor/harness.h"

namespace tpuc::exec {
namespace {

std::shared_ptr<const isa::Executable> assembled(const std::string &text) {
  auto exe = std::make_shared<isa::Executable>();
  std::string error;
  EXPECT_TRUE(isa::assemble(text, *exe, error)) << error << "\n" << text;
  return exe;
}

std::shared_ptr<Device> makeDevice(DeviceOptions options = {}) {
  std::string error;
  auto device = Device::create(test::shapeOfSide(128), options, error);
  EXPECT_TRUE(device) << error;
  return device;
}

std::shared_ptr<LoadedProgram> load(const std::string &text, const std::shared_ptr<Device> &device) {
  std::string error;
  auto program = LoadedProgram::load(assembled(text), device, {}, error);
  EXPECT_TRUE(program) << error;
  return program;
}

// The first word of the argument, plus `by`, by way of SMEM and the arena.
std::string adder(int by, const std::string &alias = "") {
  return ".set smem_bytes 64\n.set semaphores 1\n.set module_name \"add\"\n.entry arena_bytes: 4096\n.buffer kind: "
         "ARGUMENT size: 512 array { type: \"f32\" dims: 128 }\n"
         ".buffer kind: RESULT size: 512 array { type: \"f32\" dims: 128 } " +
         alias +
         "\n.buffer kind: ARENA size: 4096\n"
         ".dma 0 hbm[0]+0 -> hbm[2]+0, run=8\n.dma 1 hbm[2]+0 -> smem+0, run=8\n.dma 2 smem+0 -> hbm[1]+0, run=8\n"
         "{ dma.start s31, s31, 0, desc=0 }\n{ dma.wait 0, count=1 }\n{ dma.start s31, s31, 0, desc=1 }\n{ dma.wait 0, "
         "count=1 }\n{ s.ldd s1, s31 }\n{ s.add s1, s1, " +
         std::to_string(by) +
         " }\n{ s.std s1, s31 }\n{ dma.start s31, s31, 0, desc=2 }\n{ dma.wait 0, count=1 }\n{ halt }\n";
}

DeviceArray array(Device &device, uint64_t size, int64_t first) {
  std::string error;
  DeviceArray out = device.hbm().allocate(size, nullptr, error);
  EXPECT_TRUE(out) << error;
  if (out) std::memset(out->data(), 0, size), std::memcpy(out->data(), &first, 8);
  return out;
}

int64_t firstOf(const DeviceArray &array) {
  int64_t value;
  std::memcpy(&value, array->data(), 8);
  return value;
}

size_t threadsOfProcess() {
  size_t count = 0;
  for ([[maybe_unused]] const auto &task : std::filesystem::directory_iterator("/proc/self/task")) ++count;
  return count;
}

TEST(Device, ProgramsShareIt) {
  DeviceOptions options;
  options.threads = 3;
  auto device = makeDevice(options);
  std::vector<std::shared_ptr<LoadedProgram>> programs;
  for (int k = 0; k < 100; ++k) programs.push_back(load(adder(k), device));
  const size_t threads = threadsOfProcess();
  const uint64_t before = device->hbm().use().inUse;
  exec::Run run;
  run.arguments = {{array(*device, 512, 5)}};
  int64_t expected = 5;
  for (int k = 0; k < 100; ++k) {
    RunError error;
    ASSERT_TRUE(programs[k]->run(run, error)) << error.text();
    expected += k;
    run.arguments = {{run.results[0]}};  // what one writes the next reads, where it is
    run.results.clear();
    EXPECT_EQ(firstOf(run.arguments[0].array), expected);
  }
  EXPECT_EQ(threadsOfProcess(), threads);
  run = {};
  EXPECT_EQ(device->hbm().use().inUse, before);                  // arenas are gone with their runs
  EXPECT_EQ(device->hbm().use().peak, before + 4096 + 2 * 512);  // one at a time
}

TEST(Device, DonatedMemoryIsUsedAgain) {
  auto device = makeDevice();
  auto program = load(adder(1, "alias_argument: 1"), device);
  exec::Run run;
  RunError error;
  run.arguments = {{array(*device, 512, 1), true}};
  const uint8_t *memory = run.arguments[0].array->data();
  ASSERT_TRUE(program->run(run, error)) << error.text();
  EXPECT_EQ(run.results[0]->data(), memory);
  EXPECT_EQ(firstOf(run.results[0]), 2);
  DeviceArray held = run.results[0];
  run.arguments = {{held, false}};
  run.results.clear();
  ASSERT_TRUE(program->run(run, error)) << error.text();
  EXPECT_NE(run.results[0]->data(), memory);
  EXPECT_EQ(firstOf(held), 2);
  EXPECT_EQ(firstOf(run.results[0]), 3);
}

TEST(Device, RefusesWhenFull) {
  DeviceOptions options;
  options.hbmBytes = 8192;
  auto device = makeDevice(options);
  auto program = load(adder(1), device);
  exec::Run run;
  run.arguments = {{array(*device, 512, 1)}};
  DeviceArray other = array(*device, 4096, 1);
  RunError error;
  EXPECT_FALSE(program->run(run, error));
  EXPECT_TRUE(error.outOfMemory);
  EXPECT_EQ(error.message.substr(0, 70), "HBM is full: temporaries of add of 4.00 KiB does not fit, 4.50 KiB of ")
      << error.message;
  other.reset();
  EXPECT_TRUE(program->run(run, error)) << error.text();
}

TEST(Device, SeveralThreadsRunAtOnce) {
  auto device = makeDevice();
  auto plus = load(adder(1), device), more = load(adder(10), device);
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int k = 0; k < 200; ++k) {
        exec::Run run;
        RunError error;
        run.arguments = {{array(*device, 512, k)}};
        LoadedProgram &program = (k + t) % 2 ? *plus : *more;
        if (program.run(run, error) && firstOf(run.results[0]) == k + ((k + t) % 2 ? 1 : 10)) ++right;
      }
    });
  for (std::thread &t : threads) t.join();
  EXPECT_EQ(right, 800);
  EXPECT_EQ(plus->statistics().runs + more->statistics().runs, 800u);
}

// Two entries over one routine and one argument: the second adds twice and has a result of its own.
TEST(Entries, ShareRoutinesAndBuffers) {
  const std::string text =
      ".set smem_bytes 64\n.set semaphores 1\n.set num_devices 4\n.system offset: 16 size: 12\n.symbol name: \"n\" "
      "least: 1 most: 8\n"
      ".entry name: \"small\" bundle: 7 extents: 4\n.entry name: \"large\" bundle: 9 extents: 8\n"
      ".buffer kind: ARGUMENT size: 512 array { type: \"f32\" dims: 128 symbols: 1 }\n.buffer kind: RESULT size: 512 "
      "entries: 0\n.buffer kind: RESULT size: 1024 entries: 1\n"
      ".dma 0 hbm[0]+0 -> smem+0, run=8\n.dma 1 smem+0 -> hbm[1]+0, run=64\n.dma 2 smem+0 -> hbm[2]+0, run=64\n"
      "add:\n{ dma.start s31, s31, 0, desc=0 }\n{ dma.wait 0, count=1 }\n{ s.ldd s1, s31 }\n{ s.ldw s2, s31, off=24 "
      "}\n{ s.add s1, s1, s2 }\n{ s.std s1, s31 }\n{ ret }\n"
      "{ call target=add }\n{ br target=store }\n{ call target=add }\n{ dma.start s31, s31, 0, desc=2 }\n{ dma.wait 0, "
      "count=1 }\n{ halt }\n"
      "store:\n{ dma.start s31, s31, 0, desc=1 }\n{ dma.wait 0, count=1 }\n{ halt }\n";
  DeviceOptions options;
  options.id = 3;
  options.numDevices = 4;
  auto device = makeDevice(options);
  auto program = load(text, device);
  ASSERT_TRUE(program);
  EXPECT_EQ(program->numResults(0), 1);
  for (int entry : {0, 1}) {
    exec::Run run;
    RunError error;
    run.entry = entry;
    run.arguments = {{array(*device, 512, 100)}};
    if (entry) run.extents = {7};
    ASSERT_TRUE(program->run(run, error)) << error.text();
    ASSERT_EQ(run.results[0]->size(), entry ? 1024u : 512u);
    EXPECT_EQ(firstOf(run.results[0]), 100 + (entry ? 7 : 4));  // the true extent
    int32_t system[3];
    std::memcpy(system, run.results[0]->data() + 16, 12);
    EXPECT_EQ(system[0], 3);  // the device's own number
    EXPECT_EQ(system[1], 4);
    EXPECT_EQ(system[2], entry ? 7 : 4);
  }
  exec::Run run;
  RunError error;
  run.arguments = {{array(*device, 512, 100)}};
  run.extents = {5};
  EXPECT_FALSE(program->run(run, error));
  EXPECT_NE(error.message.find("does not hold"), std::string::npos);
  run.entry = 2;
  EXPECT_FALSE(program->run(run, error));
  std::string why;
  EXPECT_FALSE(LoadedProgram::load(assembled(text), makeDevice(), {}, why));
  EXPECT_NE(why.find("for 4 devices"), std::string::npos) << why;
}

}  // namespace
}  // namespace tpuc::exec
