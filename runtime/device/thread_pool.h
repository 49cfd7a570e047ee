// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fixed set of threads that run one job at a time, the caller being one of them.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tpuc::device {

class ThreadPool {
 public:
  using Job = std::function<void(int task, int thread)>;

  // 0: one thread a CPU that this process may use.
  explicit ThreadPool(int threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;

  int size() const { return static_cast<int>(threads_.size()) + 1; }
  // Calls job(0, t) .. job(tasks - 1, t); returns when all are done. Each thread takes the next task when it is free,
  // the caller, thread 0, among them: a thread that is asleep or has no CPU holds nobody up. `wake`: whether sleeping
  // threads are worth waking.
  void run(int tasks, const Job &job, bool wake = true);
  // Between attend() and leave() threads without a task stay awake for longer; sleeping ones wake up.
  void attend();
  void leave() { attended_.fetch_sub(1, std::memory_order_relaxed); }
  // Calls body(begin, end) on contiguous parts of [0, count), of at least `grain` each.
  void parallelFor(int64_t count, int64_t grain, const std::function<void(int64_t, int64_t)> &body);

 private:
  void work(int self);
  bool doNext(int thread);
  void leaveCallersCpu();

  std::vector<std::thread> threads_;
  std::mutex mutex_, callers_;
  std::condition_variable wake_;
  std::atomic<uint64_t> claims_{0};  // the job's number, its tasks, the next one that nobody has taken
  std::atomic<int> done_{0};
  const Job *job_ = nullptr;  // whoever has taken a task may read it
  int sleepers_ = 0;
  uint64_t calls_ = 0;  // of attend
  std::atomic<int> attended_{0}, callersCpu_{-1};
  std::atomic<bool> stop_{false};
};

// For loops that wait for another thread.
void relax();

// Threads that this process may use.
int availableCpus();

}  // namespace tpuc::device
