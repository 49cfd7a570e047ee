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

}  // namespace tpuc::tools
