// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine's counters as text and JSON.
#include "compiler/report/counters.h"

#include "compiler/report/units.h"

namespace tpuc::report {
namespace {

constexpr const char *kUnits[] = {"scalar", "control", "dma",        "vload",    "vstore", "valu",
                                  "eup",    "xlu",     "mxu_weight", "mxu_push", "mxu_pop"};
static_assert(std::size(kUnits) == timing::kNumUnits);

std::string line(const std::string &name, const std::string &value) {
  return "  " + name + std::string(name.size() < 18 ? 18 - name.size() : 1, ' ') + value + "\n";
}

void sharedJson(llvm::json::OStream &json, const SharedCounters &c) {
  json.attribute("bundles", c.bundles);
  json.attributeObject("issues", [&] {
    for (int u = 0; u < timing::kNumUnits; ++u) json.attribute(kUnits[u], c.issues[u]);
  });
  json.attributeObject("mxu_pushes", [&] {
    json.attribute("bf16", c.pushesBf16);
    json.attribute("int8", c.pushesInt8);
    json.attribute("f32", c.pushesF32);
  });
  json.attributeObject("dma_bytes", [&] {
    json.attribute("hbm_read", c.hbmReadBytes);
    json.attribute("hbm_write", c.hbmWriteBytes);
  });
}

}  // namespace

const char *unitName(int unit) { return kUnits[unit]; }

SharedCounters shared(const timing::Counters &c) {
  SharedCounters s;
  s.bundles = c.bundles;
  s.issues = c.issues;
  s.pushesBf16 = c.pushesBf16, s.pushesInt8 = c.pushesInt8, s.pushesF32 = c.pushesF32;
  s.hbmReadBytes = c.hbmReadBytes, s.hbmWriteBytes = c.hbmWriteBytes;
  return s;
}

SharedCounters perRun(uint64_t runs, uint64_t bundles, const std::array<uint64_t, timing::kNumUnits> &issues,
                      const std::array<uint64_t, 3> &pushes, const std::array<std::array<uint64_t, 3>, 3> &dmaBytes) {
  auto each = [&](uint64_t sum) { return static_cast<int64_t>(sum / (runs ? runs : 1)); };
  SharedCounters s;
  s.bundles = each(bundles);
  for (size_t u = 0; u < issues.size(); ++u) s.issues[u] = each(issues[u]);
  s.pushesBf16 = each(pushes[0]), s.pushesInt8 = each(pushes[1]), s.pushesF32 = each(pushes[2]);
  const int hbm = static_cast<int>(isa::Space::Hbm);
  for (int other = 0; other < 3; ++other) {
    s.hbmReadBytes += each(dmaBytes[hbm][other]);
    s.hbmWriteBytes += each(dmaBytes[other][hbm]);
  }
  return s;
}

std::string countersText(const timing::TimingResult &timed, const SharedCounters *run) {
  std::string out;
  const timing::Counters &c = timed.counters;
  SharedCounters s = timed.ok ? shared(c) : run ? *run : SharedCounters();
  out += line("bundles", thousands(s.bundles));
  if (timed.ok) out += line("cycles", thousands(timed.cycles));
  out += "issues a unit\n";
  for (int u = 0; u < timing::kNumUnits; ++u) out += line(kUnits[u], thousands(s.issues[u]));
  out += "MXU pushes\n" + line("bf16", thousands(s.pushesBf16)) + line("int8", thousands(s.pushesInt8)) +
         line("f32", thousands(s.pushesF32));
  out += "DMA bytes\n" + line("HBM read", thousands(s.hbmReadBytes)) + line("HBM write", thousands(s.hbmWriteBytes));
  if (timed.ok) {
    out += line("HBM channel", thousands(c.hbmChannelBytes)) + line("local", thousands(c.localBytes));
    if (c.remoteBytes) out += line("to other chips", thousands(c.remoteBytes));
    out += "stall cycles by cause\n";
    for (int i = 0; i < timing::kNumStalls; ++i)
      if (c.stalls[i]) out += line(timing::stallName(static_cast<timing::Stall>(i)), thousands(c.stalls[i]));
  }
  if (timed.ok && run) out += std::string("run and timing ") + (*run == shared(c) ? "count the same\n" : "DIFFER\n");
  return out;
}

void countersJson(llvm::json::OStream &json, const timing::TimingResult &timed, const SharedCounters *run) {
  if (timed.ok) {
    const timing::Counters &c = timed.counters;
    json.attributeObject("timed", [&] {
      json.attribute("cycles", timed.cycles);
      json.attribute("seconds", timed.seconds);
      sharedJson(json, shared(c));
      json.attribute("mxu_busy_cycles", c.mxuBusyCycles);
      json.attribute("weight_loads", c.weightLoads);
      json.attribute("dma_transfers", c.dmaTransfers);
      json.attribute("hbm_channel_bytes", c.hbmChannelBytes);
      json.attribute("local_bytes", c.localBytes);
      if (c.remoteBytes) json.attribute("remote_bytes", c.remoteBytes);
      json.attribute("kernels", c.kernels);
      json.attribute("launches", c.launches);
      json.attributeObject("stall_cycles", [&] {
        for (int i = 0; i < timing::kNumStalls; ++i)
          json.attribute(timing::stallName(static_cast<timing::Stall>(i)), c.stalls[i]);
      });
    });
  }
  if (!run) return;
  json.attributeObject("run", [&] { sharedJson(json, *run); });
  if (timed.ok) json.attribute("same", *run == shared(timed.counters));
}

}  // namespace tpuc::report
