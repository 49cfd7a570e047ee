// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. Ops on both sides alike: values are numbered once as they stand and once with the sides exchanged; commutative ops
//    and comparisons have one number for both orders of their operands.
// 2. Choices: what compares, selects and combines booleans depends on nothing but how x_k and y_k compare. Every
//    combination of less, equal, greater and NaNs is walked, both ways around.
#include "passes/decompose/commutes.h"

#include <map>

#include "mlir/IR/IRMapping.h"
#include "passes/builders/build.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace builders;
namespace {

using Direction = stablehlo::ComparisonDirection;

// ---- ops on both sides alike ----------------------------------------------------------------------------------------

class Numbering {
 public:
  explicit Numbering(Block &body) : body_(body) {}

  bool isSymmetric() {
    auto straight = numbers(false), exchanged = numbers(true);
    return llvm::all_of(body_.getTerminator()->getOperands(),
                        [&](Value v) { return numberOf(straight, v) == numberOf(exchanged, v); });
  }

 private:
  using Numbers = DenseMap<Value, unsigned>;
  using Key = std::tuple<const void *, const void *, unsigned, std::vector<unsigned>>;

  unsigned intern(Key key) { return known_.try_emplace(std::move(key), known_.size()).first->second; }
  unsigned numberOf(Numbers &numbers, Value v) {
    auto it = numbers.find(v);
    return it != numbers.end() ? it->second : intern({v.getAsOpaquePointer(), nullptr, 0, {}});
  }

  Numbers numbers(bool exchanged) {
    Numbers out;
    unsigned n = body_.getNumArguments() / 2;
    for (unsigned i = 0; i < 2 * n; ++i)
      out[body_.getArgument(i)] = intern({nullptr, nullptr, exchanged ? (i + n) % (2 * n) : i, {}});
    for (Operation &op : body_.without_terminator()) {
      std::vector<unsigned> operands;
      for (Value v : op.getOperands()) operands.push_back(numberOf(out, v));
      Attribute attributes = op.getAttrDictionary();
      bool sorts = op.hasTrait<mlir::OpTrait::IsCommutative>();
      unsigned variant = 0;
      if (auto compare = dyn_cast<stablehlo::CompareOp>(op)) {
        Direction d = compare.getComparisonDirection();
        sorts = d == Direction::EQ || d == Direction::NE;
        // x > y as y < x.
        if (d == Direction::GT || d == Direction::GE) std::swap(operands[0], operands[1]);
        d = d == Direction::GT ? Direction::LT : d == Direction::GE ? Direction::LE : d;
        variant = 1 + static_cast<unsigned>(d);
        attributes = compare.getCompareTypeAttr();
      }
      if (sorts) llvm::sort(operands);
      const void *kind = op.getNumRegions() || op.getNumResults() != 1 ? static_cast<const void *>(&op)
                                                                       : op.getName().getAsOpaquePointer();
      for (Value v : op.getResults())
        out[v] = intern(
            {kind, attributes.getAsOpaquePointer(), variant * 16 + cast<OpResult>(v).getResultNumber(), operands});
    }
    return out;
  }

  Block &body_;
  std::map<Key, unsigned> known_;
};

// ---- choices --------------------------------------------------------------------------------------------------------

enum Relation { kLess, kEqual, kGreater, kLeftNan, kRightNan, kBothNan };

Relation exchange(Relation r) {
  static constexpr Relation other[] = {kGreater, kEqual, kLess, kRightNan, kLeftNan, kBothNan};
  return other[r];
}

// A boolean, or x_k (side 0) or y_k (side 1).
struct Choice {
  int operand = -1;
  int side = 0;
  bool truth = false;
  bool isBool() const { return operand < 0; }
};

using Choices = SmallVector<Choice>;

class Walk {
 public:
  Walk(Block &body, ArrayRef<Relation> relations)
      : body_(body), n_(body.getNumArguments() / 2), relations_(relations) {}

  // The body's results; nothing where an op is of another kind.
  std::optional<Choices> run() {
    for (unsigned i = 0; i < 2 * n_; ++i)
      values_[body_.getArgument(i)] = {static_cast<int>(i % n_), static_cast<int>(i / n_), false};
    for (Operation &op : body_.without_terminator()) {
      auto v = op.getNumResults() == 1 ? evaluate(op) : std::nullopt;
      if (!v) return std::nullopt;
      values_[op.getResult(0)] = *v;
    }
    Choices out;
    for (Value v : body_.getTerminator()->getOperands()) {
      auto it = values_.find(v);
      if (it == values_.end()) return std::nullopt;
      out.push_back(it->second);
    }
    return out;
  }

 private:
  std::optional<Choice> evaluate(Operation &op) {
    SmallVector<Choice> in;
    for (Value v : op.getOperands()) {
      auto it = values_.find(v);
      if (it == values_.end()) return std::nullopt;
      in.push_back(it->second);
    }
    auto truth = [](bool value) { return Choice{-1, 0, value}; };
    if (auto compare = dyn_cast<stablehlo::CompareOp>(op)) {
      if (!typeOf(compare.getLhs()).getElementType().isIntOrFloat()) return std::nullopt;
      if (in[0].isBool() || in[1].isBool() || in[0].operand != in[1].operand ||
          compare.getCompareType() == stablehlo::ComparisonType::TOTALORDER)
        return std::nullopt;
      return truth(holds(compare.getComparisonDirection(), in[0], in[1]));
    }
    if (mlir::isa<stablehlo::SelectOp>(op))
      return in[0].isBool() ? std::optional(in[0].truth ? in[1] : in[2]) : std::nullopt;
    if (auto constant = dyn_cast<stablehlo::ConstantOp>(op)) {
      auto splat = dyn_cast<DenseElementsAttr>(constant.getValue());
      if (!splat || !splat.isSplat() || !splat.getElementType().isInteger(1)) return std::nullopt;
      return truth(splat.getSplatValue<bool>());
    }
    if (!llvm::all_of(in, [](const Choice &c) { return c.isBool(); })) return std::nullopt;
    if (mlir::isa<stablehlo::NotOp>(op)) return truth(!in[0].truth);
    if (mlir::isa<stablehlo::AndOp>(op)) return truth(in[0].truth && in[1].truth);
    if (mlir::isa<stablehlo::OrOp>(op)) return truth(in[0].truth || in[1].truth);
    if (mlir::isa<stablehlo::XorOp>(op)) return truth(in[0].truth != in[1].truth);
    return std::nullopt;
  }

