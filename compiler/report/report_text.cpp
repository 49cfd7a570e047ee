// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

std::string pad(const std::string &text, size_t width) {
  return text + std::string(text.size() < width ? width - text.size() : 0, ' ');
}
std::string padLeft(const std::string &text, size_t width) {
  return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}

std::string kernelRow(const Report &r, const Kernel &k) {
  const double seconds = r.cycles ? r.seconds * static_cast<double>(k.cycles) / static_cast<double>(r.cycles) : 0;
  std::string out = "  " + padLeft(report::seconds(seconds), 9) +
                    padLeft(percent(static_cast<double>(k.cycles), static_cast<double>(r.cycles)), 8);
  out += padLeft(k.flops + k.int8Flops > 0 ? percent(r.leastSeconds(k.flops, k.int8Flops), seconds) : "-", 8);
  out +=
      padLeft(percent(k.paddedBytes - k.logicalBytes, k.paddedBytes), 8) + padLeft(std::to_string(k.calls), 7) + "  ";
  out += pad(k.name, 5) + " " + pad(k.kind + (k.scalarLoop ? " *" : ""), 9) + " " + k.location;
  return isa::printable(out) + "\n";
}

constexpr char kLaunches[] = "no kernel: launches, of a kernel or of several that follow one another";

// Rows for the step's time outside of the kernels that are listed: with these rows the table has all of it.
std::string restRows(const Report &r, size_t shown) {
  auto line = [&](int64_t cycles, int64_t times, const std::string &what) {
    const double share = r.cycles ? static_cast<double>(cycles) / static_cast<double>(r.cycles) : 0;
    return "  " + padLeft(seconds(r.seconds * share), 9) + padLeft(percent(share, 1), 8) + padLeft("-", 8) +
           padLeft("-", 8) + padLeft(times ? std::to_string(times) : "-", 7) + "  " + what + "\n";
  };
  std::string out;
  int64_t cycles = 0, calls = 0, copied = 0, copies = 0;
  for (size_t i = shown; i < r.kernels.size(); ++i) cycles += r.kernels[i].cycles, calls += r.kernels[i].calls;
  if (cycles) out += line(cycles, calls, "the other kernels");
  if (r.launchCycles) out += line(r.launchCycles, r.timed.counters.launches, kLaunches);
  for (size_t i = 0; i < r.copies.size(); ++i) {
    const Copy &c = r.copies[i];
    if (i < 3)
      out +=
          line(c.cycles, c.times,
               "no kernel: copies, predicates and waits for fetches" + (c.location.empty() ? "" : ", " + c.location));
    else
      copied += c.cycles, copies += c.times;
  }
  if (copied) out += line(copied, copies, "no kernel: copies, predicates and waits elsewhere");
  return out + line(r.controlCycles, 0, std::string("no kernel: ") + controlText(r));
}

std::string mfuNote(const Report &r) {
  std::string out = "the program's own products, 2 a multiply-add: ";
  if (r.flops > 0 || r.int8Flops == 0)
    out += count(r.flops) + "FLOP over the bf16 peak of " + fixed(r.peakFlops / 1e12, 0) + " TFLOP/s";
  if (r.int8Flops > 0)
    out += (r.flops > 0 ? ", " : "") + count(r.int8Flops) + "OP of int8 over " +
           fixed((r.peakInt8Flops > 0 ? r.peakInt8Flops : r.peakFlops) / 1e12, 0) + " TOP/s";
  return out;
}

std::string joined(const std::vector<std::string> &parts, size_t most) {
  std::string out;
  for (size_t i = 0; i < std::min(most, parts.size()); ++i) out += (i ? ", " : "") + parts[i];
  return out + (parts.size() > most ? " and " + std::to_string(parts.size() - most) + " more" : "");
}

std::string loopsText(const Report &r) {
  std::vector<std::string> parts;
  for (const Loop &loop : r.loops)
    parts.push_back(std::to_string(loop.iterations) + " iterations" +
                    (loop.location.empty() ? "" : " of " + loop.location));
  return joined(parts, 4);
}

std::string bucketsText(const Report &r) {
  std::vector<std::string> parts;
  for (const Bucket &bucket : r.buckets) {
    std::string part;
    for (size_t i = 0; i < bucket.times.size(); ++i) {
      const auto &[sizes, time] = bucket.times[i];
      const std::string text = sizes + ": " + (time > 0 ? seconds(time) : "depends on data");
      if (i && (time <= 0 || time >= bucket.times[0].seconds)) continue;
      part += (i == 0 ? "" : part.find(" (") == std::string::npos ? " (" : ", ") + text;
    }
    parts.push_back(part + (part.find(" (") == std::string::npos ? "" : ")"));
  }
  return joined(parts, 12) + (parts.size() > 1 && r.at.empty() ? "; the rest is of the largest" : "");
}

// The bytes that move, the padding among them, and the arrays that waste most.
std::string ledgerText(const Report &r) {
  constexpr size_t kShown = 3;
  constexpr double kWorthSaying = 0.01;  // of all bytes moved
  const Ledger &l = r.ledger;
  auto asBytes = [](int64_t n) { return bytes(static_cast<double>(n)); };
  auto share = [&](int64_t n) { return percent(static_cast<double>(n), static_cast<double>(l.moved.total())); };
  std::string out = row("HBM traffic", asBytes(l.moved.total()) + ": " + asBytes(l.moved.logical) +
                                           " of the program, " + share(l.moved.bucketing) + " to fill buckets up, " +
                                           share(l.moved.alignment) + " to fill tiles up");
  size_t shown = 0;
  for (const LedgerArray &a : l.arrays) {
    const auto least = static_cast<int64_t>(kWorthSaying * static_cast<double>(l.moved.total()));
    if (shown == kShown || a.moved.waste() <= least) break;
    ++shown;
    out += row("", share(a.moved.waste()) + " is padding of " + a.name + " " + a.type +
                       (a.advice.empty() ? "" : ": " + a.advice) + (a.location.empty() ? "" : "  " + a.location));
  }
  return out;
}

