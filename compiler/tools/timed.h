// What a run says, in the terms of the timing walk.
#pragma once
#include "compiler/report/counters.h"
#include "runtime/executor/executor.h"
#include "runtime/timing/timing.h"

namespace tpuc::tools {

// The walk, told which way the run went.
timing::TimingResult timeWithTrace(const isa::Executable &exe, const target::Target &target, exec::ControlTrace trace);

// Of one run, where all runs were of the same control flow.
report::SharedCounters runCounters(const exec::Statistics &statistics);

}  // namespace tpuc::tools
