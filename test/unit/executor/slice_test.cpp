// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slices: chips that send to and wait for each other, on any number of threads; deadlocks, races, faults.
#include "runtime/executor/slice.h"

#include "test/unit/executor/harness.h"

namespace tpuc::exec {
namespace {

constexpr int kBytes = 512;

// s1: the chip's number, s2: how many, s3: the next one, s4: the one before. Chip semaphore 0 says that a result may be
// written, 1 that it was.
std::string header(int chips) {
  return ".set smem_bytes 64\n.set semaphores 2\n.set num_devices " + std::to_string(chips) +
         "\n.system offset: 0 size: 8\n.chip_semaphore collective: \"ring\" groups: \"[[0,1]]\"\n"
         ".chip_semaphore collective: \"ring\"\n"
         ".buffer kind: ARGUMENT size: 512 array { type: \"f32\" dims: 128 }\n"
         ".buffer kind: RESULT size: 512 array { type: \"f32\" dims: 128 }\n"
         ".dma 0 hbm[0]+0 -> hbm[1]+0, run=512\n.loc \"ring.py:7\"\n"
         "{ s.ldw s1, s31, off=0 }\n{ s.ldw s2, s31, off=4 }\n{ s.add s3, s1, 1 }\n{ s.rem s3, s3, s2 }\n"
         "{ s.add s4, s1, s2 }\n{ s.sub s4, s4, 1 }\n{ s.rem s4, s4, s2 }\n";
}

const char kReady[] = "{ sem.signal s4, 0, count=1 }\n{ sem.wait 1, sem=0 }\n";
const char kSend[] = "{ dma.remote s31, s31, s3, 0, there=1, desc=0 }\n{ dma.wait 0, count=1 }\n";
const char kArrived[] = "{ sem.wait 1, sem=1 }\n";

struct Slice {
  std::shared_ptr<LoadedSlice> loaded;
  std::vector<Run> runs;
  RunError error;
  bool ok = false;

