// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ctrl-C while programs run.
#include "compiler/tools/interrupt.h"

namespace tpuc::tools {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal's handler sets it");

void note(int) { interrupted.store(true, std::memory_order_relaxed); }

}  // namespace

Interruptible::Interruptible() {
  struct sigaction action = {};
  action.sa_handler = note;
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  sigaction(SIGINT, nullptr, &before_);
  // What runs in the background of a shell does not hear of Ctrl-C.
  if (before_.sa_handler != SIG_IGN) sigaction(SIGINT, &action, nullptr);
}

Interruptible::~Interruptible() { sigaction(SIGINT, &before_, nullptr); }

const std::atomic<bool> &Interruptible::happened() { return interrupted; }

}  // namespace tpuc::tools
