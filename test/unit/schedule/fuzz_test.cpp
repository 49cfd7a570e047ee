// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main proof of the scheduler: random structured routines give the same memory, run as they stand and scheduled,
// with few and with all registers. TPUC_SCHEDULE_SEEDS=first:count widens the search.
#include <gtest/gtest.h>

#include <cstdlib>

#include "passes/schedule/schedule.h"
#include "test/unit/schedule/random_routine.h"
#include "test/unit/schedule/reference.h"

namespace tpuc::schedule {
namespace {

timing::MachineModel modelOf(const std::string &name) {
  target::Target target;
  std::string error;
  EXPECT_TRUE(target::loadTarget(name, target, error)) << error;
  return timing::MachineModel(target);
}

struct Case {
  reference::RandomOptions random;
  Options options;
  bool secondTarget = false;
};

Case caseOf(uint64_t seed) {
  Case c;
  uint64_t h = seed * 0x9e3779b97f4a7c15ull;
  auto pick = [&](std::initializer_list<int> list) {
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9ull;
    return list.begin()[(h >> 32) % list.size()];
  };
  c.random.statements = pick({10, 30, 60, 120, 300});
  c.random.scalars = pick({3, 6, 20, 40});
  c.random.vregs = pick({3, 10, 30, 70, 90});
  c.random.masks = pick({2, 4, 10, 20});
  c.random.maxDepth = pick({1, 2, 3});
  c.random.calls = pick({0, 0, 1});
  c.options.vregs = pick({8, 12, 32, 64, 64});
  c.options.scalars = pick({8, 12, 31, 31});
  c.options.masks = pick({4, 8, 16, 16});
  c.options.pipeline = pick({0, 1, 1});
  c.options.tidy = pick({0, 1, 1});
  c.secondTarget = pick({0, 1});
  return c;
}

TEST(ScheduleFuzz, SameMemory) {
  uint64_t first = 1, count = 1500;
  if (const char *seeds = std::getenv("TPUC_SCHEDULE_SEEDS")) std::sscanf(seeds, "%lu:%lu", &first, &count);
  timing::MachineModel models[] = {modelOf("v5e"), modelOf("v4")};
  int64_t pipelined = 0, spilled = 0, skipped = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Case c = caseOf(seed);
    machine::Routine routine = reference::randomRoutine(seed, c.random);
    const timing::MachineModel &model = models[c.secondTarget];
    reference::Run expected = reference::runTree(routine, 5, 9, 300'000);
    if (!expected.error.empty()) {
      skipped++;
      continue;
    }
    machine::Scheduled code;
    std::string error;
    ASSERT_TRUE(scheduleRoutine(routine, model, code, error, c.options)) << "seed " << seed << ": " << error;
    ASSERT_EQ(verifyScheduled(code, model, routine.isEntry), "") << "seed " << seed;
    reference::Run actual = reference::runScheduled(code, model, 5, 9);
    ASSERT_EQ(actual.error, "") << "seed " << seed;
    ASSERT_EQ(expected.memory.difference(actual.memory, routine.spillVmemWord, routine.spillSmemByte), "")
        << "seed " << seed;
    pipelined += code.pipelinedLoops;
    spilled += code.spilledRegs;
  }
  RecordProperty("pipelined", static_cast<int>(pipelined));
  RecordProperty("spilled", static_cast<int>(spilled));
  printf("pipelined %ld, spilled %ld, skipped %ld\n", pipelined, spilled, skipped);
  EXPECT_LT(skipped, static_cast<int64_t>(count / 4 + 1));
}

}  // namespace
}  // namespace tpuc::schedule
