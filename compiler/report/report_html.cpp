// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report as a page that stands alone: no scripts, no files beside it.
#include <algorithm>

#include "compiler/report/report.h"
#include "compiler/report/units.h"

namespace tpuc::report {
namespace {

constexpr char kStyle[] = R"(
:root { color-scheme: light dark; --line: #8884; --bar: #3b7dd8; --waste: #d8893b; }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 68rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin-bottom: .2rem; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; margin-top: 2rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .8rem; margin-top: 1.2rem; }
.fact { border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .8rem; }
.fact b { display: block; font-size: 1.25rem; } .fact small { opacity: .75; }
table { border-collapse: collapse; width: 100%; }
td, th { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid var(--line); }
td.text, th.text { text-align: left; overflow-wrap: anywhere; }
.bar { height: .6rem; background: var(--bar); border-radius: .2rem; min-width: 1px; }
td.wide { width: 40%; } td.share { width: 14%; } p.note { opacity: .75; margin: .2rem 0 .5rem; font-size: .85rem; }
)";

std::string escaped(const std::string &text) {
  std::string out;
  for (char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string fact(const std::string &name, const std::string &value, const std::string &note) {
  return "<div class=\"fact\"><small>" + escaped(name) + "</small><b>" + escaped(value) + "</b><small>" +
         escaped(note) + "</small></div>\n";
}

std::string bar(double share) {
  return "<div class=\"bar\" style=\"width:" + fixed(100 * std::min(1.0, std::max(0.0, share)), 1) + "%\"></div>";
}

std::string kernelRow(const Report &r, const Kernel &k) {
  const double share = r.cycles ? static_cast<double>(k.cycles) / static_cast<double>(r.cycles) : 0,
               time = r.seconds * share;
  std::string out = "<tr><td class=\"text\">" + escaped(k.name) + "</td><td class=\"text\">" + escaped(k.kind) +
                    (k.scalarLoop ? " (scalar loop)" : "") + "</td><td class=\"text\">" + escaped(k.location) +
                    "</td><td>" + std::to_string(k.calls) + "</td><td>" + seconds(time) + "</td><td>";
  out += percent(share, 1) + "</td><td class=\"share\">" + bar(share) + "</td><td>" +
         (k.flops + k.int8Flops > 0 ? percent(r.leastSeconds(k.flops, k.int8Flops), time) : "-") + "</td><td>" +
         percent(k.paddedBytes - k.logicalBytes, k.paddedBytes) + "</td></tr>\n";
  return out;
}

std::string section(const std::string &title, const std::string &note, const std::string &rows) {
  return "<h2>" + title + "</h2>\n<p class=\"note\">" + note + "</p>\n<table>\n" + rows + "</table>\n";
}

std::string shareRow(const std::string &name, double share) {
  return "<tr><td class=\"text\">" + escaped(name) + "</td><td>" + percent(share, 1) + "</td><td class=\"wide\">" +
         bar(share) + "</td></tr>\n";
}

std::string facts(const Report &r) {
  std::string out = fact("step time", seconds(r.seconds), thousands(r.cycles) + " cycles");
  out += fact("MFU", percent(r.mfu(), 1),
              count(r.flops + r.int8Flops) +
                  "FLOP of the program's own products, 2 a multiply-add, over the peak of their type");
  out += fact("bound by", r.boundBy, r.why);
  out += fact("padding waste", percent(r.paddedBytes - r.logicalBytes, r.paddedBytes),
              "of " + bytes(r.paddedBytes) + " that kernels read and write");
  out += fact("HBM peak", bytes(r.hbmPeakBytes),
              "of " + bytes(r.hbmBytes) + (r.hbmPeakBytes <= r.hbmBytes ? ": fits" : ": does not fit") +
                  "; arguments " + bytes(r.argumentBytes) + ", results " + bytes(r.resultBytes) + ", constants " +
                  bytes(r.constantBytes) + ", temporaries " + bytes(r.arenaBytes));
  out += fact("VMEM peak", bytes(r.vmemPeakBytes),
              "of " + bytes(r.vmemBytes) + " a core" +
                  (r.sharedVmemBytes > 0 ? "; " + bytes(r.sharedVmemBytes) + " of it arrays between kernels" : ""));
  if (r.timed.counters.hostCalls)
    out += fact("host callbacks", std::to_string(r.timed.counters.hostCalls), "not timed");
  return "<div class=\"facts\">\n" + out + "</div>\n";
}

std::string useRows(const Report &r) {
  std::string out;
  for (const auto &[name, share] : r.use) out += shareRow(name, share);
  return out;
}

std::string stallRows(const Report &r) {
  std::string out;
  for (int i = 0; i < timing::kNumStalls; ++i) {
    const double share = r.cycles ? static_cast<double>(r.timed.counters.stalls[i]) / static_cast<double>(r.cycles) : 0;
    if (share >= 0.001) out += shareRow(timing::stallName(static_cast<timing::Stall>(i)), share);
  }
  return out;
}

std::string onChipRows(const Report &r) {
  std::string out =
      "<tr><th class=\"text\">array</th><th>bytes</th><th class=\"text\">made by</th><th class=\"text\">last read "
      "by</th></tr>\n";
  for (const OnChip &a : r.onChip)
    out += "<tr><td class=\"text\">" + escaped(a.array) + "</td><td>" + bytes(a.bytes) + "</td><td class=\"text\">" +
           escaped(a.maker) + "</td><td class=\"text\">" + escaped(a.lastReader) + "</td></tr>\n";
  return out;
}

std::string restRow(const Report &r, const std::string &what, const std::string &location, int64_t times,
                    int64_t cycles) {
  const double share = r.cycles ? static_cast<double>(cycles) / static_cast<double>(r.cycles) : 0;
  return "<tr><td class=\"text\" colspan=\"2\">" + what + "</td><td class=\"text\">" + escaped(location) + "</td><td>" +
         (times ? std::to_string(times) : "-") + "</td><td>" + seconds(r.seconds * share) + "</td><td>" +
         percent(share, 1) + "</td><td class=\"share\">" + bar(share) + "</td><td>-</td><td>-</td></tr>\n";
}

std::string kernelRows(const Report &r) {
  std::string out =
      "<tr><th class=\"text\">kernel</th><th class=\"text\">kind</th><th class=\"text\">source "
      "line</th><th>calls</th><th>time</th>"
      "<th colspan=\"2\">share</th><th>MFU</th><th>padding</th></tr>\n";
  for (const Kernel &k : r.kernels) out += kernelRow(r, k);
  for (const Copy &c : r.copies)
    out += restRow(r, "copies and predicates of loops and branches", c.location, c.times, c.cycles);
  return out + restRow(r, "the scalar unit's own control", "", 0, r.controlCycles);
}

}  // namespace

std::string reportHtml(const Report &r) {
  std::string out =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>" +
      escaped(r.program) + " on " + escaped(r.target) + "</title>\n<style>" + kStyle + "</style></head><body>\n";
  out += "<h1>" + escaped(r.program) + "</h1>\n<div>on " + escaped(r.target) + "</div>\n" + facts(r);
  out +=
      section("In use", "Share of the step's time that each unit was busy; units work at the same time.", useRows(r));
  out += section("Waiting", "Share of the step's cycles in which no bundle was issued, by what it waited for.",
                 stallRows(r));
  out += section("Kernels, longest first, and what is none",
                 "MFU: of the kernel's own time; padding: share of the bytes that it reads and writes.", kernelRows(r));
  if (!r.onChip.empty())
    out +=
        section("Stays on chip", "Arrays in VMEM from the kernel that makes them to their last reader.", onChipRows(r));
  return out + "</body></html>\n";
}

}  // namespace tpuc::report
