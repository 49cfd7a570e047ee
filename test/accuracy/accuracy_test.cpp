// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementary and special functions are within three numbers of the correctly rounded one, over the whole range.
#include <gtest/gtest.h>

#include "test/accuracy/walk.h"

namespace tpuc::accuracy {
namespace {

constexpr double kLimit = 3;

void expectWithin(const Worst &worst, double limit) {
  ASSERT_EQ(worst.error, "");
  EXPECT_GT(worst.arguments, 1000u);
  EXPECT_LE(worst.steps, limit) << worst.where;
}

TEST(Accuracy, Single) {
  for (const RealFunction &f : realFunctions()) expectWithin(walk(f, false, 2), kLimit);
}

// Their worst arguments are far between.
TEST(Accuracy, SingleDense) {
  for (const RealFunction &f : realFunctions())
    if (f.name == "erf" || f.name == "erfc") expectWithin(walk(f, false, 1024), kLimit);
}

// The whole range, evenly: every 4093rd f32.
TEST(Accuracy, SingleStride) {
  for (const RealFunction &f : realFunctions())
    if (f.arity == 1) expectWithin(walkAll(f, 4093), kLimit);
}

TEST(Accuracy, Narrow) {
  for (const RealFunction &f : realFunctions())
    for (bool bfloat : {true, false}) expectWithin(walkNarrow(f, bfloat), 0);
}

// In last places of the larger part.
TEST(Accuracy, Complex) {
  for (const ComplexFunction &f : complexFunctions()) {
    Worst worst = walk(f, false, 2048, 3);
    EXPECT_EQ(worst.error, "");
    EXPECT_LE(worst.ulps, f.name == "power" ? 3 : 5) << worst.where;
    EXPECT_LE(f.name == "divide" ? worst.steps : 0, kLimit) << worst.where;  // each part of its own
  }
}

// Powers of two of all f32 have: what is beyond them is infinite, and no NaN.
TEST(Accuracy, ComplexEnds) {
  for (const ComplexFunction &f : complexFunctions())
    if (f.name == "divide") {
      Worst worst = walk(f, false, 4096, 126);
      EXPECT_EQ(worst.error, "");
      EXPECT_LE(worst.ulps, kLimit) << worst.where;
    }
}

TEST(Accuracy, Double) {
  for (const RealFunction &f : realFunctions()) expectWithin(walk(f, true, 1), kLimit);
}

}  // namespace
}  // namespace tpuc::accuracy