std::string devicesText(const Report &r) {
  const int replicas = r.devices / r.partitions;
  return std::to_string(r.devices) +
         (replicas > 1
              ? ": " + std::to_string(replicas) + " replicas of " + std::to_string(r.partitions) + " partitions"
              : "") +
         "; all figures are one chip's, and its waits for others take no time";
}

// Bytes by kind, then each line's.
std::string collectivesText(const Report &r) {
  constexpr size_t kShown = 8;
  double sum = 0;
  for (const Collective &c : r.collectives) sum += c.bytes;
  std::string out = row("sends", bytes(sum) +
                                     " to other chips, at the rate of all of its links; the way through the "
                                     "torus is not timed");
  for (size_t i = 0; i < std::min(kShown, r.collectives.size()); ++i) {
    const Collective &c = r.collectives[i];
    out += row("", c.kind + " " + c.groups + "  " + std::to_string(c.times) + (c.times == 1 ? " time, " : " times, ") +
                       bytes(c.bytes) + (c.location.empty() ? "" : "  " + c.location));
  }
  if (r.collectives.size() > kShown) out += row("", "and " + std::to_string(r.collectives.size() - kShown) + " more");
  return out;
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

// Kernels of one core where there are several, and their share of the time.
std::string oneCore(const Report &r) {
  int64_t alone = 0, cycles = 0;
  for (const Kernel &k : r.kernels) {
    alone += k.isAlone;
    cycles += k.isAlone ? k.cycles : 0;
  }
  if (!alone) return "";
  return row("one core", std::to_string(alone) + " of " + std::to_string(r.kernels.size()) + " kernels, " +
                             percent(static_cast<double>(cycles), static_cast<double>(r.cycles)) +
                             " of the time: short ones, so that arrays stay in its VMEM; others wait");
}

}  // namespace

std::string reportText(const Report &r, int kernels) {
  std::string out = row("program", r.program) + row("target", r.target);
  out += row("fits", std::string(r.hbmPeakBytes <= r.hbmBytes && r.vmemPeakBytes <= r.vmemBytes ? "yes" : "no"));
  out += row("step time", seconds(r.seconds) + ", " + thousands(r.cycles) + " cycles");
  if (!r.at.empty()) out += row("at", r.at + ", true sizes; FLOPs and padding waste are of the largest");
  if (r.devices > 1) out += row("devices", devicesText(r));
  if (!r.collectives.empty()) out += collectivesText(r);
  if (!r.buckets.empty()) out += row("time by size", bucketsText(r));
  if (!r.loops.empty()) out += row("loops", loopsText(r));
  if (r.timed.counters.hostCalls)
    out += row("host callbacks", std::to_string(r.timed.counters.hostCalls) + ", not timed");
  if (!r.assumed.empty())
    out += row("assumed", "indices in range where data decides, which takes longest: " + joined(r.assumed, 4));
  out += row("MFU", percent(r.mfu(), 1) + " (" + mfuNote(r) + ")");
  out += row("bound by", r.boundBy + (r.why.empty() ? "" : ": " + r.why));
  std::string use;
  for (size_t i = 0; i < std::min<size_t>(4, r.use.size()); ++i)
    use += (i ? ", " : "") + r.use[i].first + " " + percent(r.use[i].second, 1);
  out += row("in use", use);
  out += row("padding waste", percent(r.paddedBytes - r.logicalBytes, r.paddedBytes) + " of " + bytes(r.paddedBytes) +
                                  " that kernels read and write");
  out += row("HBM peak", bytes(r.hbmPeakBytes) + " of " + bytes(r.hbmBytes) + " (arguments " + bytes(r.argumentBytes) +
                             ", results " + bytes(r.resultBytes) + ", constants " + bytes(r.constantBytes) +
                             ", temporaries " + bytes(r.arenaBytes) + ")");
  out +=
      row("VMEM peak", bytes(r.vmemPeakBytes) + " of " + bytes(r.vmemBytes) + " a core" +
                           (r.onChip.empty() ? "" : ", " + bytes(r.sharedVmemBytes) + " of it arrays between kernels"));
  if (!r.onChip.empty()) out += row("stays on chip", onChip(r));
  out += oneCore(r);
  out += ledgerText(r);
  std::vector<std::string> scalar;
  for (const Kernel &k : r.kernels)
    if (k.scalarLoop) scalar.push_back(k.name);
  if (!scalar.empty()) {
    std::string names;
    for (const std::string &name : scalar) names += (names.empty() ? "" : ", ") + name;
    out += row("scalar loops", names + " (marked *): they move one element at a time");
  }
  const size_t shown = std::min<size_t>(kernels < 0 ? r.kernels.size() : kernels, r.kernels.size());
  out += "\n  " + padLeft("time", 9) + padLeft("share", 8) + padLeft("MFU", 8) + padLeft("padding", 8) +
         padLeft("calls", 7) + "  kernel, kind, source line" +
         (shown < r.kernels.size()
              ? " (the " + std::to_string(shown) + " longest of " + std::to_string(r.kernels.size()) + ")"
              : "") +
         "\n";
  for (size_t i = 0; i < shown; ++i) out += kernelRow(r, r.kernels[i]);
  out += restRows(r, shown);
  if (r.sharding) out += shardingText(*r.sharding);
  return out;
}

}  // namespace tpuc::report
