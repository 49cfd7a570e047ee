// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What repeats is added, not walked: regions in states that were seen before, and loops without control.
#include <algorithm>

#include "runtime/timing/walk.h"

namespace tpuc::timing {

using isa::kNoReg;
using isa::Op;

namespace {

constexpr int64_t kWorthwhile = 40;  // bundles; a shorter region is walked in the time that its state takes to hash
constexpr int64_t kMaxCycles = int64_t{1} << 50;  // so that no counter overflows
constexpr size_t kMaxOutcomes = 1024;             // of a region
constexpr int64_t kNoBases[isa::kMaxMxus] = {};

uint64_t hashOf(const std::vector<int64_t> &words) {
  Signature s;
  for (int64_t word : words) s.add(static_cast<uint64_t>(word));
  return s.a ^ s.b;
}

}  // namespace

void addRoutine(RoutineTime &to, const RoutineTime &time) {
  to.calls += time.calls;
  to.cycles += time.cycles;
  for (size_t i = 0; i < to.pushes.size(); ++i) to.pushes[i] += time.pushes[i];
}

void Walk::logRoutine(std::vector<std::pair<int, RoutineTime>> &log, int routine, const RoutineTime &time) {
  for (auto &[known, sum] : log)
    if (known == routine) return addRoutine(sum, time);
  log.push_back({routine, time});
}

void Walk::noteTime(int routine, const RoutineTime &time) {
  addRoutine(routine < 0 ? result_.copies[static_cast<uint32_t>(-1 - routine)] : result_.routines[routine], time);
  if (routineLog_) logRoutine(*routineLog_, routine, time);
}

void Walk::noteTransfers(uint32_t op, int64_t times) {
  transfers_[op] += times;
  if (transferLog_) (*transferLog_)[op] += times;
}

Walk::Status Walk::region(uint32_t id, uint32_t pc) {
  if (!mayExtrapolate()) return signedRange<Mode::Time>(pc);
  Region &region = regions_[id];
  if (region.skip > 0) {
    --region.skip;
    return signedRange<Mode::Time>(pc);
  }
  std::vector<int64_t> state;
  core_->save(kNoBases, state);
  uint64_t hash = hashOf(state);
  if (const Outcome *outcome = lookUp(region, state, hash, pc)) {
    region.backoff = 1;
    apply(*outcome);
    return outcome->status;
  }
  return record(region, std::move(state), hash, pc);
}

// Runs the scalar unit ahead when the state is known; null when its values are others than then.
const Walk::Outcome *Walk::lookUp(Region &region, const std::vector<int64_t> &state, uint64_t hash, uint32_t pc) {
  auto known = region.outcomes.find(hash);
  if (known == region.outcomes.end()) return nullptr;
  ScalarUnit::Mark mark = scalar_.mark();
  Signature outer = log_;
  TraceCursor trace = trace_;
  int64_t steps = steps_;
  int depth = depth_;
  bool inKernel = inKernel_, inGrid = inGrid_, inLaunch = inLaunch_;
  const int sharing = sharing_;
  CoreTiming *core = core_;
  log_ = Signature();
  Status status = range<Mode::Scalar>(pc);
  if (status != Status::Error)
    for (const auto &outcome : known->second)
      if (outcome->values == log_ && outcome->before == state) {
        scalar_.drop(mark);
        outer.add(log_);
        log_ = outer;
        return outcome.get();
      }
  scalar_.rollback(mark);
  result_.error.clear();  // the walk comes to the same
  result_.dataDependent = false;
  log_ = outer;
  trace_ = trace;
  steps_ = steps;
  depth_ = depth, inKernel_ = inKernel, inGrid_ = inGrid, inLaunch_ = inLaunch, sharing_ = sharing, core_ = core;
  return nullptr;
}

Walk::Status Walk::record(Region &region, std::vector<int64_t> state, uint64_t hash, uint32_t pc) {
  auto outcome = std::make_shared<Outcome>();
  outcome->before = std::move(state);
  Counters before = result_.counters;
  int64_t begin = core_->now();
  Signature outer = log_;
  auto *outerRoutines = routineLog_;
  auto *outerTransfers = transferLog_;
  std::unordered_map<uint32_t, int64_t> transfers;
  log_ = Signature();
  routineLog_ = &outcome->routines;
  transferLog_ = &transfers;
  outcome->status = range<Mode::Time>(pc);
  routineLog_ = outerRoutines;
  transferLog_ = outerTransfers;
  outcome->transfers.assign(transfers.begin(), transfers.end());
  if (transferLog_)
    for (const auto &[op, times] : outcome->transfers) (*transferLog_)[op] += times;
  if (routineLog_)
    for (const auto &[routine, time] : outcome->routines) logRoutine(*routineLog_, routine, time);
  outcome->values = log_;
  outer.add(log_);
  log_ = outer;
  if (outcome->status != Status::Done && outcome->status != Status::Return) return outcome->status;

  outcome->cycles = core_->now() - begin;
  outcome->counters = difference(result_.counters, before);
  int64_t bundles = outcome->counters.bundles;
  if (bundles < kWorthwhile) {
    region.skip = 255;
    return outcome->status;
  }
  // A region that never repeats is tried less and less often; the larger it is, the more a hit is worth.
  if (bundles < 50 * kWorthwhile) {
    region.skip = region.backoff - 1;
    region.backoff = std::min(64, region.backoff + 1);
  }
  core_->save(kNoBases, outcome->after);
  if (region.stored++ == kMaxOutcomes) region.outcomes.clear(), region.stored = 1;
  Status status = outcome->status;
  region.outcomes[hash].push_back(std::move(outcome));
  return status;
}

void Walk::apply(const Outcome &outcome) {
  core_->advance(outcome.cycles);
  core_->restore(outcome.after);
  addScaled(result_.counters, outcome.counters, 1);
  for (const auto &[routine, time] : outcome.routines) noteTime(routine, time);
  for (const auto &[op, times] : outcome.transfers) noteTransfers(op, times);
}

template <Walk::Mode mode>
Walk::Status Walk::simpleLoop(const DecodedLoop &loop, int64_t count) {
  for (uint8_t reg : loop.simple.groupInputs) {
    if (!scalar_.known(reg)) return dataDependent(loop.begin, "an accumulator's number");
    log_.add(static_cast<uint64_t>(scalar_.value(reg)));
  }
  if (mode == Mode::Scalar) {
    if (scalar_.advance(program_, loop, count)) return Status::Done;
    return fail(loop.begin, scalar_.error());
  }
  Signature outer = log_;  // the groups follow from their registers at entry and the count
  int64_t slopes[isa::kMaxMxus];
  for (int i = 0; i < isa::kMaxMxus; ++i) {
    const SimpleLoop::Slope &s = loop.simple.slopes[i];
    slopes[i] = static_cast<int64_t>(static_cast<uint64_t>(s.imm) +
                                     (s.reg == kNoReg ? 0 : static_cast<uint64_t>(scalar_.value(s.reg))));
  }
  last_.iteration = -1;
  int64_t cycles = -1, nextTry = loop.simple.depth;
  for (int64_t done = 0; done < count;) {
    int64_t begin = core_->now();
    if (!walkIteration(loop, done + 1 == count)) return Status::Error;
    ++done;
    bool steady = core_->now() - begin == cycles;
    cycles = core_->now() - begin;
    if (!mayExtrapolate() || !steady || done < nextTry || count - done < 3) continue;
    int64_t jumped = tryJump(loop, slopes, done, count - done - 1);
    if (jumped < 0) return Status::Error;
    if (last_.iteration != done) nextTry = done + done / 4;  // not the same state yet
    done += jumped;
  }
  log_ = outer;
  return Status::Done;
}

template Walk::Status Walk::simpleLoop<Walk::Mode::Time>(const DecodedLoop &, int64_t);
template Walk::Status Walk::simpleLoop<Walk::Mode::Scalar>(const DecodedLoop &, int64_t);

bool Walk::walkIteration(const DecodedLoop &loop, bool last) {
  for (uint32_t pc = loop.begin + 1; pc <= loop.end; ++pc)
    if (!bundle<Mode::Time>(pc)) return false;
  if (!last) core_->delay(model_.latency(Op::LoopEnd) - 1, Stall::Branch);
  return true;
}

// Two states in a row that are the same, groups moved on by their slopes: `ahead` more iterations do the same again.
// Returns how many were added, 0 when the states differ.
int64_t Walk::tryJump(const DecodedLoop &loop, const int64_t *slopes, int64_t iteration, int64_t ahead) {
  int64_t moved[isa::kMaxMxus];
  // Modulo 2^64: a group that leaves the accumulators is an error of its own.
  auto times = [](int64_t slope, int64_t n) {
    return static_cast<int64_t>(static_cast<uint64_t>(slope) * static_cast<uint64_t>(n));
  };
  for (int i = 0; i < isa::kMaxMxus; ++i) moved[i] = times(slopes[i], iteration);
  core_->save(moved, current_.state);
  current_.counters = result_.counters;
  current_.now = core_->now();
  current_.iteration = iteration;
  std::swap(last_, current_);
  if (current_.iteration != iteration - 1) return 0;
  if (current_.state != last_.state) {
    last_.iteration = -1;
    return 0;
  }
  const int64_t cycles = last_.now - current_.now;
  if (ahead > (kMaxCycles - last_.now) / std::max<int64_t>(cycles, 1)) {
    fail(loop.begin, "takes more than 2^50 cycles");
    return -1;
  }
  for (int i = 0; i < isa::kMaxMxus; ++i) moved[i] = times(slopes[i], ahead);
  core_->shift(cycles * ahead, moved);
  addScaled(result_.counters, difference(last_.counters, current_.counters), ahead);
  if (scalar_.advance(program_, loop, ahead)) return ahead;
  fail(loop.begin, scalar_.error());
  return -1;
}

}  // namespace tpuc::timing
