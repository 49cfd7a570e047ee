// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A core's DMA in time: the HBM channel serves transfers in order of their start, at the core's share of the chip's
// bandwidth; completions come a latency later and count up semaphores. What goes to other chips keeps the chip's links,
// all of them together: whose way it is, and who else is on it, is not modelled.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace tpuc::timing {

class DmaTiming {
 public:
  explicit DmaTiming(int semaphores) : semaphores_(semaphores) {}

  struct Span {
    int64_t begin, end;  // of the channel; completion is at end + latency
  };
  enum class Channel { Hbm, Local, Links };
  // Starts a transfer that keeps its channel for `cycles`.
  Span start(int64_t t, Channel channel, int64_t cycles, int64_t latency, int64_t semaphore);
  // The earliest cycle from `t` in which `count` completions are there; -1: never.
  int64_t waitAt(int64_t t, int64_t semaphore, int64_t count) const;
  void wait(int64_t t, int64_t semaphore, int64_t count);

  // The HBM channel is busy until then: transfers of a core that this one goes on for.
  int64_t hbmFree() const { return hbmFree_; }
  void keepHbm(int64_t until) { hbmFree_ = std::max(hbmFree_, until); }

  int64_t semaphores() const { return static_cast<int64_t>(semaphores_.size()); }
  void save(int64_t now, std::vector<int64_t> &words) const;
  const int64_t *restore(int64_t now, const int64_t *words);
  void shift(int64_t cycles);

 private:
  struct Semaphore {
    int64_t value = 0;             // completions that were counted and not waited for
    std::vector<int64_t> pending;  // completions to come, in order of time
  };
  static int64_t ready(const Semaphore &s, int64_t now);

  int64_t hbmFree_ = 0, localFree_ = 0, linksFree_ = 0;
  std::vector<Semaphore> semaphores_;
};

}  // namespace tpuc::timing
