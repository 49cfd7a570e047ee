// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/event.h"

namespace tpuc::device {

Event Event::pending() {
  Event event;
  event.state_ = std::make_shared<State>();
  return event;
}

bool Event::happened() const {
  if (!state_) return true;
  std::lock_guard lock(state_->mutex);
  return state_->happened;
}

const std::optional<Failure> &Event::wait() const {
  static const std::optional<Failure> kNone;
  if (!state_) return kNone;
  std::unique_lock lock(state_->mutex);
  state_->changed.wait(lock, [&] { return state_->happened; });
  return state_->failure;
}

void Event::listen(Listener listener) const {
  if (!state_) return listener(std::nullopt);
  {
    std::lock_guard lock(state_->mutex);
    if (!state_->happened) {
      state_->listeners.push_back(std::move(listener));
      return;
    }
  }
  listener(state_->failure);  // does not change any more
}

void Event::set(std::optional<Failure> failure) const {
  std::vector<Listener> listeners;
  {
    std::lock_guard lock(state_->mutex);
    state_->failure = std::move(failure);
    state_->happened = true;
    listeners.swap(state_->listeners);
  }
  state_->changed.notify_all();
  for (Listener &listener : listeners) listener(state_->failure);
}

}  // namespace tpuc::device
