// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device's queue: jobs in order, and others while one of them waits.
#include "runtime/device/queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace tpuc::device {
namespace {

TEST(Queue, DoesJobsInOrder) {
  Queue queue;
  std::vector<int> done;
  for (int k = 0; k < 100; ++k) queue.push([&, k] { done.push_back(k); });
  queue.drain();
  ASSERT_EQ(done.size(), 100u);
  for (int k = 0; k < 100; ++k) EXPECT_EQ(done[k], k);
  EXPECT_TRUE(queue.empty());
}

// A job waits for one that it pushes, which waits for another; and one that is done at once on the same thread.
TEST(Queue, OthersAreDoneWhileAJobIsAside) {
  Queue queue;
  int order = 0, outer = 0, inner = 0, innermost = 0, now = 0;
  queue.push([&] {
    queue.stepAside();
    std::promise<void> done;
    queue.push([&] {
      queue.stepAside();
      std::promise<void> last;
      queue.push([&] {
        innermost = ++order;
        last.set_value();
      });
      last.get_future().wait();
      inner = ++order;
      done.set_value();
    });
    done.get_future().wait();
    if (!queue.tryNow([&] { now = ++order; })) queue.push([&] { now = ++order; });
    outer = ++order;
  });
  queue.drain();
  EXPECT_EQ(innermost, 1);
  EXPECT_EQ(inner, 2);
  EXPECT_GT(now, 2);
  EXPECT_GT(outer, 2);
}

// What jobs do while they are aside comes in the jobs' order.
TEST(Queue, JobsAsideKeepTheirOrder) {
  Queue queue;
  std::vector<int> order;
  std::promise<void> second;
  queue.push([&] {
    queue.stepAside();
    second.get_future().wait();  // the second has begun by now
    order.push_back(1);
    queue.stepAside();
    order.push_back(2);
  });
  queue.push([&] {
    second.set_value();
    queue.stepAside();
    order.push_back(3);
  });
  queue.drain();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

// It waits for one behind another that wants to step aside too.
TEST(Queue, JobsAsideMayWaitForLaterOnes) {
  Queue queue;
  std::promise<void> pushed, last;
  queue.push([&] {
    pushed.get_future().wait();
    queue.stepAside();
    last.get_future().wait();
  });
  queue.push([&] { queue.stepAside(); });
  queue.push([&] { last.set_value(); });
  pushed.set_value();
  queue.drain();
  EXPECT_TRUE(queue.empty());
}

TEST(Queue, JobsAsideDrainTheOthers) {
  Queue queue;
  bool done = false, seen = false;
  std::promise<void> pushed;
  queue.push([&] {
    queue.drain();  // of what waits for this job it would wait for ever
    pushed.get_future().wait();
    queue.stepAside();
    queue.drain();
    seen = done;
  });
  queue.push([&] { done = true; });
  pushed.set_value();
  queue.drain();
  EXPECT_TRUE(seen);
}

// However many wait for their turn, they wait in the queue and not in threads.
TEST(Queue, JobsThatWaitTakeNoThreads) {
  Queue queue;
  std::mutex mutex;
  std::set<std::thread::id> threads;
  std::vector<int> order;
  std::promise<void> begin;
  std::shared_future<void> begun = begin.get_future().share();
  for (int k = 0; k < 200; ++k)
    queue.push([&, k] {
      queue.stepAside();
      begun.wait();
      std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
      order.push_back(k);
    });
  begin.set_value();
  queue.drain();
  EXPECT_LE(threads.size(), 3u);
  ASSERT_EQ(order.size(), 200u);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(Queue, EndsWithJobsAside) {
  std::atomic<int> done{0};
  {
    Queue queue;
    for (int k = 0; k < 8; ++k)
      queue.push([&] {
        queue.stepAside();
        ++done;
      });
  }
  EXPECT_EQ(done, 8);
}

TEST(Queue, NoJobNoStep) {
  Queue queue;
  queue.stepAside();  // on a thread that is in none
  EXPECT_TRUE(queue.empty());
}

}  // namespace
}  // namespace tpuc::device
