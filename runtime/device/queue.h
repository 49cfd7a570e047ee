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
  // Returns when all that was pushed before is done.
  void drain();
  // Does `job` on the caller's thread if nothing waits, and keeps others from starting meanwhile; false when something does.
  bool tryNow(const Job &job);

  // From within a job that is going to wait for somebody who may need the queue: other jobs are done meanwhile, and until it ends. Returns
  // when jobs that stepped aside before it began are done, so that what they wait for comes in the jobs' order; at once for a job that
  // such a one has pushed.
  void stepAside();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace tpuc::device
