// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One core in time.
#include "runtime/timing/core_timing.h"

#include <algorithm>
#include <cmath>

namespace tpuc::timing {

using isa::Op;
using isa::Unit;

CoreTiming::CoreTiming(const DecodedProgram &program, const MachineModel &model, int semaphores, int id,
                       Counters &counters, TimingObserver *observer)
    : program_(program),
      model_(model),
      counters_(counters),
      observer_(observer),
      id_(id),
      groups_(model.target().core().mxu_accumulator_rows() / isa::kSublanes),
      xluFree_(static_cast<size_t>(model.slots().xlu)),
      mxus_(static_cast<size_t>(model.slots().mxuPush), MxuTiming(model)),
      dma_(semaphores),
      semaphores_(semaphores) {}

int64_t CoreTiming::operandsAt(const DecodedBundle &d, const DecodedBundle &next, Stall &cause) const {
  int64_t t = now_;
  for (uint32_t i = d.reads; i < next.reads; ++i) {
    uint8_t reg = program_.reads[i];
    if (ready_[reg] > t) {
      t = ready_[reg];
      cause = producer_[reg];
    }
  }
  return t;
}

// The earliest cycle from t in which the unit takes the instruction; -1 with an error when there is none.
int64_t CoreTiming::unitAt(int64_t t, const UnitOp &op, const ScalarUnit &scalar, Stall &cause) {
  int64_t at = t;
  switch (op.unit) {
    case Unit::Eup:
      at = std::max(t, eupFree_), cause = at > t ? Stall::EupBusy : cause;
      break;
    case Unit::MxuPush:
      at = mxus_[op.array].pushAt(t, op.op, valueOf(op, scalar));
      if (at > t) cause = mxus_[op.array].waitsForWeights(t) ? Stall::MxuWeight : Stall::MxuBusy;
      break;
    case Unit::MxuPop:
      at = mxus_[op.array].popAt(t, valueOf(op, scalar)), cause = at > t ? Stall::MxuResult : cause;
      break;
    case Unit::Dma: {
      if (op.op == Op::HostCall || op.op == Op::SemSignal || op.op == Op::SemWait) break;
      int64_t semaphore = valueOf(op, scalar);
      if (semaphore < 0 || semaphore >= semaphores_) {
        error_ = "semaphore " + std::to_string(semaphore) + " of " + std::to_string(semaphores_);
        return -1;
      }
      if (op.op != Op::DmaWait) break;
      at = dma_.waitAt(t, semaphore, op.count), cause = at > t ? Stall::Dma : cause;
      if (at < 0)
        error_ = "waits for semaphore " + std::to_string(semaphore) + ", which no transfer under way will raise enough";
      break;
    }
    default:
      break;
  }
  return at;
}

bool CoreTiming::issue(uint32_t bundle, const ScalarUnit &scalar) {
  const DecodedBundle &d = program_.bundles[bundle], &next = program_.bundles[bundle + 1];
  Stall cause = Stall::Scalar;
  int64_t t = operandsAt(d, next, cause);
  int xlus = d.unitCounts[static_cast<int>(Unit::Xlu)];
  if (xlus) {
    std::sort(xluFree_.begin(), xluFree_.end());
    if (xluFree_[xlus - 1] > t) t = xluFree_[xlus - 1], cause = Stall::XluBusy;
  }
  for (uint32_t i = d.ops; i < next.ops; ++i) {
    t = unitAt(t, program_.ops[i], scalar, cause);
    if (t < 0) return false;
  }
  if (t > now_) counters_.stalls[static_cast<int>(cause)] += t - now_;
  // A later wait can push an earlier unit's check back, never forward, so one pass is enough.
  for (int i = 0; i < xlus; ++i) xluFree_[i] = t + model_.occupancy(Op::XRotLane);
  for (uint32_t i = d.ops; i < next.ops; ++i)
    if (!start(t, program_.ops[i], scalar)) return false;
  for (uint32_t i = d.writes; i < next.writes; ++i) {
    const Write &w = program_.writes[i];
    if (t + w.latency >= ready_[w.reg]) ready_[w.reg] = t + w.latency, producer_[w.reg] = w.cause;
  }
  ++counters_.bundles;
  for (int i = 0; i < kNumUnits; ++i) counters_.issues[i] += d.unitCounts[i];
  now_ = t + 1;
  return true;
}

bool CoreTiming::start(int64_t t, const UnitOp &op, const ScalarUnit &scalar) {
  switch (op.unit) {
    case Unit::Eup:
      eupFree_ = t + model_.occupancy(op.op);
      return true;
    case Unit::MxuWeight:
      if (op.op == Op::MxuSwap)
        mxus_[op.array].swap(t);
      else
        mxus_[op.array].stage(t, op.op), ++counters_.weightLoads;
      return true;
    case Unit::MxuPush:
    case Unit::MxuPop: {
      int64_t group = valueOf(op, scalar), count = op.unit == Unit::MxuPush ? pushGroups(op.op) : 1;
      if (group < 0 || group + count > groups_) {
        error_ = "accumulator group " + std::to_string(group) + " of " + std::to_string(groups_);
        return false;
      }
      if (op.unit == Unit::MxuPop) return true;
      mxus_[op.array].push(t, op.op, group);
      ++(op.op == Op::MxuPushB   ? counters_.pushesBf16
         : op.op == Op::MxuPushI ? counters_.pushesInt8
                                 : counters_.pushesF32);
      counters_.mxuBusyCycles += model_.occupancy(op.op);
      if (observer_ && observer_->active()) observer_->push(id_, op.array, t, model_.occupancy(op.op));
      return true;
    }
    case Unit::Dma:
      if (op.op == Op::HostCall)
        ++counters_.hostCalls;
      else if (op.op == Op::SemSignal || op.op == Op::SemWait)
        ++counters_.chipSignals;  // how long another chip takes is not modelled
      else if (op.op == Op::DmaRemote)
        startRemote(t, op);
      else if (op.op == Op::DmaWait)
        dma_.wait(t, valueOf(op, scalar), op.count);
      else
        startDma(t, op, valueOf(op, scalar));
      return true;
    default:
      return true;
  }
}

void CoreTiming::startDma(int64_t t, const UnitOp &op, int64_t semaphore) {
  const DecodedDma &d = program_.descriptors[op.desc];
  int64_t cycles = d.hbm && sharers_ > 1 ? model_.hbmCycles(d.channelBytes, sharers_) : d.cycles;
  const auto channel = d.hbm ? DmaTiming::Channel::Hbm : DmaTiming::Channel::Local;
  DmaTiming::Span span = dma_.start(t, channel, cycles, model_.dmaLatency(d.hbm), semaphore);
  ++counters_.dmaTransfers;
  if (d.reads) counters_.hbmReadBytes += d.bytes;
  if (d.writes) counters_.hbmWriteBytes += d.bytes;
  if (!d.hbm) counters_.localBytes += d.bytes;
  counters_.hbmChannelBytes += d.channelBytes;
  if (observer_ && observer_->active()) observer_->dma(id_, op.desc, t, span.begin, span.end);
}

// At the rate of all of the chip's links, and no faster than HBM gives it.
void CoreTiming::startRemote(int64_t t, const UnitOp &op) {
  const DecodedDma &d = program_.descriptors[op.desc];
  const target::Interconnect &ici = model_.target().interconnect();
  const double clock = model_.target().clock_ghz(), rate = ici.links() * ici.link_gbps() / clock;  // bytes a cycle
  const int64_t read = model_.hbmCycles(d.bytes, sharers_);
  const int64_t cycles = rate > 0 ? std::max(read, static_cast<int64_t>(std::ceil(d.bytes / rate))) : read;
  const int64_t latency = model_.dmaLatency(true) + static_cast<int64_t>(std::ceil(ici.hop_ns() * clock));
  DmaTiming::Span span = dma_.start(t, DmaTiming::Channel::Links, cycles, latency, op.imm);
  ++counters_.remoteTransfers;
  counters_.remoteBytes += d.bytes;
  if (observer_ && observer_->active()) observer_->dma(id_, op.desc, t, span.begin, span.end);
}

void CoreTiming::delay(int64_t cycles, Stall cause) {
  if (cycles <= 0) return;
  now_ += cycles;
  counters_.stalls[static_cast<int>(cause)] += cycles;
}

void CoreTiming::reset(const CoreTiming &from, int sharers) {
  const int64_t now = from.now_;
  now_ = now;
  sharers_ = sharers;
  std::fill(std::begin(ready_), std::end(ready_), now);
  eupFree_ = now;
  std::fill(xluFree_.begin(), xluFree_.end(), now);
  for (MxuTiming &mxu : mxus_) mxu = MxuTiming(model_);
  dma_ = DmaTiming(semaphores_);
  shareChannel(from);
}

void CoreTiming::save(const int64_t *bases, std::vector<int64_t> &words) const {
  words.clear();
  auto ahead = [&](int64_t t) { return std::max<int64_t>(0, t - now_); };
  words.push_back(0);  // registers that are not ready yet
  for (int i = 0; i < kScoreboard; ++i)
    if (ready_[i] > now_) {
      words.push_back((ready_[i] - now_) << 16 | i << 8 | static_cast<int>(producer_[i]));
      ++words[0];
    }
  words.push_back(sharers_);
  words.push_back(ahead(eupFree_));
  size_t xlus = words.size();
  for (int64_t t : xluFree_) words.push_back(ahead(t));
  std::sort(words.begin() + static_cast<int64_t>(xlus), words.end());
  for (size_t i = 0; i < mxus_.size(); ++i) mxus_[i].save(now_, bases[i], words);
  dma_.save(now_, words);
}

void CoreTiming::restore(const std::vector<int64_t> &saved) {
  const int64_t *words = saved.data();
  std::fill(std::begin(ready_), std::end(ready_), now_);
  for (int64_t n = *words++; n > 0; --n, ++words) {
    int reg = static_cast<int>(*words >> 8 & 0xff);
    ready_[reg] = now_ + (*words >> 16);
    producer_[reg] = static_cast<Stall>(*words & 0xff);
  }
  sharers_ = static_cast<int>(*words++);
  eupFree_ = now_ + *words++;
  for (int64_t &t : xluFree_) t = now_ + *words++;
  for (MxuTiming &mxu : mxus_) words = mxu.restore(now_, 0, words);
  dma_.restore(now_, words);
}

void CoreTiming::shift(int64_t cycles, const int64_t *groups) {
  now_ += cycles;
  for (int64_t &t : ready_) t += cycles;
  eupFree_ += cycles;
  for (int64_t &t : xluFree_) t += cycles;
  for (size_t i = 0; i < mxus_.size(); ++i) mxus_[i].shift(cycles, groups[i]);
  dma_.shift(cycles);
}

}  // namespace tpuc::timing
