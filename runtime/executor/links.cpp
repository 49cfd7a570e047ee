// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/executor/links.h"

namespace tpuc::exec {

void Links::start() {
  std::lock_guard lock(mutex_);
  ready_.clear();
  running_ = 0;
  for (int c = 0; c < chips(); ++c) {
    chips_[c].semaphores.assign(semaphores_, 0);
    chips_[c].wait = {};
    ready_.push_back(c);
  }
}

void Links::place(int chip, std::span<const HbmBuffer> buffers, Checker *checker) {
  chips_[chip].buffers = buffers;
  chips_[chip].checker = checker;
}

void Links::signal(int chip, int semaphore, int64_t count) {
  {
    std::lock_guard lock(mutex_);
    Chip &c = chips_[chip];
    c.semaphores[semaphore] += count;
    if (!c.wait.at || !isThere(c)) return;
    c.wait = {};
    ready_.push_back(chip);
  }
  changed_.notify_one();
}

bool Links::take(int chip, int semaphore, int64_t count) {
  std::lock_guard lock(mutex_);
  int64_t &value = chips_[chip].semaphores[semaphore];
  if (value < count) return false;
  value -= count;
  return true;
}

int Links::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !ready_.empty() || !running_; });
  if (ready_.empty()) return -1;
  const int chip = ready_.front();
  ready_.pop_front();
  ++running_;
  return chip;
}

void Links::waits(int chip, const ChipWait &wait) {
  bool wake;
  {
    std::lock_guard lock(mutex_);
    Chip &c = chips_[chip];
    c.wait = wait;
    --running_;
    // It may have come in the meantime.
    if (isThere(c)) {
      c.wait = {};
      ready_.push_back(chip);
    }
    wake = !running_;
  }
  if (wake) changed_.notify_all();
}

void Links::ends(int chip) {
  bool wake;
  {
    std::lock_guard lock(mutex_);
    chips_[chip].wait = {};
    wake = --running_ == 0;
  }
  if (wake) changed_.notify_all();
}

}  // namespace tpuc::exec
