// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors and events of the plugin: a status each.
#pragma once
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "compiler/embed/pjrt/abi/api.h"
#include "compiler/embed/pjrt/status_or.h"

namespace tpuc::pjrt {

// Callers from 0.107 on look at the first word: null says that the table of functions is the API's.
struct PJRT_Error {
  const void *vtable = nullptr;
  Status status;
};

// Null for ok.
PJRT_Error *toError(const Status &status);
Status makeStatus(PJRT_Error_Code code, const char *message, size_t size);

// Set once; whoever waits or has left a callback gets the status.
class Event {
 public:
  using Callback = std::function<void(const Status &)>;

  void set(Status status);
  bool ready() const;
  Status wait() const;
  // Calls at once where the event is set already.
  void onReady(Callback callback);

  static std::shared_ptr<Event> done(Status status = okStatus());

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool ready_ = false;
  Status status_;
  std::vector<Callback> callbacks_;
};

struct PJRT_Event {
  std::shared_ptr<Event> event;
};

}  // namespace tpuc::pjrt
