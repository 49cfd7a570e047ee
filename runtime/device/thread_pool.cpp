// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/thread_pool.h"

#include <sched.h>

#include <algorithm>
#include <chrono>

namespace tpuc::device {
namespace {

// Jobs follow one another closely; going to sleep and waking up costs more than most of them.
constexpr std::chrono::microseconds kSpin(60), kAttendedSpin(1000);

constexpr int kTaskBits = 16;

int nextOf(uint64_t claims) { return static_cast<int>(claims & ((1 << kTaskBits) - 1)); }
bool hasTask(uint64_t claims) {
  return nextOf(claims) < static_cast<int>(claims >> kTaskBits & ((1 << kTaskBits) - 1));
}

}  // namespace

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

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
  }
  wake_.notify_all();
  for (std::thread &t : threads_) t.join();
}

// Takes a task and does it; false when all are taken.
bool ThreadPool::doNext(int thread) {
  uint64_t at = claims_.load(std::memory_order_acquire);
  do {
    if (!hasTask(at)) return false;
  } while (!claims_.compare_exchange_weak(at, at + 1, std::memory_order_acq_rel, std::memory_order_acquire));
  (*job_)(nextOf(at), thread);
  done_.fetch_add(1, std::memory_order_release);
  return true;
}

void ThreadPool::work(int self) {
  while (!stop_.load(std::memory_order_relaxed)) {
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; !doNext(self) && !stop_.load(std::memory_order_relaxed); ++i) {
      relax();
      if (i % 64 || std::chrono::steady_clock::now() - start <
                        (attended_.load(std::memory_order_relaxed) ? kAttendedSpin : kSpin))
        continue;
      std::unique_lock lock(mutex_);
      const uint64_t calls = calls_;
      ++sleepers_;
      wake_.wait(lock, [&] {
        return stop_.load(std::memory_order_relaxed) || calls_ != calls ||
               hasTask(claims_.load(std::memory_order_relaxed));
      });
      --sleepers_;
      lock.unlock();
      leaveCallersCpu();
      start = std::chrono::steady_clock::now();
    }
  }
}

// Whoever is woken may be given the CPU of the thread that wakes it, and both then take turns on it for milliseconds.
// The affinity comes back at once.
void ThreadPool::leaveCallersCpu() {
  const int cpu = sched_getcpu();
  cpu_set_t own;
  if (cpu < 0 || cpu != callersCpu_.load(std::memory_order_relaxed) || sched_getaffinity(0, sizeof own, &own) != 0)
    return;
  cpu_set_t others = own;
  CPU_CLR(cpu, &others);
  if (CPU_COUNT(&others) == 0 || sched_setaffinity(0, sizeof others, &others) != 0) return;
  sched_setaffinity(0, sizeof own, &own);
}

void ThreadPool::attend() {
  callersCpu_.store(sched_getcpu(), std::memory_order_relaxed);
  attended_.fetch_add(1, std::memory_order_relaxed);
  bool asleep;
  {
    std::lock_guard lock(mutex_);
    ++calls_;
    asleep = sleepers_ > 0;
  }
  if (asleep) wake_.notify_all();
}

void ThreadPool::run(int tasks, const Job &job, bool wake) {
  if (tasks <= 1 || threads_.empty()) {
    for (int i = 0; i < tasks; ++i) job(i, 0);
    return;
  }
  std::lock_guard callers(callers_);
  job_ = &job;
  done_.store(0, std::memory_order_relaxed);
  const uint64_t number = (claims_.load(std::memory_order_relaxed) >> 2 * kTaskBits) + 1;
  bool asleep;
  {
    std::lock_guard lock(mutex_);
    claims_.store(number << 2 * kTaskBits | static_cast<uint64_t>(tasks) << kTaskBits, std::memory_order_release);
    asleep = sleepers_ > 0;
  }
  if (asleep && wake) {
    callersCpu_.store(sched_getcpu(), std::memory_order_relaxed);
    wake_.notify_all();
  }
  while (doNext(0)) {
  }
  for (int i = 0; done_.load(std::memory_order_acquire) != tasks; ++i) {
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
  run(static_cast<int>(parts), [&](int i, int) { body(count * i / parts, count * (i + 1) / parts); });
}

}  // namespace tpuc::device
