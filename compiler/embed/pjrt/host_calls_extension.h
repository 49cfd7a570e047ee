// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An extension of tpuc's own to PJRT: the one function of the process that programs' host calls arrive at.
#pragma once
#include <cstdint>

#include "compiler/embed/pjrt/abi/api.h"
#include "runtime/executor/host_calls.h"

namespace tpuc::pjrt {

// Calls the function `id` on dense arrays. 0, or anything else with a message, cut off at `size` bytes and ended by a
// zero.
using HostCallback = int (*)(uint64_t id, const void *const *operands, void *const *results, char *message,
                             size_t size);

// In the extensions' chain under a type of its own; jax_plugins/tpuc/callbacks.py knows the layout.
PJRT_Extension_Base *hostCallsExtension(PJRT_Extension_Base *next);

// What runs call: the callback that is set then.
bool callHost(uint64_t id, std::span<const exec::HostArray> operands, std::span<const exec::HostArray> results,
              std::string &error);

}  // namespace tpuc::pjrt
