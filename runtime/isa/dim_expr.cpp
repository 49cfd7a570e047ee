// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/isa/dim_expr.h"

#include <algorithm>
#include <charconv>

namespace tpuc::isa {

// Recursive descent: sum = product {(+|-) product}; product = power {* power}; power = atom [^ number];
// atom = number | name | name(sum, sum) | (sum) | - product.
class DimParser {
 public:
  explicit DimParser(std::string_view text) : text_(text), whole_(text) {}

  std::optional<DimExpr> sum() {
    if (++depth_ > kMostNesting) return fail("less nesting");
    auto left = product();
    while (left) {
      const char sign = peek();
      if (sign != '+' && sign != '-') break;
      take(sign);
      left = joined(sign == '+' ? DimExpr::Kind::Add : DimExpr::Kind::Subtract, std::move(left), product());
    }
    --depth_;
    return left;
  }
  char peek() {
    while (!text_.empty() && isOneOf(text_.front(), " \t\n\r\v\f")) text_.remove_prefix(1);
    return text_.empty() ? '\0' : text_.front();
  }
  bool take(char c) {
    if (peek() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  std::optional<DimExpr> fail(const std::string &expected) {
    if (error_.empty())
      error_ = "expects " + expected + " at character " + std::to_string(whole_.size() - text_.size() + 1) + " of '" +
               std::string(whole_.substr(0, 200)) + "'";
    return std::nullopt;
  }
  const std::string &error() const { return error_; }

 private:
  static constexpr int kMostNesting = 100;

  static bool isOneOf(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }
  static bool isDigit(char c) { return c >= '0' && c <= '9'; }
  static bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
  template <typename Test>
  std::string_view taken(Test test) {
    std::string_view word = text_.substr(0, std::find_if_not(text_.begin(), text_.end(), test) - text_.begin());
    text_.remove_prefix(word.size());
    return word;
  }

  static std::optional<DimExpr> joined(DimExpr::Kind kind, std::optional<DimExpr> a, std::optional<DimExpr> b) {
    if (!a || !b) return std::nullopt;
    DimExpr result;
    result.kind_ = kind;
    result.operands_.push_back(std::move(*a));
    result.operands_.push_back(std::move(*b));
    return result;
  }

  std::optional<DimExpr> product() {
    if (peek() == '-') {
      if (++depth_ > kMostNesting) return fail("less nesting");
      take('-');
      auto negated = joined(DimExpr::Kind::Subtract, DimExpr::number(0), product());
      --depth_;
      return negated;
    }
    auto left = power();
    while (left && take('*')) left = joined(DimExpr::Kind::Multiply, std::move(left), power());
    return left;
  }

  std::optional<DimExpr> power() {
    auto base = atom();
    return base && take('^') ? joined(DimExpr::Kind::Power, std::move(base), atom()) : base;
  }

  std::optional<DimExpr> atom() {
    const char first = peek();
    if (take('(')) return closed(sum());
    if (isDigit(first)) return number();
    if (!isLetter(first)) return fail("a number, a symbol or a function");
    std::string_view name = taken([](char c) { return isLetter(c) || isDigit(c) || c == '.'; });
    return peek() == '(' ? call(name) : DimExpr::symbol(name);
  }

  std::optional<DimExpr> number() {
    std::string_view digits = taken(isDigit);
    int64_t value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) {
      text_ = whole_.substr(digits.data() - whole_.data());
      return fail("a number of 64 bits");
    }
    return DimExpr::number(value);
  }

  std::optional<DimExpr> call(std::string_view name) {
    using Kind = DimExpr::Kind;
    const bool one = name == "non_negative";
    std::optional<Kind> kind = name == "floordiv"     ? std::optional(Kind::FloorDiv)
                               : name == "mod"        ? std::optional(Kind::Mod)
                               : name == "max" || one ? std::optional(Kind::Max)
                               : name == "min"        ? std::optional(Kind::Min)
                                                      : std::nullopt;
    if (!kind) return fail("floordiv, mod, max, min or non_negative instead of '" + std::string(name) + "'");
    take('(');
    auto left = sum();
    if (!one && left && !take(',')) return fail("','");
    return closed(joined(*kind, std::move(left), one ? DimExpr::number(0) : sum()));
  }

  std::optional<DimExpr> closed(std::optional<DimExpr> inner) { return inner && !take(')') ? fail("')'") : inner; }

  std::string_view text_, whole_;
  std::string error_;
  int depth_ = 0;
};

DimExpr DimExpr::number(int64_t value) {
  DimExpr result;
  result.number_ = value;
  return result;
}

DimExpr DimExpr::symbol(std::string_view name) {
  DimExpr result;
  result.kind_ = Kind::Symbol;
  result.symbol_ = name;
  return result;
}

std::optional<DimExpr> DimExpr::parse(std::string_view text, std::string &error) {
  DimParser parser(text);
  auto result = parser.sum();
  if (result && parser.peek()) result = parser.fail("the expression's end");
  if (!result) error = parser.error();
  return result;
}

std::optional<std::vector<DimExpr>> parseDims(std::string_view text, std::string &error) {
  DimParser parser(text);
  std::vector<DimExpr> dims;
  while (parser.peek()) {
    auto dim = parser.sum();
    if (dim && parser.peek() && !parser.take(',')) dim = parser.fail("','");
    if (!dim) {
      error = parser.error();
      return std::nullopt;
    }
    dims.push_back(std::move(*dim));
  }
  return dims;
}

static std::optional<int64_t> powerOf(int64_t base, int64_t exponent) {
  if (exponent < 0 || exponent > 64) return std::nullopt;
  int64_t result = 1;
  for (; exponent; --exponent)
    if (__builtin_mul_overflow(result, base, &result)) return std::nullopt;
  return result;
}

// Python's: the remainder has the divisor's sign.
static std::optional<int64_t> floorDiv(int64_t a, int64_t b) {
  if (b == 0 || (a == INT64_MIN && b == -1)) return std::nullopt;
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

std::optional<int64_t> DimExpr::evaluate(const Sizes &sizes) const {
  if (kind_ == Kind::Number) return number_;
  if (kind_ == Kind::Symbol) {
    auto found = sizes.find(symbol_);
    return found == sizes.end() ? std::nullopt : std::optional(found->second);
  }
  auto a = operands_[0].evaluate(sizes), b = operands_[1].evaluate(sizes);
  if (!a || !b) return std::nullopt;
  int64_t result = 0;
  switch (kind_) {
    case Kind::Add:
      return __builtin_add_overflow(*a, *b, &result) ? std::nullopt : std::optional(result);
    case Kind::Subtract:
      return __builtin_sub_overflow(*a, *b, &result) ? std::nullopt : std::optional(result);
    case Kind::Multiply:
      return __builtin_mul_overflow(*a, *b, &result) ? std::nullopt : std::optional(result);
    case Kind::Power:
      return powerOf(*a, *b);
    case Kind::FloorDiv:
      return floorDiv(*a, *b);
    case Kind::Mod: {
      auto quotient = floorDiv(*a, *b);
      return quotient ? std::optional(*a - *quotient * *b) : std::nullopt;
    }
    case Kind::Max:
      return std::max(*a, *b);
    case Kind::Min:
      return std::min(*a, *b);
    default:
      return std::nullopt;
  }
}

void DimExpr::collectSymbols(Symbols &symbols) const {
  if (kind_ == Kind::Symbol) symbols.insert(symbol_);
  for (const DimExpr &operand : operands_) operand.collectSymbols(symbols);
}

std::optional<int64_t> DimExpr::asNumber() const {
  Symbols symbols;
  collectSymbols(symbols);
  return symbols.empty() ? evaluate(Sizes()) : std::nullopt;
}

// Four points on a line: max(b, 4) is a line through two.
std::optional<DimExpr::Line> DimExpr::line(std::string_view unknown, Sizes sizes) const {
  int64_t at[4];
  for (int64_t size = 0; size < 4; ++size) {
    sizes[std::string(unknown)] = size;
    std::optional<int64_t> value = evaluate(sizes);
    if (!value) return std::nullopt;
    at[size] = *value;
  }
  int64_t steps[3];
  for (int i = 0; i < 3; ++i)
    if (__builtin_sub_overflow(at[i + 1], at[i], &steps[i])) return std::nullopt;
  if (steps[0] == 0 || steps[1] != steps[0] || steps[2] != steps[0]) return std::nullopt;
  return Line{steps[0], at[0]};
}

bool DimExpr::isLinear(std::string_view unknown, const Sizes &sizes) const { return line(unknown, sizes).has_value(); }

std::optional<int64_t> DimExpr::solve(std::string_view unknown, int64_t value, const Sizes &sizes) const {
  std::optional<Line> found = line(unknown, sizes);
  int64_t rest;
  if (!found || __builtin_sub_overflow(value, found->rest, &rest) || rest % found->slope != 0) return std::nullopt;
  const int64_t size = rest / found->slope;
  // A curve may begin as a line: max(b, 10) - max(b, 10) + b.
  Sizes there = sizes;
  there[std::string(unknown)] = size;
  return evaluate(there) == value ? std::optional(size) : std::nullopt;
}

}  // namespace tpuc::isa
