// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ctrl-C while programs run: the run ends soon and says where it was; a second one ends the process.
#pragma once
#include <atomic>
#include <csignal>

namespace tpuc::tools {

class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  static const std::atomic<bool> &happened();

 private:
  struct sigaction before_ = {};
};

}  // namespace tpuc::tools
