// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A core's DMA in time.
#include "runtime/timing/dma_timing.h"

#include <algorithm>

namespace tpuc::timing {

DmaTiming::Span DmaTiming::start(int64_t t, Channel channel, int64_t cycles, int64_t latency, int64_t semaphore) {
  int64_t &free = channel == Channel::Hbm ? hbmFree_ : channel == Channel::Local ? localFree_ : linksFree_;
  Span span;
  span.begin = std::max(t, free);
  span.end = free = span.begin + cycles;
  std::vector<int64_t> &pending = semaphores_[semaphore].pending;
  pending.insert(std::upper_bound(pending.begin(), pending.end(), span.end + latency), span.end + latency);
  return span;
}

int64_t DmaTiming::ready(const Semaphore &s, int64_t now) {
  return s.value + (std::upper_bound(s.pending.begin(), s.pending.end(), now) - s.pending.begin());
}

int64_t DmaTiming::waitAt(int64_t t, int64_t semaphore, int64_t count) const {
  const Semaphore &s = semaphores_[semaphore];
  int64_t missing = count - s.value;
  if (missing <= 0) return t;
  if (missing > static_cast<int64_t>(s.pending.size())) return -1;
  return std::max(t, s.pending[missing - 1]);
}

void DmaTiming::wait(int64_t t, int64_t semaphore, int64_t count) {
  Semaphore &s = semaphores_[semaphore];
  int64_t arrived = ready(s, t) - s.value;
  s.pending.erase(s.pending.begin(), s.pending.begin() + arrived);
  s.value += arrived - count;
}

void DmaTiming::save(int64_t now, std::vector<int64_t> &words) const {
  words.push_back(std::max<int64_t>(0, hbmFree_ - now));
  words.push_back(std::max<int64_t>(0, localFree_ - now));
  words.push_back(std::max<int64_t>(0, linksFree_ - now));
  size_t at = words.size();
  words.resize(at + 2 * semaphores_.size());  // enough where nothing is under way, which is so for most of them
  for (const Semaphore &s : semaphores_) {
    if (s.pending.empty()) {
      words[at++] = s.value;
      words[at++] = 0;
      continue;
    }
    int64_t value = ready(s, now), left = static_cast<int64_t>(s.pending.size()) - (value - s.value);
    words.resize(words.size() + left);
    words[at++] = value;
    words[at++] = left;
    for (size_t i = value - s.value; i < s.pending.size(); ++i) words[at++] = s.pending[i] - now;
  }
}

const int64_t *DmaTiming::restore(int64_t now, const int64_t *words) {
  hbmFree_ = now + *words++;
  localFree_ = now + *words++;
  linksFree_ = now + *words++;
  for (Semaphore &s : semaphores_) {
    s.value = *words++;
    s.pending.resize(*words++);
    for (int64_t &t : s.pending) t = now + *words++;
  }
  return words;
}

void DmaTiming::shift(int64_t cycles) {
  hbmFree_ += cycles;
  localFree_ += cycles;
  linksFree_ += cycles;
  for (Semaphore &s : semaphores_)
    for (int64_t &t : s.pending) t += cycles;
}

}  // namespace tpuc::timing
