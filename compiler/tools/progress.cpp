// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A line on the terminal for long work.
#include "compiler/tools/progress.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "compiler/tools/output.h"

namespace tpuc::tools {

Progress::Progress(bool wanted) : active_(wanted && isatty(STDERR_FILENO)) {
  if (active_) thread_ = std::thread([this] { tick(); });
}

Progress::~Progress() {
  if (!active_) return;
  {
    std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_one();
  thread_.join();
  if (shown_) std::fputs("\r\x1b[K", stderr);
}

void Progress::show(const std::string &what) {
  std::lock_guard lock(mutex_);
  what_ = printable(what);
}

void Progress::tick() {
  using namespace std::chrono;
  auto start = steady_clock::now();
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, milliseconds(200), [this] { return done_; })) {
    auto elapsed = steady_clock::now() - start;
    if (elapsed < seconds(1) || what_.empty()) continue;
    std::fprintf(stderr, "\r\x1b[K%s (%.0f s)", what_.c_str(), duration<double>(elapsed).count());
    shown_ = true;
  }
}

}  // namespace tpuc::tools
