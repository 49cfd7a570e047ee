// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/executor/in_flight.h"

#include <algorithm>

namespace tpuc::exec {
namespace {

// Runs of dims `dim` and inner ones, from `at`, against [begin, end).
bool touchesFrom(const device::DmaPlan &plan, bool isDst, int dim, int64_t at, int64_t begin, int64_t end) {
  int64_t low = 0, high = plan.runBytes;  // of the inner dims together
  for (int k = dim + 1; k < 4; ++k) {
    int64_t reach = (plan.dims[k].count - 1) * (isDst ? plan.dims[k].dstStride : plan.dims[k].srcStride);
    (reach < 0 ? low : high) += reach;
  }
  if (dim == 4) return at < end && begin < at + plan.runBytes;
  const int64_t count = plan.dims[dim].count, stride = isDst ? plan.dims[dim].dstStride : plan.dims[dim].srcStride;
  for (int64_t k = 0; k < count; ++k) {
    int64_t here = at + k * stride;
    if (here + low >= end || here + high <= begin) {
      // Skip what lies before the range in one step.
      if (stride > 0 && here + high <= begin)
        k += std::max<int64_t>(0, (begin - here - high) / stride - 1);
      else if (stride > 0 && here + low >= end)
        return false;
      continue;
    }
    if (touchesFrom(plan, isDst, dim + 1, here, begin, end)) return true;
  }
  return false;
}

}  // namespace

bool Footprint::touches(int64_t begin, int64_t end) const {
  return begin < high() && low() < end && touchesFrom(*plan, isDst, 0, base + origin, begin, end);
}

bool Footprint::overlaps(const Footprint &other) const {
  if (space != other.space || low() >= other.high() || other.low() >= high()) return false;
  const auto &d = plan->dims;
  auto stride = [&](int k) { return isDst ? d[k].dstStride : d[k].srcStride; };
  for (int64_t a = 0; a < d[0].count; ++a)
    for (int64_t b = 0; b < d[1].count; ++b)
      for (int64_t c = 0; c < d[2].count; ++c)
        for (int64_t e = 0; e < d[3].count; ++e) {
          int64_t at = base + origin + a * stride(0) + b * stride(1) + c * stride(2) + e * stride(3);
          if (other.touches(at, at + plan->runBytes)) return true;
        }
  return false;
}

template <typename F>
void InFlight::forBlocks(const Footprint &f, F visit) {
  const int length = lengthOf(f);
  if (f.low() >= f.high()) return;
  for (uint64_t block = static_cast<uint64_t>(f.low()) >> length;
       block <= static_cast<uint64_t>(f.high() - 1) >> length; ++block)
    visit(keyOf(length, block));
}

void InFlight::list(const Footprint &f, uint64_t number) {
  Index &index = indexOf(f);
  ++index.counts[lengthOf(f)];
  forBlocks(f, [&](uint64_t key) { index.blocks[key].push_back(number); });
}

void InFlight::unlist(const Footprint &f, uint64_t number) {
  Index &index = indexOf(f);
  --index.counts[lengthOf(f)];
  forBlocks(f, [&](uint64_t key) {
    std::vector<uint64_t> &numbers = index.blocks[key];
    numbers.erase(std::find(numbers.begin(), numbers.end(), number));
    if (numbers.empty()) index.blocks.erase(key);
  });
}

void InFlight::add(const Pending &p) {
  all_.emplace(next_, p);
  queues_[p.semaphore].push_back(next_);
  list(p.src, next_);
  list(p.dst, next_);
  ++next_;
}

std::optional<Pending> InFlight::take(int64_t semaphore) {
  auto queue = queues_.find(semaphore);
  if (queue == queues_.end() || queue->second.empty()) return std::nullopt;
  auto found = all_.find(queue->second.front());
  Pending p = found->second;
  unlist(p.src, found->first);
  unlist(p.dst, found->first);
  queue->second.pop_front();
  all_.erase(found);
  return p;
}

void InFlight::clear() {
  all_.clear();
  queues_.clear();
  for (Index &index : indices_) index = {};
}

}  // namespace tpuc::exec
