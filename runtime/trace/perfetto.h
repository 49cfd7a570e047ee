// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A timed run as a trace that Perfetto (ui.perfetto.dev) and chrome://tracing open: kernels, transfers, the arrays.
#pragma once
#include <iosfwd>

#include "runtime/timing/timing.h"

namespace tpuc::trace {

struct TraceOptions {
  // Slices that are written before the rest of the run is only timed.
  int64_t maxSlices = 200000;
  // Pushes of one array with a pause of at most this many cycles are one slice.
  int64_t mergeCycles = 64;
};

// Times the program as `timing` says and writes the trace (JSON, times in microseconds). The result is that of
// timeProgram; a program that cannot be timed leaves a valid trace of what came before.
timing::TimingResult writeTrace(const isa::Executable &exe, const target::Target &target, timing::TimingOptions timing,
                                const TraceOptions &options, std::ostream &out);

}  // namespace tpuc::trace
