#include "runtime/device/thread_pool.h"

#include <sched.h>

#include <algorithm>
#include <chrono>

namespace tpuc::device {
namespace {

// Grids follow one another closely; going to sleep and waking up costs more than most of them.
constexpr auto kSpin = std::chrono::microseconds(60);

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

int availableCpus() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

ThreadPool::ThreadPool(int threads) {
  if (threads <= 0) threads = availableCpus();
  for (int i = 1; i < threads; ++i) threads_.emplace_back([this, i] { work(i); });
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
    round_.fetch_add(1);
  }
  wake_.notify_all();
  for (std::thread &t : threads_) t.join();
}

void ThreadPool::work(int self) {
  uint64_t seen = 0;
  while (true) {
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; round_.load(std::memory_order_acquire) == seen; ++i) {
      relax();
      if (i % 64 || std::chrono::steady_clock::now() - start < kSpin) continue;
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return round_.load(std::memory_order_relaxed) != seen; });
    }
    seen = round_.load(std::memory_order_acquire);
    if (stop_) return;
    if (self < tasks_) (*job_)(self);
    pending_.fetch_sub(1, std::memory_order_release);
  }
}

void ThreadPool::run(int tasks, const std::function<void(int)> &job) {
  if (tasks <= 1 || threads_.empty()) {
    for (int i = 0; i < tasks; ++i) job(i);
    return;
  }
  std::lock_guard callers(callers_);
  {
    std::lock_guard lock(mutex_);
    job_ = &job;
    tasks_ = tasks;
    pending_.store(static_cast<int>(threads_.size()), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
  }
  wake_.notify_all();
  job(0);
  // Every worker answers, so that none is still looking at this job when the next one is set.
  for (int i = 0; pending_.load(std::memory_order_acquire) != 0; ++i) {
    relax();
    if (i % 4096 == 4095) std::this_thread::yield();
  }
}

void ThreadPool::parallelFor(int64_t count, int64_t grain, const std::function<void(int64_t, int64_t)> &body) {
  int64_t parts = std::clamp<int64_t>(count / std::max<int64_t>(grain, 1), 1, size());
  if (parts == 1) {
    if (count > 0) body(0, count);
    return;
  }
  run(static_cast<int>(parts), [&](int i) { body(count * i / parts, count * (i + 1) / parts); });
}

}  // namespace tpuc::device
