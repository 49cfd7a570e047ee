// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A line on the terminal for work that takes longer than a second; nothing in a pipe.
#pragma once
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace tpuc::tools {

class Progress {
 public:
  explicit Progress(bool wanted = true);
  ~Progress();  // wipes the line
  void show(const std::string &what);

 private:
  void tick();
  bool active_ = false, done_ = false, shown_ = false;
  std::string what_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;
};

}  // namespace tpuc::tools
