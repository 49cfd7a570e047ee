// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The walk: control flow of a program over one core's timing at a time, with repeating stretches added instead of
// walked.
//
// A region is an iteration of a counted loop, or a call. What a region does in time is a function of two things: the
// core's state relative to now when it begins, and the values that the scalar unit hands to control, semaphores and
// accumulators in it. Both are hashed. When a region begins in a state that was seen before, only the scalar unit runs
// it; if the values are those of then, so are the cycles, the counters and the state at its end. Else the scalar unit
// goes back and the region is walked. Loops without control and DMA in them are added in closed form (simple_loop.cpp).
#pragma once
#include <map>
#include <memory>
#include <set>
#include <unordered_map>

#include "runtime/timing/core_timing.h"

namespace tpuc::timing {

// A running hash of what the scalar unit hands out; two independent lanes.
struct Signature {
  uint64_t a = 0x9e3779b97f4a7c15ull, b = 0xc2b2ae3d27d4eb4full;
  void add(uint64_t v) {
    a = (a ^ v) * 0xff51afd7ed558ccdull, a ^= a >> 32;
    b = (b + v) * 0xc4ceb9fe1a85ec53ull, b ^= b >> 29;
  }
  void add(const Signature &s) { add(s.a), add(s.b); }
  bool operator==(const Signature &) const = default;
};

class Walk {
 public:
  Walk(const isa::Executable &exe, const DecodedProgram &program, const MachineModel &model,
       const TimingOptions &options);
  TimingResult run();

 private:
  enum class Status { Done, Return, Halt, Error };
  enum class Mode { Time, Scalar };  // Scalar: the scalar unit only

  struct TraceCursor {
    const ControlTrace *trace = nullptr;
    size_t outcome = 0, grid = 0;
  };

  template <Mode mode>
  Status range(uint32_t pc);
  template <Mode mode>
  bool bundle(uint32_t pc);
  template <Mode mode>
  Status loop(const DecodedLoop &loop, int64_t count);
  template <Mode mode>
  Status simpleLoop(const DecodedLoop &loop, int64_t count);
  template <Mode mode>
  bool enter(int routine);
  template <Mode mode>
  Status call(uint32_t target);
  template <Mode mode>
  Status grid(uint32_t target, int64_t steps, bool isAlone);
  template <Mode mode>
  Status signedRange(uint32_t pc);
  bool controlValue(uint32_t pc, const DecodedBundle &d);
  const ControlTrace *coreTrace(const TraceCursor &at, int core) const;
  bool logOperands(const DecodedBundle &d, const DecodedBundle &next);

  bool mayExtrapolate() const { return options_.extrapolate && !(options_.observer && options_.observer->active()); }
  bool walkIteration(const DecodedLoop &loop, bool last);
  int64_t tryJump(const DecodedLoop &loop, const int64_t *slopes, int64_t iteration, int64_t ahead);
  using Pushes = std::array<int64_t, 3>;
  Pushes pushes() const {
    return {result_.counters.pushesBf16, result_.counters.pushesInt8, result_.counters.pushesF32};
  }
  void finishRoutine(int routine, bool kernel, int64_t begin, const Pushes &before);
  // Notes transfers of the op with number `op` in the program.
  void noteTransfers(uint32_t op, int64_t times);
  void collectTransfers();
  // Notes the time of a routine, or of a bundle outside of kernels, whose number n comes as -1 - n.
  void noteTime(int routine, const RoutineTime &time);
  static void logRoutine(std::vector<std::pair<int, RoutineTime>> &log, int routine, const RoutineTime &time);
  Status region(uint32_t id, uint32_t pc);
  Status fail(uint32_t pc, const std::string &why);
  Status tooDeep(uint32_t pc);
  Status dataDependent(uint32_t pc, const std::string &what);

  // What a region that was walked did.
  struct Outcome {
    Signature values;
    Status status;
    int64_t cycles;
    Counters counters;                   // differences
    std::vector<int64_t> before, after;  // states
    std::vector<std::pair<int, RoutineTime>> routines;
    std::vector<std::pair<uint32_t, int64_t>> transfers;
  };
  struct Region {
    std::unordered_map<uint64_t, std::vector<std::shared_ptr<const Outcome>>> outcomes;
    size_t stored = 0;
    int skip = 0, backoff = 1;  // not worth trying for the next `skip` times
  };
  const Outcome *lookUp(Region &region, const std::vector<int64_t> &state, uint64_t hash, uint32_t pc);
  Status record(Region &region, std::vector<int64_t> state, uint64_t hash, uint32_t pc);
  void apply(const Outcome &outcome);

  const isa::Executable &exe_;
  const DecodedProgram &program_;
  const MachineModel &model_;
  const TimingOptions &options_;
  TimingResult result_;
  ScalarUnit scalar_;
  CoreTiming main_;  // the program's own core; a grid's steps run on the workers
  std::vector<std::unique_ptr<CoreTiming>> workers_;
  CoreTiming *core_;
  Signature log_;
  std::unordered_map<uint32_t, Region> regions_;
  std::vector<std::pair<int, RoutineTime>> *routineLog_ = nullptr;  // of the region that is being recorded
  std::vector<int64_t> transfers_;                                  // by unit op
  std::unordered_map<uint32_t, int64_t> *transferLog_ = nullptr;    // of that region
  TraceCursor trace_;
  std::set<uint32_t> assumed_;
  const std::set<uint32_t> withoutData_;  // routines that no trace has
  int64_t walked_ = 0, steps_ = 0;
  int depth_ = 0;
  bool inKernel_ = false, inGrid_ = false, inLaunch_ = false;
  int sharing_ = 1;           // cores that run kernels of one launch at once
  int64_t controlValue_ = 0;  // of the bundle just issued, read before it wrote

  // The last two states of a simple loop, counted in iterations done.
  struct Snapshot {
    std::vector<int64_t> state;
    Counters counters;
    int64_t now = 0, iteration = -1;
  };
  Snapshot last_, current_;
};

void addRoutine(RoutineTime &to, const RoutineTime &time);

}  // namespace tpuc::timing
