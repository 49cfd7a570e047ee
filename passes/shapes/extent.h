// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// True sizes of a bucketed program: sums of products of its symbols and of quotients, maxima and minima of such sums.
// Equal sizes have one form, so that they are equal here too, wherever a program computes them.
#pragma once
#include <map>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Casting.h"
#include "runtime/isa/dim_expr.h"

namespace tpuc::shapes {

using llvm::isa;  // not the namespace
using ::tpuc::isa::DimExpr;

class Extent {
 public:
  Extent() = default;
  static Extent number(int64_t value);
  std::optional<int64_t> asNumber() const;
  bool operator==(const Extent &other) const { return terms_ == other.terms_; }
  bool operator<(const Extent &other) const { return terms_ < other.terms_; }

 private:
  friend class ExtentSpace;
  // Atoms of the space, ascending; one that repeats is a power. The empty product is 1.
  using Product = std::vector<unsigned>;
  std::map<Product, int64_t> terms_;  // none is 0
};

// The sizes that a value may have, both ends included.
struct ExtentRange {
  int64_t least = 0, most = 0;
  bool isOne() const { return least == most; }
};

// What the extents of one program are made of: its symbols, each with the sizes that it may have.
class ExtentSpace {
 public:
  enum class Kind { Symbol, FloorDiv, Max, Min };
  // A factor of a product that is no number.
  struct Atom {
    Kind kind;
    std::string name;  // of a symbol
    std::vector<Extent> operands;
    bool operator==(const Atom &other) const {
      return kind == other.kind && name == other.name && operands == other.operands;
    }
  };
  struct Term {
    int64_t factor;
    llvm::ArrayRef<unsigned> atoms;
  };

  Extent symbol(llvm::StringRef name, ExtentRange range);
  // `numbers` are symbols of one size. Nothing where another has no range, or a function is not known for these sizes.
  std::optional<Extent> from(const DimExpr &expression, const DimExpr::Sizes &numbers = {});

  static Extent add(const Extent &a, const Extent &b);
  static Extent scale(const Extent &a, int64_t factor);
  static Extent subtract(const Extent &a, const Extent &b) { return add(a, scale(b, -1)); }
  static Extent multiply(const Extent &a, const Extent &b);
  Extent max(const Extent &a, const Extent &b);
  Extent min(const Extent &a, const Extent &b);
  // Rounded to negative infinity; nothing for a divisor that may be below 1.
  std::optional<Extent> floorDiv(const Extent &a, const Extent &b);
  // Rounded to 0, as StableHLO's; nothing where a sign is not known.
  std::optional<Extent> divide(const Extent &a, const Extent &b);
  // 1 where a >= 0, else 0; and where it is 0.
  Extent notNegative(const Extent &a);
  Extent isZero(const Extent &a);

  // All values of `a` lie in it; as narrow as can be found.
  ExtentRange range(const Extent &a);
  // Proven, for all sizes.
  bool equal(const Extent &a, const Extent &b) { return a == b || isAlways(subtract(a, b), 0); }
  bool isAlways(const Extent &a, int64_t value);
  bool atLeast(const Extent &a, const Extent &b) { return range(subtract(a, b)).least >= 0; }

  // The extent in text, which DimExpr::parse reads.
  std::string text(const Extent &a) const;
  static std::vector<Term> terms(const Extent &a);
  const Atom &atom(unsigned number) const { return atoms_[number]; }

 private:
  Extent of(Atom atom);
  std::optional<Extent> exactQuotient(const Extent &a, const Extent &b) const;
  ExtentRange roughRange(const Extent &a);
  ExtentRange atomRange(unsigned atom);
  void collect(const Extent &a, std::vector<unsigned> &symbols) const;
  int64_t evaluate(const Extent &a, const std::vector<int64_t> &sizes) const;
  std::string productText(llvm::ArrayRef<unsigned> product) const;

  std::vector<Atom> atoms_;
  std::vector<ExtentRange> symbolRanges_;  // by atom
  std::map<Extent, ExtentRange> ranges_;   // found before
};

}  // namespace tpuc::shapes
