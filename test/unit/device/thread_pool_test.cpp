// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pool's threads: every task once, whoever sleeps or waits awake.
#include "runtime/device/thread_pool.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace tpuc::device {
namespace {

void runsAll(ThreadPool &pool, bool wake) {
  std::vector<std::atomic<int>> done(37);
  pool.run(37, [&](int task, int) { ++done[task]; }, wake);
  for (const std::atomic<int> &d : done) ASSERT_EQ(d, 1);
}

TEST(ThreadPool, EveryTaskOnceAwakeOrAsleep) {
  ThreadPool pool(4);
  for (int round = 0; round < 20; ++round) {
    if (round % 3 == 1) pool.attend();
    for (int k = 0; k < 50; ++k) runsAll(pool, k % 2);
    if (round % 2) std::this_thread::sleep_for(std::chrono::milliseconds(2));  // beyond what anybody waits awake
    runsAll(pool, round % 4 < 2);
    if (round % 3 == 1) pool.leave();
  }
}

// Nobody is woken for the tasks themselves. On a busy machine who was awake may sleep again before they come.
TEST(ThreadPool, AttendWakesSleepers) {
  ThreadPool pool(2);
  bool met = false;
  for (int tries = 0; tries < 200 && !met; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    pool.attend();
    std::atomic<int> helped{0};
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
    pool.run(
        2,
        [&](int, int thread) {
          helped += thread;
          while (!helped && std::chrono::steady_clock::now() < end) std::this_thread::yield();
        },
        /*wake=*/false);
    pool.leave();
    met = helped;
  }
  EXPECT_TRUE(met);
}

}  // namespace
}  // namespace tpuc::device
