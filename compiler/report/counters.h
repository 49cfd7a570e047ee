// The machine's counters as text and JSON: of the timing walk, and of a run.
#pragma once
#include "runtime/timing/timing.h"
#include "llvm/Support/JSON.h"

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

const char *unitName(int unit);  // of isa::Unit

// `run`: what a run counted; may be null.
std::string countersText(const timing::TimingResult &timed, const SharedCounters *run);
void countersJson(llvm::json::OStream &json, const timing::TimingResult &timed, const SharedCounters *run);

}  // namespace tpuc::report
