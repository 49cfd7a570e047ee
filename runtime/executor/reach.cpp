// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/executor/reach.h"

#include <algorithm>

namespace tpuc::exec {

void Reach::hbm(int32_t buffer, int64_t low, int64_t high, bool writes) {
  auto it = std::find_if(ranges_.begin(), ranges_.end(),
                         [&](const Range &r) { return r.buffer == buffer && r.writes == writes; });
  if (it == ranges_.end()) {
    ranges_.push_back({buffer, writes, low, high});
    return;
  }
  it->low = std::min(it->low, low);
  it->high = std::max(it->high, high);
}

void Reach::vmem(int64_t low, int64_t high, bool writes) {
  const int64_t end = std::min((high + kPage - 1) / kPage, sharedPages_);
  if (static_cast<int64_t>(pages_.size()) < end) pages_.resize(end);
  for (int64_t page = low / kPage; page < end; ++page) pages_[page] |= writes ? kWritten : kRead;
}

void Reach::transfer(const device::DmaPlan &plan, int64_t srcAt, int64_t dstAt) {
  auto note = [&](isa::Space space, int32_t buffer, int64_t low, int64_t high, bool writes) {
    if (space == isa::Space::Hbm) hbm(buffer, low, high, writes);
    if (space == isa::Space::Vmem) vmem(low, high, writes);
  };
  note(plan.srcSpace, plan.srcBuffer, srcAt + plan.srcLow, srcAt + plan.srcHigh, false);
  note(plan.dstSpace, plan.dstBuffer, dstAt + plan.dstLow, dstAt + plan.dstHigh, true);
}

bool Reach::transferAnywhere(const device::DmaPlan &plan) {
  if (plan.srcSpace == isa::Space::Vmem || plan.dstSpace == isa::Space::Vmem) return false;
  if (plan.srcSpace == isa::Space::Hbm) hbm(plan.srcBuffer, 0, INT64_MAX, false);
  if (plan.dstSpace == isa::Space::Hbm) hbm(plan.dstBuffer, 0, INT64_MAX, true);
  return true;
}

void Reach::words(int64_t word, int64_t stride, bool writes) {
  const int64_t span = (isa::kSublanes - 1) * stride;
  vmem((word + std::min<int64_t>(span, 0)) * isa::kWordBytes, (word + std::max<int64_t>(span, 0) + 1) * isa::kWordBytes,
       writes);
}

void Reach::merge(const Reach &other) {
  for (const Range &r : other.ranges_) hbm(r.buffer, r.low, r.high, r.writes);
  if (pages_.size() < other.pages_.size()) pages_.resize(other.pages_.size());
  for (size_t page = 0; page < other.pages_.size(); ++page) pages_[page] |= other.pages_[page];
}

bool Reach::isApartFrom(const Reach &other, const HbmBuffer *hbm) const {
  for (size_t page = 0; page < std::min(pages_.size(), other.pages_.size()); ++page)
    if (pages_[page] && other.pages_[page] && (pages_[page] | other.pages_[page]) & kWritten) return false;
  // Buffers of the arena, and a result that takes over an argument, may be the same memory.
  auto low = [&](const Range &r) { return hbm[r.buffer].data + r.low; };
  auto high = [&](const Range &r) { return hbm[r.buffer].data + std::min(r.high, hbm[r.buffer].size); };
  for (const Range &a : ranges_)
    for (const Range &b : other.ranges_)
      if ((a.writes || b.writes) && low(a) < high(b) && low(b) < high(a)) return false;
  return true;
}

}  // namespace tpuc::exec
