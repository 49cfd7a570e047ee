// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. A polynomial over atoms is a map from products to factors, which makes equal sums equal maps.
// 2. floordiv(a, c) of a number c takes every multiple of c out of it: floordiv(2*b + 3, 2) is b + 1 + floordiv(1, 2),
//    which is b + 1. A remainder is a - c*floordiv(a, c), a comparison is min(1, max(0, a + 1)): no further kinds of
//    atoms.
// 3. Ranges come from the factors' ranges; where that is not exact, and the symbols have few sizes together, from all
//    of them.
#include "passes/shapes/extent.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace tpuc::shapes {
namespace {

constexpr int64_t kFar = int64_t{1} << 61;  // stands for everything beyond
// Combinations of sizes that are tried one by one.
constexpr int64_t kMostTried = 1 << 16;

int64_t clamped(__int128 value) { return value > kFar ? kFar : value < -kFar ? -kFar : static_cast<int64_t>(value); }
int64_t sum(int64_t a, int64_t b) { return clamped(static_cast<__int128>(a) + b); }
int64_t product(int64_t a, int64_t b) { return clamped(static_cast<__int128>(a) * b); }
int64_t quotient(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

ExtentRange times(ExtentRange a, ExtentRange b) {
  const int64_t ends[] = {product(a.least, b.least), product(a.least, b.most), product(a.most, b.least),
                          product(a.most, b.most)};
  return {*std::min_element(std::begin(ends), std::end(ends)), *std::max_element(std::begin(ends), std::end(ends))};
}

}  // namespace

Extent Extent::number(int64_t value) {
  Extent result;
  if (value) result.terms_[{}] = value;
  return result;
}

std::optional<int64_t> Extent::asNumber() const {
  if (terms_.empty()) return 0;
  if (terms_.size() > 1 || !terms_.begin()->first.empty()) return std::nullopt;
  return terms_.begin()->second;
}

Extent ExtentSpace::of(Atom atom) {
  auto found = llvm::find(atoms_, atom);
  const auto number = static_cast<unsigned>(found - atoms_.begin());
  if (found == atoms_.end()) {
    atoms_.push_back(std::move(atom));
    symbolRanges_.push_back({0, kFar});
  }
  Extent result;
  result.terms_[{number}] = 1;
  return result;
}

Extent ExtentSpace::symbol(llvm::StringRef name, ExtentRange range) {
  if (range.isOne()) return Extent::number(range.least);
  Extent result = of({Kind::Symbol, name.str(), {}});
  symbolRanges_[result.terms_.begin()->first[0]] = range;
  return result;
}

std::optional<Extent> ExtentSpace::from(const DimExpr &expression, const DimExpr::Sizes &numbers) {
  using Op = DimExpr::Kind;
  if (expression.kind() == Op::Number) return Extent::number(expression.value());
  if (expression.kind() == Op::Symbol) {
    if (auto known = numbers.find(expression.name()); known != numbers.end()) return Extent::number(known->second);
    Atom wanted{Kind::Symbol, expression.name(), {}};
    return llvm::is_contained(atoms_, wanted) ? std::optional(of(wanted)) : std::nullopt;
  }
  auto a = from(expression.operands()[0], numbers), b = from(expression.operands()[1], numbers);
  if (!a || !b) return std::nullopt;
  switch (expression.kind()) {
    case Op::Add:
      return add(*a, *b);
    case Op::Subtract:
      return subtract(*a, *b);
    case Op::Multiply:
      return multiply(*a, *b);
    case Op::Max:
      return max(*a, *b);
    case Op::Min:
      return min(*a, *b);
    case Op::FloorDiv:
      return floorDiv(*a, *b);
    case Op::Mod: {
      auto whole = floorDiv(*a, *b);
      return whole ? std::optional(subtract(*a, multiply(*whole, *b))) : std::nullopt;
    }
    case Op::Power: {
      auto exponent = b->asNumber();
      if (!exponent || *exponent < 0 || *exponent > 8) return std::nullopt;
      Extent result = Extent::number(1);
      for (int64_t i = 0; i < *exponent; ++i) result = multiply(result, *a);
      return result;
    }
    default:
      return std::nullopt;
  }
}

Extent ExtentSpace::add(const Extent &a, const Extent &b) {
  Extent result = a;
  for (const auto &[product, factor] : b.terms_) {
    int64_t &entry = result.terms_[product];
    entry = sum(entry, factor);
    if (entry == 0) result.terms_.erase(product);
  }
  return result;
}

Extent ExtentSpace::scale(const Extent &a, int64_t factor) {
  Extent result;
  if (factor == 0) return result;
  for (const auto &[atoms, old] : a.terms_) result.terms_[atoms] = product(old, factor);
  return result;
}

Extent ExtentSpace::multiply(const Extent &a, const Extent &b) {
  Extent result;
  for (const auto &[left, factor] : a.terms_) {
    for (const auto &[right, other] : b.terms_) {
      Extent one;
      Extent::Product joined(left);
      joined.insert(joined.end(), right.begin(), right.end());
      llvm::sort(joined);
      one.terms_[joined] = product(factor, other);
      result = add(result, one);
    }
  }
  return result;
}

Extent ExtentSpace::max(const Extent &a, const Extent &b) {
  const ExtentRange difference = range(subtract(a, b));
  if (difference.least >= 0) return a;
  if (difference.most <= 0) return b;
  return of({Kind::Max, "", {std::min(a, b), std::max(a, b)}});
}

Extent ExtentSpace::min(const Extent &a, const Extent &b) {
  const ExtentRange difference = range(subtract(a, b));
  if (difference.least >= 0) return b;
  if (difference.most <= 0) return a;
  return of({Kind::Min, "", {std::min(a, b), std::max(a, b)}});
}

// Where b is one product that is in every product of a.
std::optional<Extent> ExtentSpace::exactQuotient(const Extent &a, const Extent &b) const {
  if (b.terms_.size() != 1) return std::nullopt;
  const auto &[divisor, factor] = *b.terms_.begin();
  Extent result;
  for (const auto &[atoms, old] : a.terms_) {
    Extent::Product left(atoms);
    for (unsigned atom : divisor) {
      auto found = llvm::find(left, atom);
      if (found == left.end()) return std::nullopt;
      left.erase(found);
    }
    if (old % factor) return std::nullopt;
    result.terms_[left] = old / factor;
  }
  return result;
}

std::optional<Extent> ExtentSpace::floorDiv(const Extent &a, const Extent &b) {
  if (range(b).least < 1) return std::nullopt;
  if (auto exact = exactQuotient(a, b)) return exact;
  const std::optional<int64_t> divisor = b.asNumber();
  if (!divisor) {
    const ExtentRange whole = range(a);
    if (whole.least >= 0 && !atLeast(a, b) && range(subtract(b, a)).least > 0) return Extent();
    return of({Kind::FloorDiv, "", {a, b}});
  }
  Extent outside, inside;
  for (const auto &[atoms, factor] : a.terms_) {
    const int64_t whole = quotient(factor, *divisor);
    if (whole) outside.terms_[atoms] = whole;
    if (factor != whole * *divisor) inside.terms_[atoms] = factor - whole * *divisor;
  }
  const ExtentRange rest = range(inside);
  const int64_t least = quotient(rest.least, *divisor);
  if (least == quotient(rest.most, *divisor)) return add(outside, Extent::number(least));
  return add(outside, of({Kind::FloorDiv, "", {inside, b}}));
}

std::optional<Extent> ExtentSpace::divide(const Extent &a, const Extent &b) {
  const ExtentRange whole = range(a);
  if (whole.least >= 0) return floorDiv(a, b);
  if (whole.most > 0) return std::nullopt;
  auto negated = floorDiv(scale(a, -1), b);
  return negated ? std::optional(scale(*negated, -1)) : std::nullopt;
}

Extent ExtentSpace::notNegative(const Extent &a) {
  return min(Extent::number(1), max(Extent(), add(a, Extent::number(1))));
}
Extent ExtentSpace::isZero(const Extent &a) { return multiply(notNegative(a), notNegative(scale(a, -1))); }

bool ExtentSpace::isAlways(const Extent &a, int64_t value) {
  const ExtentRange found = range(a);
  return found.isOne() && found.least == value;
}

ExtentRange ExtentSpace::atomRange(unsigned number) {
  const Atom atom = atoms_[number];
  if (atom.kind == Kind::Symbol) return symbolRanges_[number];
  const ExtentRange a = range(atom.operands[0]), b = range(atom.operands[1]);
  if (atom.kind == Kind::Max) return {std::max(a.least, b.least), std::max(a.most, b.most)};
  if (atom.kind == Kind::Min) return {std::min(a.least, b.least), std::min(a.most, b.most)};
  const int64_t ends[] = {quotient(a.least, b.least), quotient(a.least, b.most), quotient(a.most, b.least),
                          quotient(a.most, b.most)};
  return {*std::min_element(std::begin(ends), std::end(ends)), *std::max_element(std::begin(ends), std::end(ends))};
}

ExtentRange ExtentSpace::roughRange(const Extent &a) {
  ExtentRange result;
  for (const auto &[atoms, factor] : a.terms_) {
    ExtentRange term{factor, factor};
    for (unsigned atom : atoms) term = times(term, atomRange(atom));
    result = {sum(result.least, term.least), sum(result.most, term.most)};
  }
  return result;
}

void ExtentSpace::collect(const Extent &a, std::vector<unsigned> &symbols) const {
  for (const auto &[atoms, factor] : a.terms_) {
    for (unsigned number : atoms) {
      if (atoms_[number].kind == Kind::Symbol && !llvm::is_contained(symbols, number)) symbols.push_back(number);
      for (const Extent &operand : atoms_[number].operands) collect(operand, symbols);
    }
  }
}

int64_t ExtentSpace::evaluate(const Extent &a, const std::vector<int64_t> &sizes) const {
  int64_t result = 0;
  for (const auto &[atoms, factor] : a.terms_) {
    int64_t term = factor;
    for (unsigned number : atoms) {
      const Atom &atom = atoms_[number];
      int64_t value = sizes[number];
      if (atom.kind != Kind::Symbol) {
        const int64_t left = evaluate(atom.operands[0], sizes), right = evaluate(atom.operands[1], sizes);
        value = atom.kind == Kind::Max   ? std::max(left, right)
                : atom.kind == Kind::Min ? std::min(left, right)
                                         : quotient(left, right);
      }
      term = product(term, value);
    }
    result = sum(result, term);
  }
  return result;
}

// One product of plain symbols, or several without a common symbol, are exact already.
ExtentRange ExtentSpace::range(const Extent &a) {
  if (auto found = ranges_.find(a); found != ranges_.end()) return found->second;
  ExtentRange result = roughRange(a);
  std::vector<unsigned> symbols;
  collect(a, symbols);
  int64_t count = 1;
  for (unsigned symbol : symbols) count = product(count, symbolRanges_[symbol].most - symbolRanges_[symbol].least + 1);
  const bool simple = llvm::all_of(a.terms_, [&](const auto &term) {
    return term.second > 0 && llvm::all_of(term.first, [&](unsigned atom) {
             return atoms_[atom].kind == Kind::Symbol && symbolRanges_[atom].least >= 0;
           });
  });
  if (!simple && !result.isOne() && count <= kMostTried) {
    std::vector<int64_t> sizes(atoms_.size());
    for (unsigned symbol : symbols) sizes[symbol] = symbolRanges_[symbol].least;
    result = {kFar, -kFar};
    for (int64_t i = 0; i < count; ++i) {
      const int64_t value = evaluate(a, sizes);
      result = {std::min(result.least, value), std::max(result.most, value)};
      for (unsigned symbol : symbols) {
        if (++sizes[symbol] <= symbolRanges_[symbol].most) break;
        sizes[symbol] = symbolRanges_[symbol].least;
      }
    }
  }
  return ranges_[a] = result;
}

std::vector<ExtentSpace::Term> ExtentSpace::terms(const Extent &a) {
  std::vector<Term> result;
  for (const auto &[atoms, factor] : a.terms_) result.push_back({factor, atoms});
  return result;
}

std::string ExtentSpace::productText(llvm::ArrayRef<unsigned> product) const {
  return llvm::join(llvm::map_range(product,
                                    [&](unsigned number) {
                                      const Atom &atom = atoms_[number];
                                      if (atom.kind == Kind::Symbol) return atom.name;
                                      const char *name = atom.kind == Kind::FloorDiv ? "floordiv"
                                                         : atom.kind == Kind::Max    ? "max"
                                                                                     : "min";
                                      return std::string(name) + "(" + text(atom.operands[0]) + ", " +
                                             text(atom.operands[1]) + ")";
                                    }),
                    "*");
}

// Numbers last.
std::string ExtentSpace::text(const Extent &a) const {
  std::string result;
  for (const auto &[atoms, factor] : llvm::reverse(a.terms_)) {
    const bool first = result.empty();
    result += factor < 0 ? (first ? "-" : " - ") : (first ? "" : " + ");
    const std::string number = std::to_string(factor < 0 ? -factor : factor), symbols = productText(atoms);
    result += symbols.empty() ? number : number == "1" ? symbols : number + "*" + symbols;
  }
  return result.empty() ? "0" : result;
}

}  // namespace tpuc::shapes
