// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report as a page that stands alone: no scripts, no files beside it. Its form is page.html, a Mustache template.
#include <algorithm>

#include "compiler/report/page.h"
#include "compiler/report/report.h"
#include "compiler/report/units.h"
#include "llvm/Support/Mustache.h"

namespace tpuc::report {
namespace {

using llvm::json::Array;
using llvm::json::Object;

std::string utf8(const std::string &text) { return llvm::json::fixUTF8(text); }

double shareOf(const Report &r, int64_t cycles) {
  return r.cycles ? static_cast<double>(cycles) / static_cast<double>(r.cycles) : 0;
}

std::string width(double share) { return fixed(100 * std::clamp(share, 0.0, 1.0), 1); }

Object shareRow(const std::string &name, double share) {
  return Object{{"name", utf8(name)}, {"share", percent(share, 1)}, {"width", width(share)}};
}

Array facts(const Report &r) {
  Array all;
  auto add = [&](const char *name, const std::string &value, const std::string &note) {
    all.push_back(Object{{"name", name}, {"value", utf8(value)}, {"note", utf8(note)}});
  };
  add("step time", seconds(r.seconds), thousands(r.cycles) + " cycles");
  add("MFU", percent(r.mfu(), 1),
      count(r.flops + r.int8Flops) +
          "FLOP of the program's own products, 2 a multiply-add, over the peak of their type");
  add("bound by", r.boundBy, r.why);
  add("padding waste", percent(r.paddedBytes - r.logicalBytes, r.paddedBytes),
      "of " + bytes(r.paddedBytes) + " that kernels read and write");
  add("HBM peak", bytes(r.hbmPeakBytes),
      "of " + bytes(r.hbmBytes) + (r.hbmPeakBytes <= r.hbmBytes ? ": fits" : ": does not fit") + "; arguments " +
          bytes(r.argumentBytes) + ", results " + bytes(r.resultBytes) + ", constants " + bytes(r.constantBytes) +
          ", temporaries " + bytes(r.arenaBytes));
  add("VMEM peak", bytes(r.vmemPeakBytes),
      "of " + bytes(r.vmemBytes) + " a core" +
          (r.sharedVmemBytes > 0 ? "; " + bytes(r.sharedVmemBytes) + " of it arrays between kernels" : ""));
  if (r.timed.counters.hostCalls) add("host callbacks", std::to_string(r.timed.counters.hostCalls), "not timed");
  return all;
}

Array shares(const Report &r) {
  Array use, stalls;
  for (const auto &[name, share] : r.use) use.push_back(shareRow(name, share));
  for (int i = 0; i < timing::kNumStalls; ++i) {
    const auto stall = static_cast<timing::Stall>(i);
    if (const double share = r.waitShare(stall); share >= 0.001)
      stalls.push_back(shareRow(timing::stallName(stall), share));
  }
  return Array{Object{{"title", "In use"},
                      {"note", "Share of the step's time that each unit was busy; units work at the same time."},
                      {"rows", std::move(use)}},
               Object{{"title", "Waiting"},
                      {"note", "Share of the cores' cycles in which no bundle was issued, by what it waited for."},
                      {"rows", std::move(stalls)}}};
}

Object kernelRow(const Report &r, const Kernel &k) {
  const double share = shareOf(r, k.cycles), time = r.seconds * share;
  Object row = shareRow(k.name, share);
  row["kind"] = utf8(k.kind + (k.scalarLoop ? " (scalar loop)" : "") + (k.isAlone ? " (one core)" : ""));
  row["location"] = utf8(k.location);
  row["calls"] = std::to_string(k.calls);
  row["time"] = seconds(time);
  row["mfu"] = k.flops + k.int8Flops > 0 ? percent(r.leastSeconds(k.flops, k.int8Flops), time) : "-";
  row["padding"] = percent(k.paddedBytes - k.logicalBytes, k.paddedBytes);
  return row;
}

Object otherRow(const Report &r, const char *name, const std::string &location, int64_t times, int64_t cycles) {
  Object row = shareRow(name, shareOf(r, cycles));
  row["location"] = utf8(location);
  row["calls"] = times ? std::to_string(times) : "-";
  row["time"] = seconds(r.seconds * shareOf(r, cycles));
  return row;
}

Array others(const Report &r) {
  Array all;
  for (const Copy &c : r.copies)
    all.push_back(otherRow(r, "copies, predicates and waits for fetches", c.location, c.times, c.cycles));
  if (r.launchCycles)
    all.push_back(otherRow(r, "launches, of a kernel or of several that follow one another", "",
                           r.timed.counters.launches, r.launchCycles));
  all.push_back(otherRow(r, controlText(r), "", 0, r.controlCycles));
  return all;
}

// An empty list leaves the section out.
Array onChip(const Report &r) {
  Array arrays;
  for (const OnChip &a : r.onChip)
    arrays.push_back(Object{{"array", utf8(a.array)},
                            {"bytes", bytes(a.bytes)},
                            {"maker", utf8(a.maker)},
                            {"lastReader", utf8(a.lastReader)}});
  if (arrays.empty()) return {};
  return Array{Object{{"arrays", std::move(arrays)}}};
}

// Arrays and kernels by what they move and waste.
Array ledger(const Report &r) {
  constexpr size_t kShown = 20;
  Array arrays, kernels;
  auto asBytes = [](int64_t n) { return bytes(static_cast<double>(n)); };
  auto row = [&](const std::string &name, const std::string &location, const Split &moved) {
    return Object{{"name", utf8(name)},
                  {"location", utf8(location)},
                  {"moved", asBytes(moved.total())},
                  {"logical", asBytes(moved.logical)},
                  {"bucketing", asBytes(moved.bucketing)},
                  {"alignment", asBytes(moved.alignment)}};
  };
  for (const LedgerArray &a : r.ledger.arrays) {
    if (arrays.size() == kShown) break;
    arrays.push_back(row(a.name, a.location, a.moved));
    Object &made = *arrays.back().getAsObject();
    made["type"] = utf8(a.type);
    made["stored"] = asBytes(a.stored.total());
    made["advice"] = a.advice;
  }
  for (const LedgerKernel &k : r.ledger.kernels) {
    if (kernels.size() == kShown) break;
    kernels.push_back(row(k.name.empty() ? "no kernel" : k.name, k.location, k.moved));
    Object &made = *kernels.back().getAsObject();
    made["flops"] = k.flops > 0 ? count(k.flops) : "-";
    made["machineFlops"] = k.machineFlops > 0 ? count(k.machineFlops) : "-";
  }
  if (arrays.empty()) return {};
  return Array{Object{{"arrays", std::move(arrays)}, {"kernels", std::move(kernels)}}};
}

// Arrays with the paths of their axes, then conflicts and gathers.
Array sharding(const Report &r) {
  if (!r.sharding) return {};
  const Sharding &own = *r.sharding;
  Array arrays, notes;
  auto add = [&](const ShardedArray &array) {
    std::string ways;
    for (const ShardedAxis &axis : array.axes)
      if (axis.now)
        ways += (ways.empty() ? "" : "; ") + ("\"" + axis.axis + "\" along dimension " + std::to_string(axis.dim)) +
                ", " + axis.way;
    arrays.push_back(Object{{"name", utf8(array.name)},
                            {"location", utf8(array.line)},
                            {"type", utf8(array.type)},
                            {"sharding", utf8(array.sharding.empty() ? "whole" : array.sharding)},
                            {"ways", utf8(ways)}});
  };
  if (own.asked.empty())
    for (const ShardedArray &array : own.arrays) add(array);
  for (int i : own.asked) add(own.arrays[i]);
  for (const auto &[kind, all] : {std::pair("conflict", &own.conflicts), std::pair("gather", &own.gathers)})
    for (const ShardingNote &note : *all)
      notes.push_back(Object{{"kind", kind}, {"text", utf8(note.text)}, {"location", utf8(note.line)}});
  return Array{Object{{"arrays", std::move(arrays)}, {"notes", std::move(notes)}}};
}

}  // namespace

std::string reportHtml(const Report &r) {
  Array kernels;
  for (const Kernel &k : r.kernels) kernels.push_back(kernelRow(r, k));
  const llvm::json::Value page =
      Object{{"program", utf8(r.program)}, {"target", utf8(r.target)},      {"facts", facts(r)},
             {"shares", shares(r)},        {"kernels", std::move(kernels)}, {"others", others(r)},
             {"onChip", onChip(r)},        {"ledger", ledger(r)},           {"sharding", sharding(r)}};
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::mustache::MustacheContext context(allocator, saver);
  llvm::mustache::Template form(kPage, context);
  std::string text;
  llvm::raw_string_ostream os(text);
  form.render(page, os);
  return text;
}

}  // namespace tpuc::report
