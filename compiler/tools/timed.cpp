// The executor's trace in the timing walk's terms: neither knows the other.
#include "compiler/tools/timed.h"

namespace tpuc::tools {
namespace {

timing::ControlTrace convert(exec::ControlTrace &&trace) {
  timing::ControlTrace out;
  out.outcomes = std::move(trace.outcomes);
  for (std::vector<exec::ControlTrace> &cores : trace.grids) {
    auto &to = out.grids.emplace_back();
    for (exec::ControlTrace &core : cores) to.push_back(convert(std::move(core)));
  }
  return out;
}

}  // namespace

timing::TimingResult timeWithTrace(const isa::Executable &exe, const target::Target &target, exec::ControlTrace trace) {
  timing::ControlTrace converted = convert(std::move(trace));
  return timing::timeProgram(exe, target, &converted);
}

report::SharedCounters runCounters(const exec::Statistics &run) {
  report::SharedCounters s;
  const int64_t runs = run.runs ? static_cast<int64_t>(run.runs) : 1;
  s.bundles = static_cast<int64_t>(run.bundles) / runs;
  for (size_t u = 0; u < s.issues.size(); ++u) s.issues[u] = static_cast<int64_t>(run.issues[u]) / runs;
  s.pushesBf16 = static_cast<int64_t>(run.pushes[0]) / runs;
  s.pushesInt8 = static_cast<int64_t>(run.pushes[1]) / runs;
  s.pushesF32 = static_cast<int64_t>(run.pushes[2]) / runs;
  const int hbm = static_cast<int>(isa::Space::Hbm);
  for (int other = 0; other < 3; ++other) {
    s.hbmReadBytes += static_cast<int64_t>(run.dmaBytes[hbm][other]) / runs;
    s.hbmWriteBytes += static_cast<int64_t>(run.dmaBytes[other][hbm]) / runs;
  }
  return s;
}

}  // namespace tpuc::tools