  bool holds(Direction d, const Choice &a, const Choice &b) const {
    Relation r = relations_[a.operand];
    auto isNan = [&](const Choice &c) { return r == kBothNan || r == (c.side ? kRightNan : kLeftNan); };
    if (isNan(a) || isNan(b)) return d == Direction::NE;
    if (a.side == b.side || r == kEqual) return d == Direction::EQ || d == Direction::LE || d == Direction::GE;
    bool less = (r == kLess) == (a.side == 0);
    return d == Direction::NE ||
           (less ? d == Direction::LT || d == Direction::LE : d == Direction::GT || d == Direction::GE);
  }

  Block &body_;
  unsigned n_;
  ArrayRef<Relation> relations_;
  DenseMap<Value, Choice> values_;
};

// Calls `each` for every combination of relations; false as soon as it is.
bool forEachCase(Block &body, function_ref<bool(ArrayRef<Relation>)> each) {
  unsigned n = body.getNumArguments() / 2;
  if (n > 4) return false;
  SmallVector<Relation> at(n, kLess);
  while (true) {
    if (!each(at)) return false;
    unsigned k = 0;
    for (; k < n; ++k) {
      Relation last = mlir::isa<FloatType>(typeOf(body.getArgument(k)).getElementType()) ? kBothNan : kGreater;
      if (at[k] != last) {
        at[k] = static_cast<Relation>(at[k] + 1);
        break;
      }
      at[k] = kLess;
    }
    if (k == n) return true;
  }
}

bool isSame(const Choice &a, const Choice &b, ArrayRef<Relation> relations) {
  if (a.operand != b.operand) return false;
  if (a.isBool()) return a.truth == b.truth;
  return a.side == b.side || relations[a.operand] == kEqual || relations[a.operand] == kBothNan;
}

bool choosesAlike(Block &body) {
  return forEachCase(body, [&](ArrayRef<Relation> relations) {
    SmallVector<Relation> others = llvm::map_to_vector(relations, exchange);
    auto straight = Walk(body, relations).run(), exchanged = straight ? Walk(body, others).run() : std::nullopt;
    if (!exchanged) return false;
    for (auto [a, b] : llvm::zip(*straight, *exchanged)) {
      if (!b.isBool()) b.side = 1 - b.side;
      if (!isSame(a, b, relations)) return false;
    }
    return true;
  });
}

// Which results choose the same wherever no pair is NaN on both sides, and take x where one is.
bool changesOnlyNanTies(Block &before, Block &after) {
  return forEachCase(before, [&](ArrayRef<Relation> relations) {
    auto a = Walk(before, relations).run(), b = a ? Walk(after, relations).run() : std::nullopt;
    if (!b) return false;
    bool tie = llvm::is_contained(relations, kBothNan);
    for (auto [x, y] : llvm::zip(*a, *b))
      if (tie ? x.isBool() || x.side == 1 : !isSame(x, y, relations)) return false;
    return true;
  });
}

}  // namespace

bool commutes(Block &body) { return Numbering(body).isSymmetric() || choosesAlike(body); }

bool choosesElements(Block &body) {
  return forEachCase(body, [&](ArrayRef<Relation> relations) {
    auto chosen = Walk(body, relations).run();
    return chosen && llvm::all_of(llvm::enumerate(*chosen),
                                  [](auto it) { return it.value().operand == static_cast<int>(it.index()); });
  });
}

bool breakNanTies(Block &body, unsigned index) {
  unsigned n = body.getNumArguments() / 2;
  Operation *yield = body.getTerminator();
  auto select = yield->getOperand(index).getDefiningOp<stablehlo::SelectOp>();
  if (n != 2 || !select || !mlir::isa<IntegerType>(typeOf(select.getResult()).getElementType())) return false;
  Region original;
  IRMapping map;
  body.getParent()->cloneInto(&original, map);
  OpBuilder b(select);
  Location loc = select.getLoc();
  // Not NaN on the right, or before it.
  Value y = body.getArgument(n + 1 - index);
  Value isNumber = stablehlo::CompareOp::create(b, loc, y, y, Direction::EQ);
  Value isBefore =
      stablehlo::CompareOp::create(b, loc, body.getArgument(index), body.getArgument(n + index), Direction::LT);
  Value either = stablehlo::OrOp::create(b, loc, isNumber, isBefore), before = select.getPred();
  Value both = stablehlo::AndOp::create(b, loc, before, either);
  select.getPredMutable().assign(both);
  if (commutes(body) && changesOnlyNanTies(original.front(), body)) return true;
  select.getPredMutable().assign(before);
  for (Value v : {both, either, isBefore, isNumber}) v.getDefiningOp()->erase();
  return false;
}

}  // namespace tpuc::decompose
