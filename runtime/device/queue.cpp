// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/queue.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace tpuc::device {

struct Queue::State {
  mutable std::mutex mutex;
  std::condition_variable changed;
  std::deque<Job> jobs;
  bool busy = false, stop = false;
  int drainers = 0;
  Job idle;
  std::thread thread;

  void work();
  void waitForJob(std::unique_lock<std::mutex> &lock, bool &idled);
};

Queue::Queue(Job idle) : state_(std::make_shared<State>()) { state_->idle = std::move(idle); }

Queue::~Queue() {
  {
    std::lock_guard lock(state_->mutex);
    state_->stop = true;
  }
  state_->changed.notify_all();
  if (!state_->thread.joinable()) return;
  if (state_->thread.get_id() == std::this_thread::get_id()) state_->thread.detach();
  else state_->thread.join();
}

void Queue::push(Job job) {
  {
    std::lock_guard lock(state_->mutex);
    state_->jobs.push_back(std::move(job));
    if (!state_->thread.joinable()) state_->thread = std::thread([state = state_] { state->work(); });
  }
  state_->changed.notify_all();
}

bool Queue::empty() const {
  std::lock_guard lock(state_->mutex);
  return state_->jobs.empty() && !state_->busy;
}

void Queue::drain() {
  std::unique_lock lock(state_->mutex);
  ++state_->drainers;
  state_->changed.wait(lock, [&] { return state_->jobs.empty() && !state_->busy; });
  --state_->drainers;
}

bool Queue::tryNow(const Job &job) {
  {
    std::lock_guard lock(state_->mutex);
    if (state_->busy || !state_->jobs.empty()) return false;
    state_->busy = true;
  }
  job();
  bool awaited;
  {
    std::lock_guard lock(state_->mutex);
    state_->busy = false;
    awaited = !state_->jobs.empty() || state_->drainers || state_->stop;
  }
  if (awaited) state_->changed.notify_all();  // else the thread sleeps on
  return true;
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
  std::unique_lock lock(mutex);
  for (bool idled = false;; idled = false) {
    waitForJob(lock, idled);
    if (jobs.empty()) return;
    busy = true;
    {
      Job job = std::move(jobs.front());
      jobs.pop_front();
      lock.unlock();
      job();
    }  // what it holds goes before anyone learns that it is done
    lock.lock();
    busy = false;
    changed.notify_all();
  }
}

}  // namespace tpuc::device
