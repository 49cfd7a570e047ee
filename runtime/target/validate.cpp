// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a description is a machine that the rest of tpuc can build on.
#include <cmath>
#include <cstdio>

#include "runtime/isa/isa.h"
#include "runtime/target/fields.h"
#include "runtime/target/target.h"

namespace tpuc::target {
namespace {

// Constants for which 0 has a meaning ("none", "no such thing", "free").
bool zeroAllowed(const std::string &path) {
  for (const char *name : {"core.mxu_int8_rate", "core.mxu_f32_passes", "latency.mxu_swap", "latency.mxu_fill",
                           "latency.mxu_weight", "memory.dma_latency_ns", "memory.local_latency_ns",
                           "memory.dma_setup_ns", "memory.cmem_bytes", "memory.cmem_bandwidth_gbps",
                           "launch_overhead_ns", "dollars_per_chip_hour", "bf16_tflops", "int8_tops", "int8_only"})
    if (path == name) return true;
  return path.rfind("interconnect.", 0) == 0;
}

// Largest sensible values: beyond them cycle counts leave their integers.
double largest(const std::string &path) {
  auto starts = [&](const char *prefix) { return path.rfind(prefix, 0) == 0; };
  auto ends = [&](const std::string &tail) {
    return path.size() >= tail.size() && path.compare(path.size() - tail.size(), tail.size(), tail) == 0;
  };
  if (starts("latency.")) return 1e4;
  if (ends("_slots")) return 8;
  if (ends("_ns")) return 1e9;
  if (path == "clock_ghz") return 100;
  if (path == "core.mxu_rows_per_cycle" || path == "core.mxu_int8_rate" || path == "core.mxu_weight_rows_per_cycle" ||
      path == "core.mxu_f32_passes")
    return 64;
  if (path == "core.eup_cycles" || path == "core.xlu_cycles") return 1e3;
  return 1e15;
}

// Rates that are not 0 divide.
double smallest(const std::string &path) {
  if (path == "core.mxu_rows_per_cycle" || path == "core.mxu_int8_rate" || path == "core.mxu_weight_rows_per_cycle" ||
      path == "core.mxu_f32_passes")
    return 1.0 / 64;
  if (path == "clock_ghz" || path == "memory.hbm_bandwidth_gbps" || path == "memory.hbm_efficiency" ||
      path == "memory.local_bytes_per_cycle")
    return 1e-3;
  return 0;
}

bool powerOfTwo(uint32_t n) { return n && !(n & (n - 1)); }

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", x);
  return text;
}

std::string expects(const std::string &path, const std::string &what, double got) {
  return path + " expects " + what + ", but got " + number(got);
}

}  // namespace

std::string validate(const Target &target) {
  if (target.name().empty()) return "name expects a target's name";
  for (const Constant &c : constants(target)) {
    if (!std::isfinite(c.value) || c.value < 0) return expects(c.path, "a number from 0", c.value);
    if (c.value == 0 && zeroAllowed(c.path)) continue;
    if (c.value == 0) return expects(c.path, "a number above 0", 0);
    if (c.value < smallest(c.path)) return expects(c.path, "at least " + number(smallest(c.path)), c.value);
    if (c.value > largest(c.path)) return expects(c.path, "at most " + number(largest(c.path)), c.value);
  }
  const Core &core = target.core();
  if (!powerOfTwo(core.mxu_side()) || core.mxu_side() < 4 || core.mxu_side() > 256)
    return expects("core.mxu_side", "a power of two from 4 to 256", core.mxu_side());
  if (core.mxus() > static_cast<uint32_t>(isa::kMaxMxus))
    return expects("core.mxus", "at most " + std::to_string(isa::kMaxMxus), core.mxus());
  if (core.mxu_accumulator_rows() % isa::kSublanes || core.mxu_accumulator_rows() > 65536)
    return expects("core.mxu_accumulator_rows", "a multiple of 8 up to 65536", core.mxu_accumulator_rows());
  if (core.vmem_bytes() % isa::kWordBytes) return expects("core.vmem_bytes", "a multiple of 512", core.vmem_bytes());
  if (target.memory().hbm_efficiency() > 1)
    return expects("memory.hbm_efficiency", "at most 1", target.memory().hbm_efficiency());
  if (target.cores() > 16) return expects("cores", "at most 16", target.cores());
  for (const auto &[path, text] : target.source()) {
    bool known = false;
    for (const FieldPath &field : allFields()) known |= field.path == path;
    if (!known) return "source '" + path + "' names no constant";
    if (text.empty()) return "source '" + path + "' is empty";
  }
  return "";
}

}  // namespace tpuc::target
