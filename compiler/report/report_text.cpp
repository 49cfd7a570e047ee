// The report as one screen of text.
#include <algorithm>

#include "compiler/report/report.h"
#include "compiler/report/units.h"
#include "runtime/isa/printable.h"

namespace tpuc::report {
namespace {

std::string row(const std::string &name, const std::string &value) {
  return name + std::string(name.size() < 16 ? 16 - name.size() : 1, ' ') + isa::printable(value) + "\n";
}

std::string pad(const std::string &text, size_t width) { return text + std::string(text.size() < width ? width - text.size() : 0, ' '); }
std::string padLeft(const std::string &text, size_t width) { return std::string(text.size() < width ? width - text.size() : 0, ' ') + text; }

std::string kernelRow(const Report &r, const Kernel &k) {
  const double seconds = r.cycles ? r.seconds * static_cast<double>(k.cycles) / static_cast<double>(r.cycles) : 0;
  std::string out = "  " + padLeft(report::seconds(seconds), 9) + padLeft(percent(static_cast<double>(k.cycles), static_cast<double>(r.cycles)), 8);
  out += padLeft(k.flops ? percent(k.flops, seconds * r.peakFlops) : "-", 8);
  out += padLeft(percent(k.paddedBytes - k.logicalBytes, k.paddedBytes), 8) + padLeft(std::to_string(k.calls), 7) + "  ";
  out += pad(k.name, 5) + " " + pad(k.kind + (k.scalarLoop ? " *" : ""), 9) + " " + k.location;
  return isa::printable(out) + "\n";
}

// The largest arrays that never see HBM.
std::string onChip(const Report &r) {
  std::string out;
  size_t shown = std::min<size_t>(3, r.onChip.size());
  for (size_t i = 0; i < shown; ++i) {
    const OnChip &a = r.onChip[i];
    out += (i ? ", " : "") + a.array + " " + bytes(a.bytes) + " (" + a.maker + " to " + a.lastReader + ")";
  }
  return out + (shown < r.onChip.size() ? ", and " + std::to_string(r.onChip.size() - shown) + " more" : "");
}

}  // namespace

std::string reportText(const Report &r, int kernels) {
  std::string out = row("program", r.program) + row("target", r.target);
  out += row("fits", std::string(r.hbmPeakBytes <= r.hbmBytes && r.vmemPeakBytes <= r.vmemBytes ? "yes" : "no"));
  out += row("step time", seconds(r.seconds) + ", " + thousands(r.cycles) + " cycles");
  out += row("MFU", percent(r.mfu(), 1) + " (useful operations of matmuls and convolutions, 2 a multiply-add, " + count(r.flops) +
                        "FLOP, over the bf16 peak of " + fixed(r.peakFlops / 1e12, 0) + " TFLOP/s)");
  out += row("bound by", r.boundBy + (r.why.empty() ? "" : ": " + r.why));
  std::string use;
  for (size_t i = 0; i < std::min<size_t>(4, r.use.size()); ++i) use += (i ? ", " : "") + r.use[i].first + " " + percent(r.use[i].second, 1);
  out += row("in use", use);
  out += row("padding waste", percent(r.paddedBytes - r.logicalBytes, r.paddedBytes) + " of " + bytes(r.paddedBytes) + " that kernels read and write");
  out += row("HBM peak", bytes(r.hbmPeakBytes) + " of " + bytes(r.hbmBytes) + " (arguments " + bytes(r.argumentBytes) + ", results " +
                             bytes(r.resultBytes) + ", constants " + bytes(r.constantBytes) + ", temporaries " + bytes(r.arenaBytes) + ")");
  out += row("VMEM peak", bytes(r.vmemPeakBytes) + " of " + bytes(r.vmemBytes) + " a core" +
                              (r.onChip.empty() ? "" : ", " + bytes(r.sharedVmemBytes) + " of it arrays between kernels"));
  if (!r.onChip.empty()) out += row("stays on chip", onChip(r));
  std::vector<std::string> scalar;
  for (const Kernel &k : r.kernels)
    if (k.scalarLoop) scalar.push_back(k.name);
  if (!scalar.empty()) {
    std::string names;
    for (const std::string &name : scalar) names += (names.empty() ? "" : ", ") + name;
    out += row("scalar loops", names + " (marked *): they move one element at a time");
  }
  const size_t shown = std::min<size_t>(kernels < 0 ? r.kernels.size() : kernels, r.kernels.size());
  out += "\n  " + padLeft("time", 9) + padLeft("share", 8) + padLeft("MFU", 8) + padLeft("padding", 8) + padLeft("calls", 7) + "  kernel, kind, source line" +
         (shown < r.kernels.size() ? " (the " + std::to_string(shown) + " longest of " + std::to_string(r.kernels.size()) + ")" : "") + "\n";
  for (size_t i = 0; i < shown; ++i) out += kernelRow(r, r.kernels[i]);
  return out;
}

}  // namespace tpuc::report
