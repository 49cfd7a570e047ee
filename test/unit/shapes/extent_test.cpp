// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/shapes/extent.h"

#include <gtest/gtest.h>

namespace tpuc::shapes {
namespace {

class ExtentTest : public ::testing::Test {
 protected:
  ExtentSpace space;
  Extent b = space.symbol("b", {1, 8}), s = space.symbol("s", {5, 100});

  static Extent n(int64_t value) { return Extent::number(value); }
  Extent read(const std::string &text) {
    std::string error;
    auto dim = DimExpr::parse(text, error);
    auto extent = dim ? space.from(*dim) : std::nullopt;
    EXPECT_TRUE(extent) << text << error;
    return extent.value_or(Extent());
  }
  void expectRange(const std::string &text, int64_t least, int64_t most) {
    const ExtentRange range = space.range(read(text));
    EXPECT_EQ(range.least, least) << text;
    EXPECT_EQ(range.most, most) << text;
  }
};

TEST_F(ExtentTest, EqualSizesHaveOneForm) {
  EXPECT_EQ(read("2*b + b*s - b"), read("b + s*b"));
  EXPECT_EQ(read("floordiv(2*b + 3, 2)"), read("b + 1"));
  EXPECT_EQ(read("floordiv(b*s, s)"), b);
  EXPECT_EQ(read("mod(4*b + 1, 4)"), n(1));
  EXPECT_EQ(read("max(b, 0)"), b);
  EXPECT_EQ(read("max(s, b)"), read("max(b, s)"));
  EXPECT_FALSE(read("floordiv(b, 2)") == read("floordiv(b + 1, 2)"));
  // Not of one form, but of one value for all sizes.
  EXPECT_TRUE(space.equal(read("floordiv(b, 2) + floordiv(b + 1, 2)"), b));
  EXPECT_FALSE(space.equal(read("floordiv(b, 2) + floordiv(b, 2)"), b));
}

TEST_F(ExtentTest, RangesAreThoseOfAllSizes) {
  expectRange("b", 1, 8);
  expectRange("10 - b", 2, 9);
  expectRange("b*s - 5*b", 0, 760);
  expectRange("mod(b, 3)", 0, 2);
  expectRange("max(b, 4)", 4, 8);
  expectRange("b^2 - 6*b", -9, 16);
  EXPECT_TRUE(space.atLeast(s, n(5)));
  EXPECT_FALSE(space.atLeast(s, b));
}

TEST_F(ExtentTest, DivisionsRoundAsTheirOpsDo) {
  // h * -1 / 2, as JAX computes a ceiling.
  EXPECT_TRUE(
      space.equal(*space.divide(ExtentSpace::scale(b, -1), n(2)), ExtentSpace::scale(read("floordiv(b, 2)"), -1)));
  EXPECT_FALSE(space.divide(ExtentSpace::subtract(b, n(4)), n(3)));
  EXPECT_FALSE(space.floorDiv(b, ExtentSpace::subtract(b, n(1))));
  EXPECT_TRUE(space.isAlways(space.notNegative(b), 1));
  EXPECT_TRUE(space.isAlways(space.isZero(b), 0));
}

TEST_F(ExtentTest, TextsAreReadBack) {
  for (const char *text : {"b", "2*b*s - 3", "10 - b", "floordiv(b, 2) + 1", "max(b, 4) - min(s, 2*b)", "0", "-b"})
    EXPECT_EQ(read(space.text(read(text))), read(text)) << text;
}

TEST_F(ExtentTest, SymbolsOfOneSizeAreNumbers) { EXPECT_EQ(space.symbol("d", {64, 64}), n(64)); }

}  // namespace
}  // namespace tpuc::shapes
