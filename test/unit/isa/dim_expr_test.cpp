// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/isa/dim_expr.h"

#include <gtest/gtest.h>

namespace tpuc::isa {
namespace {

std::optional<int64_t> valueOf(std::string_view text, int64_t b = 7, int64_t s = -3) {
  std::string error;
  std::optional<DimExpr> dim = DimExpr::parse(text, error);
  EXPECT_TRUE(dim) << error;
  DimExpr::Sizes sizes;
  sizes["b"] = b;
  sizes["s"] = s;
  return dim ? dim->evaluate(sizes) : std::nullopt;
}

std::string errorOf(std::string_view text) {
  std::string error;
  EXPECT_FALSE(DimExpr::parse(text, error)) << text;
  return error;
}

TEST(DimExpr, Values) {
  EXPECT_EQ(valueOf("12"), 12);
  EXPECT_EQ(valueOf("b"), 7);
  EXPECT_EQ(valueOf("2*b + 1"), 15);
  EXPECT_EQ(valueOf("b - 2 - 3"), 2);
  EXPECT_EQ(valueOf("- b + 100"), 93);
  EXPECT_EQ(valueOf("2*(b + s)*3"), 24);
  EXPECT_EQ(valueOf("b^2*s"), -147);
  EXPECT_EQ(valueOf("max(b, 4) - min(b, s)"), 10);
  EXPECT_EQ(valueOf("non_negative(s)"), 0);
}

// Python's: towards negative infinity, the remainder with the divisor's sign.
TEST(DimExpr, FloorDivision) {
  EXPECT_EQ(valueOf("floordiv(b, 2)"), 3);
  EXPECT_EQ(valueOf("floordiv(s, 2)"), -2);
  EXPECT_EQ(valueOf("mod(s, 2)"), 1);
  EXPECT_EQ(valueOf("mod(b, 0 - 4)"), -1);
  EXPECT_EQ(valueOf("floordiv(b, b - 7)"), std::nullopt);
  EXPECT_EQ(valueOf("mod(b, 0)"), std::nullopt);
}

TEST(DimExpr, OverflowIsNoValue) {
  EXPECT_EQ(valueOf("9223372036854775807 + b"), std::nullopt);
  EXPECT_EQ(valueOf("b*9223372036854775807"), std::nullopt);
  EXPECT_EQ(valueOf("b^40"), std::nullopt);
  EXPECT_EQ(valueOf("q"), std::nullopt);
}

TEST(DimExpr, Errors) {
  EXPECT_EQ(errorOf(""), "expects a number, a symbol or a function at character 1 of ''");
  EXPECT_EQ(errorOf("b +"), "expects a number, a symbol or a function at character 4 of 'b +'");
  EXPECT_EQ(errorOf("b s"), "expects the expression's end at character 3 of 'b s'");
  EXPECT_EQ(errorOf("max(b)"), "expects ',' at character 6 of 'max(b)'");
  EXPECT_EQ(errorOf("ceil(b)"),
            "expects floordiv, mod, max, min or non_negative instead of 'ceil' at character 5 of 'ceil(b)'");
  EXPECT_EQ(errorOf("99999999999999999999"), "expects a number of 64 bits at character 1 of '99999999999999999999'");
  EXPECT_NE(errorOf(std::string(5000, '(')).find("less nesting"), std::string::npos);
  EXPECT_NE(errorOf(std::string(5000, '-') + "b").find("less nesting"), std::string::npos);
}

TEST(DimExpr, Solve) {
  auto solve = [](std::string_view text, int64_t value) {
    std::string error;
    DimExpr::Sizes sizes;
    sizes["b"] = 4;
    return DimExpr::parse(text, error)->solve("s", value, sizes);
  };
  EXPECT_EQ(solve("s", 9), 9);
  EXPECT_EQ(solve("2*s + 1", 9), 4);
  EXPECT_EQ(solve("2*s + 1", 8), std::nullopt);
  EXPECT_EQ(solve("b*s - s", 9), 3);
  EXPECT_EQ(solve("b - s", 1), 3);
  EXPECT_EQ(solve("b", 4), std::nullopt);
  // No lines.
  EXPECT_EQ(solve("s^2", 9), std::nullopt);
  EXPECT_EQ(solve("max(s, 2)", 9), std::nullopt);
  EXPECT_EQ(solve("floordiv(s, 2)", 9), std::nullopt);
}

}  // namespace
}  // namespace tpuc::isa
