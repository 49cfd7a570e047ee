// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/queue.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace tpuc::device {

namespace {

// How long a job that wants to step aside waits for each one that is aside.
constexpr std::chrono::milliseconds kPatience(50);

}  // namespace

struct Queue::State {
  // Jobs that are done one after the other. Those that a job pushes which has stepped aside have a lane of their own:
  // it may wait for them.
  struct Lane {
    std::deque<Job> jobs;
    bool busy = false;
    int aside = 0;  // jobs that have stepped aside and go on
    bool isReady() const { return !busy && !jobs.empty(); }
    bool isIdle() const { return !busy && jobs.empty(); }
    bool isDone() const { return isIdle() && !aside; }
  };
  // The job that a thread is in.
  struct Current {
    const State *state = nullptr;
    Lane *lane = nullptr;
    bool isAside = false;
  };

  mutable std::mutex mutex;
  std::condition_variable changed;
  Lane outer, nested;
  bool stop = false;
  int drainers = 0;
  Job idle;
  std::vector<std::thread> threads;
  size_t workers = 0, workersAside = 0;  // threads that are there; in jobs that have stepped aside, or wait to

  static thread_local Current current;
  static thread_local bool isWorker;

  // The mutex is held by the callers of all these.
  Lane &laneOfCaller() { return current.state == this && current.isAside ? nested : outer; }
  bool isDone() const { return outer.isDone() && nested.isDone(); }
  Current begin(Lane &lane) {
    lane.busy = true;
    return std::exchange(current, {this, &lane, false});
  }
  void end(const Current &before) {
    Lane &lane = *current.lane;
    if (current.isAside) {
      --lane.aside;
      workersAside -= isWorker;
    } else {
      lane.busy = false;
    }
    current = before;
  }
  // Somebody is there for the jobs that wait.
  void haveWorker(const std::shared_ptr<State> &self) {
    if (workers != workersAside || (outer.jobs.empty() && nested.jobs.empty())) return;
    ++workers;
    threads.emplace_back([self] { self->work(); });
  }
  void work();
  void waitForJob(std::unique_lock<std::mutex> &lock, bool &idled);
};

thread_local Queue::State::Current Queue::State::current;
thread_local bool Queue::State::isWorker = false;

Queue::Queue(Job idle) : state_(std::make_shared<State>()) { state_->idle = std::move(idle); }

Queue::~Queue() {
  std::unique_lock lock(state_->mutex);
  state_->stop = true;
  state_->changed.notify_all();
  const bool inJob = State::current.state == state_.get();
  // The last jobs may make more of them.
  while (!state_->threads.empty()) {
    std::thread thread = std::move(state_->threads.back());
    state_->threads.pop_back();
    lock.unlock();
    if (inJob)
      thread.detach();
    else
      thread.join();
    lock.lock();
  }
}

void Queue::push(Job job) {
  {
    std::lock_guard lock(state_->mutex);
    state_->laneOfCaller().jobs.push_back(std::move(job));
    state_->haveWorker(state_);
  }
  state_->changed.notify_all();
}

bool Queue::empty() const {
  std::lock_guard lock(state_->mutex);
  return state_->isDone();
}

void Queue::drain() {
  std::unique_lock lock(state_->mutex);
  const bool inJob = State::current.state == state_.get();
  if (inJob && !State::current.isAside) return;
  ++state_->drainers;
  state_->changed.wait(lock,
                       [&] { return inJob ? state_->outer.isIdle() && state_->nested.isIdle() : state_->isDone(); });
  --state_->drainers;
}

bool Queue::tryNow(const Job &job) {
  State::Current before;
  {
    std::lock_guard lock(state_->mutex);
    State::Lane &lane = state_->laneOfCaller();
    if (lane.busy || !lane.jobs.empty()) return false;
    before = state_->begin(lane);
  }
  job();
  bool awaited;
  {
    std::lock_guard lock(state_->mutex);
    awaited = State::current.isAside || !state_->outer.jobs.empty() || !state_->nested.jobs.empty() ||
              state_->outer.aside || state_->drainers || state_->stop;
    state_->end(before);
  }
  if (awaited) state_->changed.notify_all();  // else the thread sleeps on
  return true;
}

void Queue::stepAside() {
  State::Current &self = State::current;
  if (self.state != state_.get() || self.isAside) return;
  State &s = *state_;
  std::unique_lock lock(s.mutex);
  s.workersAside += State::isWorker;
  s.haveWorker(state_);
  // One after the other, each in its place: those behind it have not begun. But the one that is aside may wait for
  // them, by way of another thread.
  if (self.lane == &s.outer) s.changed.wait_for(lock, kPatience * s.outer.aside, [&] { return !s.outer.aside; });
  self.isAside = true;
  ++self.lane->aside;
  self.lane->busy = false;
  s.haveWorker(state_);
  s.changed.notify_all();
}

// Until there is a job to do, or none will come.
void Queue::State::waitForJob(std::unique_lock<std::mutex> &lock, bool &idled) {
  auto ready = [&] { return outer.isReady() || nested.isReady() || (stop && isDone()); };
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
    if (!nested.isReady() && !outer.isReady()) {
      --workers;
      return;
    }
    Lane &lane = nested.isReady() ? nested : outer;
    Current before;
    {
      Job job = std::move(lane.jobs.front());
      lane.jobs.pop_front();
      before = begin(lane);
      lock.unlock();
      job();
    }  // what it holds goes before anyone learns that it is done
    lock.lock();
    end(before);
    changed.notify_all();
  }
}

}  // namespace tpuc::device
