// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors and events, and the API's functions on them.
#include "compiler/embed/pjrt/status.h"

#include <utility>

namespace tpuc::pjrt {

PJRT_Error *toError(const Status &status) {
  if (status.ok()) return nullptr;
  return new PJRT_Error{nullptr, status};
}

Status makeStatus(PJRT_Error_Code code, const char *message, size_t size) {
  if (code == PJRT_Error_Code_OK) return okStatus();
  return Status(code, message ? std::string(message, size) : std::string());
}

void Event::set(Status status) {
  std::vector<Callback> callbacks;
  {
    std::lock_guard lock(mutex_);
    if (ready_) return;
    status_ = std::move(status);
    ready_ = true;
    callbacks.swap(callbacks_);
  }
  changed_.notify_all();
  for (Callback &callback : callbacks) callback(status_);
}

bool Event::ready() const {
  std::lock_guard lock(mutex_);
  return ready_;
}

Status Event::wait() const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return ready_; });
  return status_;
}

void Event::onReady(Callback callback) {
  {
    std::lock_guard lock(mutex_);
    if (!ready_) {
      callbacks_.push_back(std::move(callback));
      return;
    }
  }
  callback(status_);
}

std::shared_ptr<Event> Event::done(Status status) {
  auto event = std::make_shared<Event>();
  event->set(std::move(status));
  return event;
}

PJRT_Error *Error_Destroy(PJRT_Error_Destroy_Args *args) {
  delete args->error;
  return nullptr;
}

PJRT_Error *Error_Message(PJRT_Error_Message_Args *args) {
  args->message = args->error->status.message().data();
  args->message_size = args->error->status.message().size();
  return nullptr;
}

PJRT_Error *Error_GetCode(PJRT_Error_GetCode_Args *args) {
  args->code = args->error->status.code();
  return nullptr;
}

// Our errors carry no payloads.
PJRT_Error *Error_ForEachPayload(PJRT_Error_ForEachPayload_Args *) { return nullptr; }

PJRT_Error *Event_Destroy(PJRT_Event_Destroy_Args *args) {
  delete args->event;
  return nullptr;
}

PJRT_Error *Event_IsReady(PJRT_Event_IsReady_Args *args) {
  args->is_ready = args->event->event->ready();
  return nullptr;
}

PJRT_Error *Event_Error(PJRT_Event_Error_Args *args) {
  if (!args->event->event->ready())
    return toError(failedPrecondition("the event's error is asked for before the event is ready"));
  return toError(args->event->event->wait());
}

PJRT_Error *Event_Await(PJRT_Event_Await_Args *args) { return toError(args->event->event->wait()); }

PJRT_Error *Event_OnReady(PJRT_Event_OnReady_Args *args) {
  args->event->event->onReady(
      [callback = args->callback, user = args->user_arg](const Status &status) { callback(toError(status), user); });
  return nullptr;
}

PJRT_Error *Event_Create(PJRT_Event_Create_Args *args) {
  args->event = new PJRT_Event{std::make_shared<Event>()};
  return nullptr;
}

PJRT_Error *Event_Set(PJRT_Event_Set_Args *args) {
  if (args->event->event->ready()) return toError(failedPrecondition("the event is set already"));
  args->event->event->set(makeStatus(args->error_code, args->error_message, args->error_message_size));
  return nullptr;
}

}  // namespace tpuc::pjrt
