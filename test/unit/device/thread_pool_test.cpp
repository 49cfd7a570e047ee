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

// Two tasks that meet: someone who sleeps has come.
TEST(ThreadPool, AttendWakesSleepers) {
  ThreadPool pool(2);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  pool.attend();
  std::atomic<int> here{0};
  pool.run(2, [&](int, int) {
    ++here;
    while (here < 2) std::this_thread::yield();
  }, /*wake=*/false);
  pool.leave();
  EXPECT_EQ(here, 2);
}

}  // namespace
}  // namespace tpuc::device
