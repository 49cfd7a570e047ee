// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a device does one after the other, on a thread of its own that starts with the first job.
#pragma once
#include <functional>
#include <memory>

namespace tpuc::device {

class Queue {
 public:
  using Job = std::function<void()>;

  // `idle` is called when nothing was to do for a second.
  explicit Queue(Job idle = {});
  ~Queue();  // after all jobs; a job that lets go of the queue itself leaves the rest to its thread
  Queue(const Queue &) = delete;
  Queue &operator=(const Queue &) = delete;

  void push(Job job);
  // Nothing is waiting or being done.
  bool empty() const;
  // Returns when all that was pushed before is done; within a job that has stepped aside, when all is but those like
  // it; within another, at once.
  void drain();
  // Does `job` on the caller's thread if nothing waits, and keeps others from starting meanwhile; false when something
  // does.
  bool tryNow(const Job &job);

  // From within a job that is going to wait for somebody who may need the queue: until it ends, others are done
  // meanwhile. Those of them that want to step aside too wait for its end, each in its place, so that what they do then
  // comes in the jobs' order; but not for long, since it may be waiting for them, and not those that it has pushed
  // itself.
  void stepAside();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace tpuc::device
