// Timing of programs whose control flow a run has recorded.
#pragma once
#include "runtime/executor/executor.h"
#include "runtime/timing/timing.h"

namespace tpuc::tools {

timing::TimingResult timeWithTrace(const isa::Executable &exe, const target::Target &target, exec::ControlTrace trace);

}  // namespace tpuc::tools
