// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HBM: places that do not meet, room that comes back, refusals that say what is there; events and the queue.
#include "runtime/device/hbm.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <random>
#include <thread>

#include "runtime/device/event.h"
#include "runtime/device/queue.h"

namespace tpuc::device {
namespace {

Label label(const char *text) { return std::make_shared<const std::string>(text); }

TEST(Hbm, PlacesDoNotMeetAndRoomComesBack) {
  std::string error;
  auto hbm = Hbm::create(1 << 20, error);
  ASSERT_TRUE(hbm) << error;
  std::mt19937 random(1);
  std::vector<std::shared_ptr<HbmBlock>> held;
  for (int k = 0; k < 5000; ++k) {
    if (held.size() > 20 || (random() % 2 && !held.empty())) {
      auto &one = held[random() % held.size()];
      for (uint64_t i = 0; i < one->size(); ++i) ASSERT_EQ(one->data()[i], one->data()[0]);
      std::swap(one, held.back());
      held.pop_back();
    } else if (auto block = hbm->allocate(random() % 60000, nullptr, error)) {
      EXPECT_EQ(block->offset() % Hbm::kAlign, 0u);
      std::memset(block->data(), k, block->size());
      held.push_back(std::move(block));
    }
  }
  held.clear();
  Hbm::Use use = hbm->use();
  EXPECT_EQ(use.inUse, 0u);
  EXPECT_EQ(use.blocks, 0);
  EXPECT_EQ(use.largestFree, use.capacity);
  EXPECT_GT(use.peak, 0u);
  hbm->clearPeak();
  EXPECT_EQ(hbm->use().peak, 0u);
}

TEST(Hbm, RefusalsNameTheLargest) {
  std::string error;
  auto hbm = Hbm::create(1 << 20, error);
  auto a = hbm->allocate(512 << 10, label("f32[131072]"), error),
       b = hbm->allocate(100 << 10, label("bf16[51200]"), error);
  auto c = hbm->allocate(50 << 10, label("i8[51200]"), error), d = hbm->allocate(50 << 10, label("i8[51200]"), error);
  auto small = hbm->allocate(512, label("f32[]"), error);
  EXPECT_FALSE(hbm->allocate(512 << 10, label("temporaries of f"), error));
  EXPECT_EQ(error,
            "HBM is full: temporaries of f of 512.00 KiB does not fit, 712.50 KiB of 1.00 MiB are in use; largest: "
            "f32[131072] (512.00 KiB), "
            "bf16[51200] (100.00 KiB), 2 x i8[51200] (100.00 KiB)");
  b.reset();
  EXPECT_FALSE(hbm->allocate(400 << 10, nullptr, error));
  EXPECT_NE(error.find("of the rest at most 311.50 KiB lie together"), std::string::npos) << error;
}

size_t residentKib() {
  std::ifstream statm("/proc/self/statm");
  size_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * 4;
}

TEST(Hbm, TheHostGivesWhatIsInUse) {
  std::string error;
  auto hbm = Hbm::create(uint64_t{64} << 30, error);  // more than there is
  ASSERT_TRUE(hbm) << error;
  const size_t before = residentKib();
  auto block = hbm->allocate(64 << 20, nullptr, error);
  std::memset(block->data(), 1, block->size());
  EXPECT_GT(residentKib(), before + (60 << 10));
  block.reset();
  hbm->trim();
  EXPECT_LT(residentKib(), before + (8 << 10));
}

TEST(Event, ListenersHearOnce) {
  Event event = Event::pending();
  int heard = 0;
  event.listen([&](const std::optional<Failure> &f) { heard += f ? 1 : 100; });
  EXPECT_FALSE(event.happened());
  std::thread other([&] { event.set(Failure{Failure::OutOfMemory, "full"}); });
  EXPECT_EQ(event.wait()->message, "full");
  other.join();
  event.listen([&](const std::optional<Failure> &f) { heard += f ? 10 : 1000; });
  EXPECT_EQ(heard, 11);
  EXPECT_TRUE(Event().happened());
  EXPECT_FALSE(Event().wait());
}

TEST(Queue, OneAfterTheOther) {
  std::vector<int> order;
  {
    Queue queue;
    EXPECT_TRUE(queue.tryNow([&] { order.push_back(-1); }));
    for (int k = 0; k < 200; ++k) queue.push([&, k] { order.push_back(k); });
    queue.drain();
    EXPECT_EQ(order.size(), 201u);
    Event hold = Event::pending();
    queue.push([&] { hold.wait(); });
    EXPECT_FALSE(queue.tryNow([] {}));
    hold.set();
    queue.push([&] { order.push_back(200); });
  }  // after all jobs
  for (int k = -1; k <= 200; ++k) EXPECT_EQ(order[k + 1], k);
}

TEST(Queue, AJobMayLetGoOfIt) {
  auto queue = std::make_shared<Queue>();
  Event done = Event::pending();
  Event gone = Event::pending();
  queue->push([held = queue, done, gone]() mutable {
    gone.wait();
    held.reset();
    done.set();
  });
  queue.reset();
  gone.set();
  EXPECT_FALSE(done.wait());
}

}  // namespace
}  // namespace tpuc::device
