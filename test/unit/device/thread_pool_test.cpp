// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pool's threads: every task once, whoever sleeps or waits awake.
#include "runtime/device/thread_pool.h"

#include <gtest/gtest.h>
#include <sched.h>

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

// A thread leaves the CPU of who woke it, and may use all of its CPUs afterwards. Where others are busy, the system may
// have no other CPU for it at once.
TEST(ThreadPool, WokenThreadsLeaveTheCallersCpu) {
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "one CPU";
  ThreadPool pool(2);
  int apart = 0, met = 0;
  for (int tries = 0; tries < 200 && met < 50; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    pool.attend();
    std::atomic<int> cpu{-1};
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
    pool.run(2, [&](int, int thread) {
      cpu_set_t own;
      if (thread && sched_getaffinity(0, sizeof own, &own) == 0 && CPU_EQUAL(&own, &all)) cpu = sched_getcpu();
      while (cpu < 0 && std::chrono::steady_clock::now() < end) relax();
    });
    pool.leave();
    if (cpu < 0) continue;
    ++met;
    apart += cpu != sched_getcpu();
  }
  EXPECT_GT(met, 0);
  EXPECT_GT(2 * apart, met);
}

}  // namespace
}  // namespace tpuc::device
