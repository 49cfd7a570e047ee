// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the compiler knows about a program on a target: whether it fits, how long it takes, and what bounds it.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/report/ledger.h"
#include "compiler/report/sharding.h"
#include "runtime/isa/executable.h"
#include "runtime/target/target.h"
#include "runtime/timing/timing.h"

namespace tpuc::report {

inline constexpr int kSchemaVersion = 1;  // of the JSON: raised when a field changes its meaning or goes

struct Kernel {
  std::string name, kind, location;
  int64_t calls = 0, cycles = 0;
  double flops = 0,
         int8Flops =
             0;  // of all calls: operations of the program's own products, 2 a multiply-add; of 8-bit integers apart
  double logicalBytes = 0, paddedBytes = 0, vmemBytes = 0;
  bool scalarLoop = false;
  bool isAlone = false;  // of several cores the program's runs all steps
};

// An array that stays in VMEM between kernels.
struct OnChip {
  std::string array, maker, lastReader;
  double bytes = 0;
};

// A loop of known trip count, and how often it is reached each time the loop around it goes round.
struct Loop {
  std::string location;
  int64_t iterations = 0;
};

// Time outside of kernels: what loops carry is copied, a predicate fetched.
struct Copy {
  std::string location;
  int64_t times = 0, cycles = 0;
};

// What a chip sends in the collectives of one line.
struct Collective {
  std::string kind, groups, location;
  int64_t times = 0;
  double bytes = 0;  // of all times; at most: of a permute some chips may have nobody to send to
};

// One entry of several, or of a program of open sizes.
struct Bucket {
  struct Time {
    std::string sizes;   // "b=128, s=512"
    double seconds = 0;  // 0: that depends on data
  };
  std::vector<Time> times;  // at the largest sizes that it holds, then at smaller ones, the smallest last
};

struct Report {
  std::string program, target;
  int64_t cycles = 0;
  double seconds = 0;
  double flops = 0, int8Flops = 0;          // of the program's own products
  double peakFlops = 0, peakInt8Flops = 0;  // the device's, a second
  double mfu() const { return seconds > 0 ? leastSeconds(flops, int8Flops) / seconds : 0; }
  // At the peak of each type; all at that of bf16 where a device has none for integers.
  double leastSeconds(double flops, double int8Flops) const {
    double int8 = peakInt8Flops > 0 ? peakInt8Flops : peakFlops;
    return (peakFlops > 0 ? flops / peakFlops : 0) + (int8 > 0 ? int8Flops / int8 : 0);
  }
  // Share of the time that each resource was in use, fullest first.
  std::vector<std::pair<std::string, double>> use;
  std::string boundBy, why;
  double logicalBytes = 0, paddedBytes = 0;  // over all calls of kernels
  double hbmPeakBytes = 0, hbmBytes = 0, vmemPeakBytes = 0, vmemBytes = 0;
  double sharedVmemBytes = 0;  // of vmemPeakBytes: arrays that stay there between kernels
  std::vector<OnChip> onChip;  // largest first
  double argumentBytes = 0, resultBytes = 0, constantBytes = 0, arenaBytes = 0;
  std::vector<Kernel> kernels;  // longest first
  int64_t launchCycles = 0;     // before kernels, to start them
  std::vector<Copy> copies;     // longest first
  int64_t controlCycles = 0;    // the rest: kernels, launches, copies and this are the step
  int64_t cores = 1;
  // The share of a core's cycles in which it waits for this. In launches only the program's core waits.
  double waitShare(timing::Stall stall) const;
  bool sharesLoops = false;             // cores share loops: control has their waits for one another
  std::vector<Loop> loops;              // in program order
  int devices = 1, partitions = 1;      // that run it together
  std::vector<Collective> collectives;  // most bytes first
  std::vector<Bucket> buckets;  // of a program of open sizes, the smallest first; the rest is of the one that was timed
  Ledger ledger;
  std::string at;                    // true sizes that were timed; empty: the largest
  std::vector<std::string> assumed;  // lines whose indices the time takes to be in range
  timing::TimingResult timed;
  std::optional<Sharding> sharding;  // where it was asked for
};

// True sizes within a bucket: `largest` is the entry's time at the largest that it holds.
struct TrueSizes {
  isa::Extents extents;
  timing::TimingResult largest;
};
// `timed`, which is of entry `entry` at `sizes`, or at the largest where they are null, is ok.
Report makeReport(const isa::Executable &exe, const target::Target &target, const timing::TimingResult &timed,
                  const std::string &program, int entry = 0, const TrueSizes *sizes = nullptr);

// What the cycles of Report::controlCycles are.
const char *controlText(const Report &report);
// One screen; `kernels`: how many of the longest.
std::string reportText(const Report &report, int kernels);
std::string reportJson(const Report &report);
// A page that stands alone, every kernel on it.
std::string reportHtml(const Report &report);
// For a program that was refused: the same shape, `fits` false where that was why.
std::string refusedJson(const std::string &program, const std::string &target, const std::string &code,
                        const std::string &diagnostics);

}  // namespace tpuc::report
