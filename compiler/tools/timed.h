// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run says, in the terms of the timing walk.
#pragma once
#include "compiler/report/counters.h"
#include "runtime/executor/executor.h"

namespace tpuc::tools {

// The counters of one run, where all runs took the same branches.
report::SharedCounters runCounters(const exec::Statistics &statistics);

}  // namespace tpuc::tools
