// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Against all choices of a few.
#include "passes/plan/memory/closure.h"

#include <random>

#include "gtest/gtest.h"

namespace tpuc::plan {
namespace {

struct Example {
  std::vector<double> costs, gains;
  std::vector<std::vector<size_t>> needs;

  // What the gains less the costs come to, with the needed ones that `chosen` has a bit for.
  double worth(unsigned chosen) const {
    double sum = 0;
    for (size_t i = 0; i < costs.size(); ++i) sum -= chosen >> i & 1 ? costs[i] : 0;
    for (size_t g = 0; g < gains.size(); ++g) {
      bool has = true;
      for (size_t need : needs[g]) has = has && (chosen >> need & 1);
      sum += has ? gains[g] : 0;
    }
    return sum;
  }

  unsigned solved() const {
    Closure closure;
    for (double cost : costs) closure.addNeeded(cost);
    for (size_t g = 0; g < gains.size(); ++g) closure.add(gains[g], needs[g]);
    unsigned chosen = 0;
    for (auto [i, isNeeded] : llvm::enumerate(closure.solve())) chosen |= isNeeded ? 1u << i : 0;
    return chosen;
  }
};

TEST(Closure, IsTheBestOfAllChoices) {
  std::mt19937 random(1);
  auto upTo = [&](int n) { return static_cast<int>(random() % (n + 1)); };
  for (int run = 0; run < 400; ++run) {
    Example e;
    for (int i = upTo(8); i > 0; --i) e.costs.push_back(upTo(3) ? upTo(20) : 0);
    for (int g = upTo(10); g > 0 && !e.costs.empty(); --g) {
      e.gains.push_back(upTo(30));
      e.needs.emplace_back();
      for (int k = upTo(3); k > 0; --k) e.needs.back().push_back(upTo(static_cast<int>(e.costs.size()) - 1));
    }
    double best = 0;
    for (unsigned chosen = 0; chosen < 1u << e.costs.size(); ++chosen) best = std::max(best, e.worth(chosen));
    EXPECT_EQ(e.worth(e.solved()), best) << "run " << run;
  }
}

// Two that share a gain of 10 cost 8 each: neither pays, though each costs less than the gain.
TEST(Closure, CountsASharedGainOnce) {
  Example shared{{8, 8}, {10}, {{0, 1}}};
  EXPECT_EQ(shared.solved(), 0u);
  shared.costs = {8, 1};
  EXPECT_EQ(shared.solved(), 3u);
}

TEST(Closure, TakesNothingThatGainsNothing) {
  EXPECT_EQ((Example{{1, 0}, {0, 0}, {{0}, {1}}}).solved(), 0u);
  EXPECT_EQ((Example{{}, {}, {}}).solved(), 0u);
}

}  // namespace
}  // namespace tpuc::plan
