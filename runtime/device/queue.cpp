// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/queue.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace tpuc::device {

struct Queue::State {
  struct Entry {
    Job job;
    bool nested;  // pushed by a job that had stepped aside
  };
  // The job that a thread is in.
  struct Current {
    const State *state = nullptr;
    uint64_t number = 0;
    bool nested = false, isAside = false;
  };

  mutable std::mutex mutex;
  std::condition_variable changed;
  std::deque<Entry> jobs;
  bool busy = false, stop = false;
  int drainers = 0;
  Job idle;
  std::vector<std::thread> threads;
  size_t threadsAside = 0;    // in jobs that have stepped aside
  uint64_t started = 0;       // jobs so far
  std::set<uint64_t> aside;   // jobs that have, by their numbers

  static thread_local Current current;
  static thread_local bool isWorker;

  bool isNested() const { return current.state == this && current.isAside; }
  bool isDone() const { return jobs.empty() && !busy && aside.empty(); }
  // The mutex is held.
  Current begin(bool nested) {
    busy = true;
    return std::exchange(current, {this, started++, nested, false});
  }
  void end(const Current &outer) {
    if (current.isAside) {
      aside.erase(current.number);
      threadsAside -= isWorker;
    } else {
      busy = false;
    }
    current = outer;
  }
  void work();
  void waitForJob(std::unique_lock<std::mutex> &lock, bool &idled);
};

thread_local Queue::State::Current Queue::State::current;
thread_local bool Queue::State::isWorker = false;

Queue::Queue(Job idle) : state_(std::make_shared<State>()) { state_->idle = std::move(idle); }

Queue::~Queue() {
  {
    std::lock_guard lock(state_->mutex);
    state_->stop = true;
  }
  state_->changed.notify_all();
  for (std::thread &thread : state_->threads) {
    if (thread.get_id() == std::this_thread::get_id()) thread.detach();
    else thread.join();
  }
}

// The mutex is held: somebody is there for the jobs that wait.
static bool needsThread(size_t threads, size_t aside, bool waiting) { return waiting && threads == aside; }

void Queue::push(Job job) {
  {
    std::lock_guard lock(state_->mutex);
    state_->jobs.push_back({std::move(job), state_->isNested()});
    if (needsThread(state_->threads.size(), state_->threadsAside, true)) state_->threads.emplace_back([state = state_] { state->work(); });
  }
  state_->changed.notify_all();
}

bool Queue::empty() const {
  std::lock_guard lock(state_->mutex);
  return state_->isDone();
}

void Queue::drain() {
  std::unique_lock lock(state_->mutex);
  ++state_->drainers;
  state_->changed.wait(lock, [&] { return state_->isDone(); });
  --state_->drainers;
}

bool Queue::tryNow(const Job &job) {
  State::Current outer;
  {
    std::lock_guard lock(state_->mutex);
    if (state_->busy || !state_->jobs.empty()) return false;
    outer = state_->begin(state_->isNested());
  }
  job();
  bool awaited;
  {
    std::lock_guard lock(state_->mutex);
    awaited = State::current.isAside || !state_->jobs.empty() || state_->drainers || state_->stop;
    state_->end(outer);
  }
  if (awaited) state_->changed.notify_all();  // else the thread sleeps on
  return true;
}

void Queue::stepAside() {
  State::Current &self = State::current;
  if (self.state != state_.get()) return;
  std::unique_lock lock(state_->mutex);
  if (!self.isAside) {
    self.isAside = true;
    state_->aside.insert(self.number);
    state_->busy = false;
    state_->threadsAside += State::isWorker;
    if (needsThread(state_->threads.size(), state_->threadsAside, !state_->jobs.empty())) state_->threads.emplace_back([state = state_] { state->work(); });
    state_->changed.notify_all();
  }
  if (!self.nested) state_->changed.wait(lock, [&] { return *state_->aside.begin() == self.number; });
}

// Until there is a job to do, or none will come.
void Queue::State::waitForJob(std::unique_lock<std::mutex> &lock, bool &idled) {
  auto ready = [&] { return !busy && (!jobs.empty() || stop); };
  if (idle && !idled && !changed.wait_for(lock, std::chrono::seconds(1), ready)) {
    idled = true;
    lock.unlock();
    idle();
    lock.lock();
  }
  changed.wait(lock, ready);
}

void Queue::State::work() {
  isWorker = true;
  std::unique_lock lock(mutex);
  for (bool idled = false;; idled = false) {
    waitForJob(lock, idled);
    if (jobs.empty()) return;
    Current outer;
    {
      Entry entry = std::move(jobs.front());
      jobs.pop_front();
      outer = begin(entry.nested);
      lock.unlock();
      entry.job();
    }  // what it holds goes before anyone learns that it is done
    lock.lock();
    end(outer);
    changed.notify_all();
  }
}

}  // namespace tpuc::device
