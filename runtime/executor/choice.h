// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of two ways of doing the same takes less time on this machine: both are tried, then the better one is taken,
// and the other now and then, since how busy the machine is changes.
#pragma once
#include <chrono>
#include <cstdint>

namespace tpuc::exec {

using Duration = std::chrono::steady_clock::duration;

// The shortest of recent times: what was interrupted, or began with cold caches, says little about the next execution.
struct RecentBest {
  Duration best = Duration::max();
  int64_t times = 0;
  void add(Duration t) {
    best = t < best ? t : best + (t - best) / 8;
    ++times;
  }
};

class Choice {
 public:
  static constexpr int64_t kTries = 2, kOtherWay = 64;
  static constexpr int64_t kInARow = 2;  // the first finds its data and code in no other core's caches

  // The way to take this time, 0 or 1.
  int next() {
    ++turns_;
    if (ways_[1].times < kTries || ways_[0].times < kTries) return ways_[1].times < ways_[0].times;
    const int better = ways_[1].best < ways_[0].best;
    return turns_ % kOtherWay < kInARow ? 1 - better : better;
  }
  void took(int way, Duration t) { ways_[way].add(t); }
  const RecentBest &way(int k) const { return ways_[k]; }

 private:
  RecentBest ways_[2];
  int64_t turns_ = 0;
};

}  // namespace tpuc::exec
