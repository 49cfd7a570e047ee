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
  // 0: one thread a CPU that this process may use.
  explicit ThreadPool(int threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;

  int size() const { return static_cast<int>(threads_.size()) + 1; }
  // Calls job(0) .. job(tasks - 1), tasks <= size(), each on a thread of its own; returns when all are done.
  void run(int tasks, const std::function<void(int)> &job);
  // Calls body(begin, end) on contiguous parts of [0, count), of at least `grain` each.
  void parallelFor(int64_t count, int64_t grain, const std::function<void(int64_t, int64_t)> &body);

 private:
  void work(int self);

  std::vector<std::thread> threads_;
  std::mutex mutex_, callers_;
  std::condition_variable wake_;
  std::atomic<uint64_t> round_{0};  // counts jobs; a worker sleeps until it changes
  std::atomic<int> pending_{0};
  int tasks_ = 0;
  const std::function<void(int)> *job_ = nullptr;
  bool stop_ = false;
};

// Threads that this process may use.
int availableCpus();

}  // namespace tpuc::device