  // The first word of a chip's result.
  int32_t result(int chip) const {
    int32_t word = -1;
    if (runs[chip].results.size() == 1) std::memcpy(&word, runs[chip].results[0]->data(), 4);
    return word;
  }
};

// Each chip's argument begins with 100 and its number.
Slice run(const std::string &text, int chips, int threads = 2, bool checking = false) {
  Slice slice;
  auto exe = std::make_shared<isa::Executable>();
  std::string error;
  const bool assembled = isa::assemble(text, *exe, error);
  EXPECT_TRUE(assembled) << error << "\n" << text;
  if (!assembled) return slice;
  std::vector<std::shared_ptr<Device>> devices;
  auto pool = std::make_shared<device::ThreadPool>(threads);
  for (int c = 0; c < chips; ++c) {
    DeviceOptions options;
    options.id = c;
    options.numDevices = chips;
    options.threads = threads;
    options.pool = pool;
    options.checking = checking;
    devices.push_back(Device::create(test::shapeOfSide(128), options, error));
  }
  slice.loaded = LoadedSlice::load(exe, devices, {}, error);
  EXPECT_TRUE(slice.loaded) << error;
  if (!slice.loaded) return slice;
  slice.runs.resize(chips);
  for (int c = 0; c < chips; ++c) {
    DeviceArray array = devices[c]->hbm().allocate(kBytes, nullptr, error);
    const int32_t word = 100 + c;
    std::memset(array->data(), 0, kBytes);
    std::memcpy(array->data(), &word, 4);
    slice.runs[c].arguments = {{array, false}};
  }
  slice.ok = slice.loaded->run(slice.runs, slice.error);
  return slice;
}

TEST(Slice, SendsAroundARing) {
  for (int chips : {2, 3, 8})
    for (int threads : {1, 2, 5})
      for (bool checking : {false, true}) {
        Slice s = run(header(chips) + kReady + kSend + kArrived + "{ halt }\n", chips, threads, checking);
        ASSERT_TRUE(s.ok) << s.error.text();
        for (int c = 0; c < chips; ++c) EXPECT_EQ(s.result(c), 100 + (c + chips - 1) % chips);
        EXPECT_EQ(s.loaded->sentBytes(0), kBytes);
      }
}

TEST(Slice, RunsAgain) {
  Slice s = run(header(3) + kReady + kSend + kArrived + "{ halt }\n", 3);
  for (int k = 0; k < 20; ++k) {
    RunError error;
    ASSERT_TRUE(s.loaded->run(s.runs, error)) << error.text();
    for (int c = 0; c < 3; ++c) EXPECT_EQ(s.result(c), 100 + (c + 2) % 3);
  }
}

TEST(Slice, ManyRoundsGiveThreadsBack) {
  const std::string round = std::string(kReady) + kSend + kArrived;
  Slice s = run(
      header(5) + "begin:\n{ loop 1000, target=end }\n" + round + "end:\n{ loop.end target=begin }\n{ halt }\n", 5, 2);
  if (!s.loaded) return;
  EXPECT_TRUE(s.ok) << s.error.text();
}

// Nobody ever says that its result may be written.
TEST(Slice, ReportsADeadlock) {
  for (int threads : {1, 3}) {
    Slice s = run(header(3) + "{ sem.wait 1, sem=0 }\n{ halt }\n", 3, threads);
    ASSERT_FALSE(s.ok);
    EXPECT_EQ(s.error.why, RunError::Why::Deadlock);
    ASSERT_EQ(s.error.waits.size(), 3u);
    EXPECT_EQ(s.error.waits[1], "chip 1 waits in ring [[0,1]] at ring.py:7");
  }
}

// Chip 0 leaves, the others wait for it.
TEST(Slice, SaysWhoHasEnded) {
  Slice s = run(header(2) + "{ bz s1, target=out }\n{ sem.wait 1, sem=0 }\nout:\n{ halt }\n", 2);
  ASSERT_FALSE(s.ok);
  EXPECT_EQ(s.error.waits[0], "chip 0 has ended");
}

TEST(Slice, NamesTheFirstChipThatFails) {
  const std::string text = header(4) +
                           "{ s.add s5, s1, 100 }\n{ bz s1, target=out }\n"
                           "{ dma.remote s31, s31, s5, 0, there=1, desc=0 }\nout:\n{ sem.wait 1, sem=0 }\n{ halt }\n";
  for (int threads : {1, 2}) {
    Slice s = run(text, 4, threads);
    ASSERT_FALSE(s.ok);
    EXPECT_EQ(s.error.chip, 1);
    EXPECT_EQ(s.error.message, "a transfer to a chip that there is not");
  }
}

TEST(Slice, SendsToNobody) {
  Slice s = run(header(2) +
                    "{ s.li s5, -1 }\n{ sem.signal s5, 0, count=1 }\n"
                    "{ dma.remote s31, s31, s5, 0, there=1, desc=0 }\n{ dma.wait 0, count=1 }\n"
                    "{ dma.start s31, s31, 1, desc=0 }\n{ dma.wait 1, count=1 }\n{ halt }\n",
                2);
  ASSERT_TRUE(s.ok) << s.error.text();
  EXPECT_EQ(s.result(1), 101);
}

// The chip uses its result and lets others write it in no order: in whatever order they ran, that is found.
TEST(Slice, ChecksForRaces) {
  const std::string use = "{ dma.start s31, s31, 1, desc=0 }\n{ dma.wait 1, count=1 }\n";
  EXPECT_TRUE(run(header(2) + use + kReady + kSend + kArrived + "{ halt }\n", 2, 1, true).ok);
  for (const std::string &text : {use + kSend + kArrived, kSend + use + kArrived, kReady + use + kSend + kArrived}) {
    Slice s = run(header(2) + text + "{ halt }\n", 2, 1, true);
    EXPECT_FALSE(s.ok) << text;
    const bool found =
        s.error.message.find("race") != std::string::npos || s.error.message.find("in flight") != std::string::npos;
    EXPECT_TRUE(found) << s.error.message;
  }
}

// A kernel may run while transfers are under way; one that reads what comes is found.
TEST(Slice, ChecksKernelsBesideTransfers) {
  auto program = [](const std::string &step) {
    return header(2) + ".set vmem_bytes 4096\n.dma 1 hbm[1]+0 -> vmem+0, run=512\n" + kReady +
           "{ dma.remote s31, s31, s3, 0, there=1, desc=0 }\n{ grid 1, target=r }\n{ dma.wait 0, count=1 }\n" +
           kArrived + "{ halt }\nr:\n" + step + "{ ret }\n";
  };
  EXPECT_TRUE(run(program(""), 2, 1, true).ok);
  Slice s = run(program("{ dma.start s31, s31, 1, desc=1 }\n{ dma.wait 1, count=1 }\n"), 2, 1, true);
  EXPECT_FALSE(s.ok);
  const bool found =
      s.error.message.find("race") != std::string::npos || s.error.message.find("in flight") != std::string::npos;
  EXPECT_TRUE(found) << s.error.message;
}

TEST(Slice, WantsAsManyDevicesAsTheProgram) {
  isa::Executable exe;
  std::string error;
  ASSERT_TRUE(isa::assemble(header(2) + "{ halt }\n", exe, error)) << error;
  auto shared = std::make_shared<const isa::Executable>(std::move(exe));
  EXPECT_FALSE(LoadedSlice::load(shared, {Device::create(test::shapeOfSide(128), {}, error)}, {}, error));
  EXPECT_EQ(error, "the program is for 2 devices, but gets 1");
}

TEST(Slice, KernelsDoNotCommunicate) {
  isa::Executable exe;
  std::string error;
  const std::string text = header(2) +
                           "{ halt }\n.routine name: \"k\" kind: \"loop\" bundles: 2\n"
                           "{ sem.wait 1, sem=0 }\n{ ret }\n";
  isa::assemble(text, exe, error);
  EXPECT_NE(error.find("communication with other chips outside of an entry routine"), std::string::npos) << error;
}

}  // namespace
}  // namespace tpuc::exec
