// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DMAs in flight by their bytes, against a look at each of them.
#include "runtime/executor/in_flight.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>

namespace tpuc::exec {
namespace {

TEST(InFlight, FindsWhatALookAtEachDoes) {
  std::mt19937 random(7);
  auto below = [&](int64_t n) { return static_cast<int64_t>(random() % n); };
  std::deque<device::DmaPlan> plans;
  std::deque<Pending> all;
  InFlight index;
  int64_t found = 0;
  for (int step = 0; step < 4000; ++step) {
    if (all.size() > 300 || (step % 5 == 4 && !all.empty())) {
      // The oldest of a semaphore leaves, whatever else is in flight.
      const int64_t semaphore = below(3);
      auto oldest = std::find_if(all.begin(), all.end(), [&](const Pending &p) { return p.semaphore == semaphore; });
      std::optional<Pending> taken = index.take(semaphore);
      ASSERT_EQ(taken.has_value(), oldest != all.end());
      if (!taken) continue;
      EXPECT_EQ(taken->bundle, oldest->bundle);
      all.erase(oldest);
      continue;
    }
    isa::DmaDescriptor d{};
    d.srcSpace = below(2) ? isa::Space::Hbm : isa::Space::Vmem;
    d.dstSpace = isa::Space::Vmem;
    d.runBytes = 4 << below(below(8) ? 4 : 12);  // mostly words and short rows
    d.numDims = 1;
    d.dims[0] = {1 + below(3), d.runBytes * (1 + below(4)), d.runBytes * (1 + below(4))};
    plans.emplace_back(d);
    Pending p{
        {d.srcSpace, 0, d.srcSpace == isa::Space::Hbm ? 0x7f0000000000 : 0, below(1 << 14) * 4, false, &plans.back()},
        {d.dstSpace, 0, 0, below(1 << 14) * 4, true, &plans.back()},
        below(3),
        static_cast<uint32_t>(step)};
    index.add(p);
    all.push_back(p);
    const int64_t low = below(1 << 16), high = low + 1 + below(600);
    for (InFlight::End end : {InFlight::Source, InFlight::Destination}) {
      auto meets = [&](const Pending &q) { return (end == InFlight::Source ? q.src : q.dst).touches(low, high); };
      const bool expected = std::any_of(all.begin(), all.end(), [&](const Pending &q) {
        return (end == InFlight::Source ? q.src : q.dst).space == isa::Space::Vmem && meets(q);
      });
      EXPECT_EQ(index.find(isa::Space::Vmem, end, low, high, meets) != nullptr, expected) << "at step " << step;
      found += expected;
    }
  }
  EXPECT_GT(found, 100);
  index.clear();
  EXPECT_TRUE(index.empty());
}

}  // namespace
}  // namespace tpuc::exec
