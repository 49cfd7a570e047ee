// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run records about its control flow is what the timing walk takes.
#pragma once
#include "runtime/timing/control_trace.h"

namespace tpuc::exec {

using timing::ControlTrace;

}  // namespace tpuc::exec
