// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many cycles a program takes on a target: the walk over its instruction stream, without tensor data.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/isa/executable.h"
#include "runtime/target/target.h"
#include "runtime/timing/control_trace.h"

namespace tpuc::timing {

// Why a bundle could not issue in the cycle after the one before it. The first six wait for an operand.
enum class Stall : uint8_t {
  Scalar,
  Load,
  Vector,
  Eup,
  Xlu,
  MxuResult,
  EupBusy,
  XluBusy,
  MxuBusy,
  MxuWeight,
  Dma,
  Branch,
  Launch,
  Join,
  kCount
};
inline constexpr int kNumStalls = static_cast<int>(Stall::kCount);
const char *stallName(Stall cause);

inline constexpr int kNumUnits = 11;  // of isa::Unit

// Everything that a run counts; sums over all cores except where it says otherwise.
struct Counters {
  int64_t bundles = 0;
  std::array<int64_t, kNumUnits> issues{};   // by isa::Unit
  std::array<int64_t, kNumStalls> stalls{};  // cycles by cause
  int64_t pushesBf16 = 0, pushesInt8 = 0, pushesF32 = 0, weightLoads = 0;
  int64_t mxuBusyCycles = 0;  // cycles that the push ports of all arrays were taken
  int64_t dmaTransfers = 0;
  int64_t hbmReadBytes = 0, hbmWriteBytes = 0;   // as programmed
  int64_t hbmChannelBytes = 0;                   // with short runs rounded up to the granule
  int64_t localBytes = 0;                        // copies that stay in a core
  int64_t remoteTransfers = 0, remoteBytes = 0;  // to other chips
  int64_t chipSignals = 0;                       // given and waited for; the waits take no time
  int64_t kernels = 0;                           // calls of kernels
  int64_t launches = 0;                          // of one kernel, or of several that follow one another
  int64_t hostCalls = 0;                         // what the host does then takes no cycles

  bool operator==(const Counters &) const = default;
};

// One routine's share: `cycles` from its first bundle to its return; what its launch takes comes before.
struct RoutineTime {
  int64_t calls = 0, cycles = 0;
  std::array<int64_t, 3> pushes{};  // of bf16, int8 and f32, in what it calls too
  bool operator==(const RoutineTime &) const = default;
};

// How often a dma.start of the bundle was issued.
struct Transfers {
  uint32_t bundle = 0;
  int32_t descriptor = 0;
  int64_t times = 0;
  bool operator==(const Transfers &) const = default;
};

struct TimingResult {
  bool ok = false;
  std::string error;           // when not ok: a program that cannot run, or that waits forever
  bool dataDependent = false;  // not ok because a branch needs data that no trace gave; `error` says where
  int64_t cycles = 0;
  double seconds = 0;
  Counters counters;
  std::vector<RoutineTime> routines;  // as in the index
  std::map<uint32_t, RoutineTime>
      copies;  // bundles of waits for transfers outside of kernels: how often, and how long they took
  std::vector<Transfers> transfers;  // of dma.starts that were issued, by bundle
  std::vector<uint32_t> assumed;     // branches of kernels on data, at which nothing was left out; sorted
  int64_t bundlesWalked = 0;         // of counters.bundles: the others were added from repeating states
};

// Told of what happens in which cycle; while it is active, nothing is extrapolated.
class TimingObserver {
 public:
  virtual ~TimingObserver() = default;
  virtual bool active() const { return true; }
  virtual void kernel(int routine, int64_t begin, int64_t end) {}
  virtual void dma(int core, int32_t descriptor, int64_t issue, int64_t begin, int64_t end) {}
  virtual void push(int core, int array, int64_t begin, int64_t cycles) {}
};

struct TimingOptions {
  const ControlTrace *trace = nullptr;
  int entry = 0;            // of the executable
  bool extrapolate = true;  // false: walk every bundle
  int64_t maxBundles = int64_t{1} << 40;
  // SMEM's first bytes at the start: device number, true extents; empty: those of the entry's largest sizes.
  std::vector<uint8_t> smem;
  TimingObserver *observer = nullptr;
};

// Sums of counters.
Counters difference(const Counters &a, const Counters &b);
void addScaled(Counters &to, const Counters &delta, int64_t times);

TimingResult timeProgram(const isa::Executable &exe, const target::Target &target, const TimingOptions &options = {});
TimingResult timeProgram(const isa::Executable &exe, const target::Target &target, const ControlTrace *trace);

}  // namespace tpuc::timing
