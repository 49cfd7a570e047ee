// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What happens to a cache's folder: nothing is ever lost but time, and nothing wrong comes out.
#include "compiler/cache/store.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "test/unit/isa/random_program.h"

namespace tpuc::cache {
namespace {

namespace fs = std::filesystem;

isa::Executable executable(int i) {
  isa::test::Random random(i + 1);
  isa::Executable exe = isa::test::randomExecutable(random);
  exe.index.set_module_name(std::to_string(i));
  return exe;
}

Key key(int i) { return keyOf({std::to_string(i)}); }

class StoreTest : public testing::Test {
 protected:
  void SetUp() override {
    folder = fs::path(testing::TempDir()) / ("tpuc_store_" + std::to_string(getpid()));
    fs::remove_all(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  // The one entry of the folder.
  fs::path entry() const {
    for (const auto &file : fs::directory_iterator(folder))
      if (file.path().filename().string().starts_with("llvmcache-")) return file.path();
    return {};
  }
  size_t files() const {
    size_t n = 0;
    for (const auto &file : fs::directory_iterator(folder)) n += file.path().filename() != "llvmcache.timestamp";
    return n;
  }
  bool has(Store &store, int i) const {
    isa::Executable exe;
    if (!store.find(key(i), exe)) return false;
    EXPECT_EQ(isa::serialize(exe), isa::serialize(executable(i)));
    return true;
  }
  // In a process of its own; its exit code.
  static int inChild(const std::function<int()> &work) {
    pid_t child = fork();
    if (!child) _exit(work());
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  fs::path folder;
};

std::string read(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path &path, const std::string &bytes) { std::ofstream(path, std::ios::binary) << bytes; }

TEST_F(StoreTest, KeepsAndFinds) {
  Store store(folder, 1 << 20);
  EXPECT_FALSE(has(store, 1));
  EXPECT_EQ(store.keep(key(1), executable(1), "first"), "");
  EXPECT_EQ(store.keep(key(2), executable(2), "second"), "");
  EXPECT_TRUE(has(store, 1));
  EXPECT_TRUE(has(store, 2));
  EXPECT_FALSE(has(store, 3));
  std::vector<std::string> records = store.records(10);
  std::sort(records.begin(), records.end());
  EXPECT_EQ(records, (std::vector<std::string>{"first", "second"}));
  EXPECT_EQ(store.records(1).size(), 1u);
}

TEST_F(StoreTest, KeysSeparateParts) { EXPECT_NE(keyOf({"ab", "c"}), keyOf({"a", "bc"})); }

TEST_F(StoreTest, FlippedBytesAreNeverRead) {
  Store store(folder, 1 << 20);
  ASSERT_EQ(store.keep(key(1), executable(1), "record"), "");
  const fs::path path = entry();
  const std::string whole = read(path);
  for (size_t i = 0; i<whole.size(); i += i + 200> whole.size() ? 1 : 131) {
    std::string bytes = whole;
    bytes[i] ^= 1 << i % 8;
    write(path, bytes);
    // Bytes between sections mean nothing: `has` compares what is found. What is not found is gone, and can be kept
    // again.
    const bool found = has(store, 1);
    EXPECT_EQ(found, fs::exists(path)) << i;
  }
  EXPECT_EQ(store.keep(key(1), executable(1), "record"), "");
  EXPECT_TRUE(has(store, 1));
}

TEST_F(StoreTest, TruncatedFilesAreNeverRead) {
  Store store(folder, 1 << 20);
  ASSERT_EQ(store.keep(key(1), executable(1), "record"), "");
  const fs::path path = entry();
  const std::string whole = read(path);
  for (size_t size = 0; size < whole.size(); size += 61) {
    write(path, whole.substr(0, size));
    EXPECT_TRUE(store.records(1).empty());
    EXPECT_FALSE(has(store, 1)) << size;
  }
}

TEST_F(StoreTest, AnEntryUnderAnotherNameIsNotBelieved) {
  Store store(folder, 1 << 20);
  ASSERT_EQ(store.keep(key(1), executable(1), "record"), "");
  fs::rename(entry(), folder / ("llvmcache-" + text(key(2))));
  EXPECT_FALSE(has(store, 2));
}

TEST_F(StoreTest, AFolderThatIsNone) {
  write(folder, "a file");
  Store file(folder, 1 << 20), nowhere("/proc/no/such/folder", 1 << 20);
  for (Store *store : {&file, &nowhere}) {
    Claim claim = store->claim(key(1));
    EXPECT_NE(store->keep(key(1), executable(1), "record"), "");
    EXPECT_FALSE(has(*store, 1));
    EXPECT_TRUE(store->records(1).empty());
  }
}

TEST_F(StoreTest, NoRoomLeavesNothingBehind) {
  fs::create_directories(folder);
  const int exit = inChild([&] {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {3000, 3000};  // bytes of a file
    setrlimit(RLIMIT_FSIZE, &limit);
    return Store(folder, 1 << 20).keep(key(1), executable(1), "record").empty() ? 1 : 0;
  });
  EXPECT_EQ(exit, 0);
  EXPECT_EQ(files(), 0u);
}

TEST_F(StoreTest, TheLeastUsedGoWhenThereAreTooMany) {
  Store store(folder, 100000);  // of about 15,000 each
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(store.keep(key(i), executable(i), "record"), "");
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_TRUE(has(store, 0));
  }
  EXPECT_TRUE(has(store, 19));
  EXPECT_FALSE(has(store, 1));
  EXPECT_LT(files(), 10u);
}

// Killed at any time while it writes: another process finds all of an entry or nothing, and is not kept waiting.
TEST_F(StoreTest, KilledWriters) {
  Store store(folder, 1 << 20);
  for (int round = 0; round < 20; ++round) {
    pid_t child = fork();
    if (!child) {
      Store own(folder, 1 << 20);
      for (;;) {
        Claim claim = own.claim(key(1));
        (void)own.keep(key(1), executable(1), std::string(100000, 'r'));
      }
    }
    usleep(1000 * (1 + round % 7));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const auto start = std::chrono::steady_clock::now();
    {
      Claim claim = store.claim(key(1));
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
    (void)has(store, 1);
  }
  EXPECT_EQ(store.keep(key(1), executable(1), "record"), "");
  EXPECT_TRUE(has(store, 1));
}

TEST_F(StoreTest, OneAtATimeMakesAnEntry) {
  auto work = [this](Store &store) {
    for (int i = 0; i < 5; ++i) {
      if (has(store, i)) continue;
      Claim claim = store.claim(key(i));
      if (has(store, i)) continue;
      usleep(2000);
      std::ofstream(folder / "made", std::ios::app) << i;
      (void)store.keep(key(i), executable(i), "record");
    }
  };
  std::vector<pid_t> children;
  for (int c = 0; c < 4; ++c) {
    children.push_back(fork());
    if (children.back()) continue;
    Store store(folder, 1 << 20);
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) threads.emplace_back([&] { work(store); });
    for (std::thread &thread : threads) thread.join();
    _exit(0);
  }
  for (pid_t child : children) waitpid(child, nullptr, 0);
  std::string made = read(folder / "made");
  std::sort(made.begin(), made.end());
  EXPECT_EQ(made, "01234");
}

}  // namespace
}  // namespace tpuc::cache
