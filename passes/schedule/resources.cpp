// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reservation tables over slots and units.
#include "passes/schedule/resources.h"

#include <algorithm>

namespace tpuc::schedule {

Resources::Resources(const timing::MachineModel &model) {
  const timing::SlotLimits &slots = model.slots();
  limits_.fill(1);  // an array of the matrix unit has one port of each kind
  limits_[kScalar] = slots.scalar;
  limits_[kControl] = slots.control;
  limits_[kDma] = slots.dma;
  limits_[kVLoad] = slots.vload;
  limits_[kVStore] = slots.vstore;
  limits_[kVAlu] = slots.valu;
  limits_[kEup] = slots.eup;
  limits_[kXlu] = slots.xlu;
  chain_ = static_cast<int>(std::max<int64_t>(1, model.chainCycles()));
  stage_.fill(1);
  for (Op op : {Op::MxuLdwB, Op::MxuLdwI, Op::MxuLdwF})
    stage_[static_cast<int>(op)] = std::max(1, model.stageCycles(op));
  for (int op = 0; op < isa::kNumOps; ++op) {
    latency_[op] = std::max(1, model.latency(static_cast<Op>(op)));
    occupancy_[op] = std::max(1, model.occupancy(static_cast<Op>(op)));
  }
}

Demand Resources::demand(const MInst &inst) const {
  auto array = [&] { return static_cast<int>(std::min<int64_t>(fieldOf(inst, "mxu"), isa::kMaxMxus - 1)); };
  int cycles = occupancy_[static_cast<int>(inst.op)];
  switch (unitOf(inst)) {
    case Unit::Scalar:
      return {kScalar, 1};
    case Unit::Control:
      return {kControl, 1};
    case Unit::Dma:
      return {kDma, 1, kScalar};
    case Unit::VLoad:
      return {kVLoad, cycles};
    case Unit::VStore:
      return {kVStore, cycles};
    case Unit::VAlu:
      return {kVAlu, 1};
    case Unit::Eup:
      return {kEup, cycles, kVAlu};
    case Unit::Xlu:
      return {kXlu, cycles};
    case Unit::MxuWeight:
      return {kMxuWeight + array(), cycles};
    case Unit::MxuPush:
      return {kMxuPush + array(), cycles};
    case Unit::MxuPop:
      return {kMxuPop + array(), cycles};
  }
  return {kScalar, 1};
}

int Resources::work(const MInst &inst) const {
  return std::max(demand(inst).cycles, stage_[static_cast<int>(inst.op)]);
}

bool LinearTable::fits(const Demand &d) const {
  if (used_[d.cls] >= resources_.limit(d.cls)) return false;
  if (d.shared >= 0 && used_[d.shared] >= resources_.limit(d.shared)) return false;
  return freeAt(d.cls) <= cycle_;
}

void LinearTable::take(const Demand &d) {
  used_[d.cls]++;
  if (d.shared >= 0) used_[d.shared]++;
  if (d.cycles <= 1) return;
  auto &units = busyUntil_[d.cls];
  int count = std::min(resources_.limit(d.cls), kMaxUnits);
  *std::min_element(units.begin(), units.begin() + count) = cycle_ + d.cycles;
}

int64_t LinearTable::freeAt(int cls) const {
  const auto &units = busyUntil_[cls];
  int count = std::clamp(resources_.limit(cls), 1, kMaxUnits);
  return *std::min_element(units.begin(), units.begin() + count);
}

bool ModuloTable::fits(const Demand &d, int time) const {
  int limit = resources_.limit(d.cls);
  if (d.cycles > limit * ii_) return false;
  int whole = d.cycles / ii_, rest = d.cycles % ii_;
  for (int k = 0; k < std::min(d.cycles, ii_); ++k) {
    int need = whole + (k < rest ? 1 : 0);
    if (at((time + k) % ii_, d.cls) + need > limit) return false;
  }
  return d.shared < 0 || at(time % ii_, d.shared) < resources_.limit(d.shared);
}

void ModuloTable::add(const Demand &d, int time, int sign) {
  for (int k = 0; k < d.cycles; ++k) at((time + k) % ii_, d.cls) += sign;
  if (d.shared >= 0) at(time % ii_, d.shared) += sign;
}

int resourceBound(const Resources &resources, const std::vector<MInst> &insts) {
  std::array<int64_t, kNumClasses> total{};
  for (const MInst &inst : insts) {
    Demand d = resources.demand(inst);
    total[d.cls] += d.cycles;
    if (d.shared >= 0) total[d.shared]++;
  }
  int64_t bound = 1;
  for (int cls = 0; cls < kNumClasses; ++cls)
    bound = std::max(bound, (total[cls] + resources.limit(cls) - 1) / std::max(1, resources.limit(cls)));
  return static_cast<int>(bound);
}

}  // namespace tpuc::schedule
