// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine's counters as text and JSON: of the timing walk, and of a run.
#pragma once
#include "llvm/Support/JSON.h"
#include "runtime/timing/timing.h"

namespace tpuc::report {

// What the walk and a run both count, under the same names.
struct SharedCounters {
  int64_t bundles = 0;
  std::array<int64_t, timing::kNumUnits> issues{};
  int64_t pushesBf16 = 0, pushesInt8 = 0, pushesF32 = 0;
  int64_t hbmReadBytes = 0, hbmWriteBytes = 0;
  bool operator==(const SharedCounters &) const = default;
};
SharedCounters shared(const timing::Counters &counters);
// From what an executor has counted in `runs` runs of one program: issues by unit, pushes of bf16, int8 and f32, bytes
// by source and destination space.
SharedCounters perRun(uint64_t runs, uint64_t bundles, const std::array<uint64_t, timing::kNumUnits> &issues,
                      const std::array<uint64_t, 3> &pushes, const std::array<std::array<uint64_t, 3>, 3> &dmaBytes);

const char *unitName(int unit);  // of isa::Unit

// `run`: what a run counted; may be null.
std::string countersText(const timing::TimingResult &timed, const SharedCounters *run);
void countersJson(llvm::json::OStream &json, const timing::TimingResult &timed, const SharedCounters *run);

}  // namespace tpuc::report
