// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes as expressions of symbols, as JAX writes the symbolic dimensions of an export: "b", "2*s + 1", "floordiv(b,
// 2)", "max(s, 4)", "b^2". Source of the grammar: JAX's documentation of shape polymorphism (jax.export.symbolic_shape)
// and what jax 0.10.2 prints.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tpuc::isa {

class DimExpr {
 public:
  enum class Kind { Number, Symbol, Add, Subtract, Multiply, Power, FloorDiv, Mod, Max, Min };
  using Sizes = std::map<std::string, int64_t, std::less<>>;
  using Symbols = std::set<std::string, std::less<>>;

  static DimExpr number(int64_t value);
  static DimExpr symbol(std::string_view name);
  // Nullopt for a text that is no expression; `error` then says what was expected, and where.
  static std::optional<DimExpr> parse(std::string_view text, std::string &error);

  // Division and remainder round to negative infinity, as Python's. Nullopt where a symbol has no size, a divisor is 0
  // or a value leaves 64 bits.
  std::optional<int64_t> evaluate(const Sizes &sizes) const;
  void collectSymbols(Symbols &symbols) const;
  std::optional<int64_t> asNumber() const;

  Kind kind() const { return kind_; }
  int64_t value() const { return number_; }            // of a number
  const std::string &name() const { return symbol_; }  // of a symbol
  const std::vector<DimExpr> &operands() const { return operands_; }

  // Is the expression a*unknown + c, with a other than 0, the others' sizes being known?
  bool isLinear(std::string_view unknown, const Sizes &sizes) const;
  // The size of `unknown` at which it is `value`. Nothing where it is not linear, or where no whole size fits.
  std::optional<int64_t> solve(std::string_view unknown, int64_t value, const Sizes &sizes) const;

 private:
  friend class DimParser;
  struct Line {
    int64_t slope, rest;
  };
  std::optional<Line> line(std::string_view unknown, Sizes sizes) const;

  Kind kind_ = Kind::Number;
  int64_t number_ = 0;
  std::string symbol_;
  std::vector<DimExpr> operands_;
};

// The expressions of a shape "(b, 2*s)", without the parentheses.
std::optional<std::vector<DimExpr>> parseDims(std::string_view text, std::string &error);

}  // namespace tpuc::isa
