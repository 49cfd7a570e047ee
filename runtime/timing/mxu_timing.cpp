// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fast model of one systolic array.
#include "runtime/timing/mxu_timing.h"

namespace tpuc::timing {

using isa::Op;

namespace {

constexpr Op kStageOps[3] = {Op::MxuLdwB, Op::MxuLdwI, Op::MxuLdwF};
int stageIndex(Op op) { return op == Op::MxuLdwB ? 0 : op == Op::MxuLdwI ? 1 : 2; }

}  // namespace

MxuTiming::MxuTiming(const MachineModel &model) {
  bf16_ = {model.occupancy(Op::MxuPushB), model.latency(Op::MxuPushB), 0, pushGroups(Op::MxuPushB)};
  int8_ = {model.occupancy(Op::MxuPushI), model.latency(Op::MxuPushI), 0, pushGroups(Op::MxuPushI)};
  f32_ = {model.occupancy(Op::MxuPushF), model.latency(Op::MxuPushF), model.chainCycles(), pushGroups(Op::MxuPushF)};
  for (int i = 0; i < 3; ++i) stage_[i] = model.stageCycles(kStageOps[i]);
  weightLatency_ = model.target().latency().mxu_weight();
  swap_ = model.occupancy(Op::MxuSwap);
}

const PushCycles &MxuTiming::cycles(Op op) const {
  return op == Op::MxuPushB ? bf16_ : op == Op::MxuPushI ? int8_ : f32_;
}

int64_t MxuTiming::pushAt(int64_t t, Op op, int64_t group) const {
  t = std::max(t, pushFree_);
  if (op != last_) return std::max(t, drained_);
  if (op != Op::MxuPushF) return t;
  for (size_t i = flights_.size(); i-- > head_;) {
    const Flight &f = flights_[i];
    if (f.again <= t) break;  // older ones are free earlier
    if (group < f.first + f.count && f.first < group + pushGroups(op)) return f.again;
  }
  return t;
}

int64_t MxuTiming::popAt(int64_t t, int64_t group) const {
  for (size_t i = flights_.size(); i-- > head_;) {
    const Flight &f = flights_[i];
    if (f.ready <= t) break;
    if (group >= f.first && group < f.first + f.count)
      return std::max(t, f.ready - (f.first + f.count - 1 - group) * f.step);
  }
  return t;
}

void MxuTiming::push(int64_t t, Op op, int64_t group) {
  const PushCycles &c = cycles(op);
  pushFree_ = t + c.port;
  drained_ = t + c.result;
  last_ = op;
  retire(t);
  flights_.push_back({group, c.groups, c.port / c.groups, t + c.result, t + c.again});
}

void MxuTiming::stage(int64_t t, Op op) {
  stageFree_ = std::max(stageFree_, t) + stage_[stageIndex(op)];
  staged_ = stageFree_ + weightLatency_;
}

void MxuTiming::swap(int64_t t) {
  int64_t effect = std::max({t, pushFree_, staged_});
  if (staged_ == effect && staged_ > t) weightsBy_ = effect + swap_;
  pushFree_ = std::max(t + 1, effect + swap_);
  stageFree_ = std::max(stageFree_, effect);  // the next tile's weights wait until then
  staged_ = 0;
}

// Drops what has arrived; the vector is compacted once half of it is past.
void MxuTiming::retire(int64_t now) {
  while (head_ < flights_.size() && flights_[head_].ready <= now) ++head_;
  if (head_ >= 32 && head_ * 2 >= flights_.size()) {
    flights_.erase(flights_.begin(), flights_.begin() + static_cast<int64_t>(head_));
    head_ = 0;
  }
}

void MxuTiming::save(int64_t now, int64_t base, std::vector<int64_t> &words) const {
  auto ahead = [&](int64_t t) { return std::max<int64_t>(0, t - now); };
  words.insert(words.end(), {ahead(pushFree_), ahead(stageFree_), ahead(staged_), ahead(weightsBy_), ahead(drained_)});
  words.push_back(drained_ > now ? static_cast<int64_t>(last_) : -1);
  size_t at = words.size();
  words.push_back(0);
  for (size_t i = head_; i < flights_.size(); ++i) {
    const Flight &f = flights_[i];
    if (f.ready <= now) continue;
    words.insert(words.end(), {f.first - base, f.count, f.step, f.ready - now, ahead(f.again)});
    ++words[at];
  }
}

const int64_t *MxuTiming::restore(int64_t now, int64_t base, const int64_t *words) {
  pushFree_ = now + *words++;
  stageFree_ = now + *words++;
  staged_ = now + *words++;
  weightsBy_ = now + *words++;
  drained_ = now + *words++;
  int64_t last = *words++;
  last_ = last < 0 ? Op::Halt : static_cast<Op>(last);
  int64_t count = *words++;
  flights_.clear();
  head_ = 0;
  for (int64_t i = 0; i < count; ++i, words += 5)
    flights_.push_back({words[0] + base, words[1], words[2], now + words[3], now + words[4]});
  return words;
}

void MxuTiming::shift(int64_t cycles, int64_t groups) {
  for (int64_t *t : {&pushFree_, &stageFree_, &staged_, &weightsBy_, &drained_}) *t += cycles;
  for (size_t i = head_; i < flights_.size(); ++i) {
    flights_[i].first += groups;
    flights_[i].ready += cycles;
    flights_[i].again += cycles;
  }
}

}  // namespace tpuc::timing
