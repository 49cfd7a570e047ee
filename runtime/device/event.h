// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Something that will have happened: a run is over, an array is there, or an error came instead.
#pragma once
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tpuc::device {

struct Failure {
  enum Kind { Stopped, OutOfMemory, Cancelled } kind = Stopped;
  std::string message;
  int code = 0;  // what it means to whoever made it
};

// Copies are the same event.
class Event {
 public:
  using Listener = std::function<void(const std::optional<Failure> &)>;

  Event() = default;  // has happened
  static Event pending();

  bool happened() const;
  // Returns when it has happened.
  const std::optional<Failure> &wait() const;
  // Calls `listener` once it has, at once or from the thread that sets it.
  void listen(Listener listener) const;
  // Once, of a pending one.
  void set(std::optional<Failure> failure = std::nullopt) const;

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    bool happened = false;
    std::optional<Failure> failure;
    std::vector<Listener> listeners;
  };
  std::shared_ptr<State> state_;  // null: happened, and nothing went wrong
};

}  // namespace tpuc::device
