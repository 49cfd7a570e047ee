// No elementary or special function is off by more than three units in the last place, over the whole range.
#include <gtest/gtest.h>

#include "test/accuracy/walk.h"

namespace tpuc::accuracy {
namespace {

void expectWithin(const Worst &worst, double limit) {
  ASSERT_EQ(worst.error, "");
  EXPECT_GT(worst.arguments, 1000u);
  EXPECT_LE(worst.ulps, limit) << worst.where;
}

TEST(Accuracy, Single) {
  for (const RealFunction &f : realFunctions()) expectWithin(walk(f, false, 16), 3);
}

TEST(Accuracy, Double) {
  for (const RealFunction &f : realFunctions()) expectWithin(walk(f, true, 2), 3);
}

}  // namespace
}  // namespace tpuc::accuracy
