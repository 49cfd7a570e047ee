// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the chips of a slice share while they run a program together: chip semaphores, each other's memory, and who can
// run.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <span>
#include <vector>

#include "runtime/executor/core.h"
#include "runtime/executor/machine.h"

namespace tpuc::exec {

class Links {
 public:
  Links(int chips, int semaphores) : semaphores_(semaphores), chips_(chips) {}

  int chips() const { return static_cast<int>(chips_.size()); }
  int semaphores() const { return semaphores_; }
  // A run begins: semaphores are 0, every chip can run.
  void start();
  // Where a chip's buffers are, and in the checking mode its core's checker.
  void place(int chip, std::span<const HbmBuffer> buffers, Checker *checker);
  const HbmBuffer &buffer(int chip, int32_t b) const { return chips_[chip].buffers[b]; }
  Checker *checker(int chip) const { return chips_[chip].checker; }

  void signal(int chip, int semaphore, int64_t count);
  // Takes `count` from a chip's semaphore, if that is enough.
  bool take(int chip, int semaphore, int64_t count);

  // For threads that run chips: one that can run; -1 when none can and none will.
  int next();
  // What became of a chip that next() gave.
  void waits(int chip, const ChipWait &wait);
  void ends(int chip);
  // After a run: what a chip waits for that has not ended; no instruction for one that has, or was stopped.
  const ChipWait &wait(int chip) const { return chips_[chip].wait; }

  void sent(int chip, int64_t bytes) { chips_[chip].sentBytes += static_cast<uint64_t>(bytes); }
  // Bytes that all runs have sent.
  uint64_t sentBytes(int chip) const { return chips_[chip].sentBytes; }

 private:
  struct Chip {
    std::vector<int64_t> semaphores;
    std::span<const HbmBuffer> buffers;
    Checker *checker = nullptr;
    ChipWait wait;
    uint64_t sentBytes = 0;
  };
  bool isThere(const Chip &chip) const { return chip.semaphores[chip.wait.semaphore] >= chip.wait.count; }

  const int semaphores_;
  std::vector<Chip> chips_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<int> ready_;
  int running_ = 0;
};

}  // namespace tpuc::exec
