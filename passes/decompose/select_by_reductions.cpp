// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A select_and_scatter whose windows have no element in common. The padded operand is cut into the windows, whose
// number and whose positions are dims of their own; reductions over the positions find the selected ones.
#include "passes/analysis/scan.h"
#include "passes/decompose/neutral.h"
#include "passes/decompose/select_and_scatter.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace builders;
namespace {

// What a comparison selects: of equal ones the first or the last.
struct Extreme {
  bool largest, first;
};

std::optional<Extreme> extremeOf(stablehlo::SelectAndScatterOp op) {
  using Direction = stablehlo::ComparisonDirection;
  Block &select = op.getSelect().front();
  auto compare = dyn_cast_or_null<stablehlo::CompareOp>(analysis::onlyOp(select));
  Type t = typeOf(op.getOperand()).getElementType();
  const bool ordered = t.isF16() || t.isBF16() || t.isF32() || t.isF64() || (t.isInteger() && !t.isInteger(1));
  if (!compare || !ordered || compare.getCompareType() == stablehlo::ComparisonType::TOTALORDER) return std::nullopt;
  const Direction how = compare.getComparisonDirection();
  if (how == Direction::EQ || how == Direction::NE) return std::nullopt;
  const bool greater = how == Direction::GE || how == Direction::GT;
  return Extreme{greater == (compare.getLhs() == select.getArgument(0)), how == Direction::GE || how == Direction::LE};
}

class ByReductions : Pooling {
 public:
  using Pooling::Pooling;

  // Whether each element is in one window at most.
  bool applies() {
    for (auto [n, window, stride] : llvm::zip(out_, window_, stride_))
      if (n > 1 && stride < window) return false;
    return true;
  }

  Value run(Extreme extreme) {
    setBlocks();
    shape_ = blocks_;
    for (auto [dim, window] : llvm::zip(inner_, window_))
      if (dim >= 0) shape_[dim] = window;
    const Sizes none(shape_.size(), 0), ones(shape_.size(), 1);
    Value x = build_.slice(split(), none, shape_, ones), numbers = numbered(), chosen = choice(x, numbers, extreme);
    Value source = build_.reshape(op_.getSource(), windows_);
    Value made = scattered(initial(windows_), source, compare(chosen, Direction::GE, 0));
    Value result = select(compare(numbers, Direction::EQ, spread(chosen)), spread(made), initial(shape_));
    Sizes between;
    for (auto [n, kept] : llvm::zip(blocks_, shape_)) between.push_back(n - kept);
    return join(build_.pad(result, op_.getInitValue(), none, between, none));
  }

 private:
  void setBlocks() {
    auto add = [](Sizes &shape, int64_t n) -> int64_t {
      if (n > 1) shape.push_back(n);
      return n > 1 ? static_cast<int64_t>(shape.size()) - 1 : -1;
    };
    for (auto [n, window, stride] : llvm::zip(out_, window_, stride_)) {
      const int64_t size = n == 1 ? window : stride;
      size_.push_back(size);
      whole_.push_back(n * size);
      outer_.push_back(add(blocks_, n));
      inner_.push_back(add(blocks_, size));
      if (n > 1) windows_.push_back(n);
    }
  }
  static Sizes present(ArrayRef<int64_t> dims) {
    return llvm::filter_to_vector(dims, [](int64_t d) { return d >= 0; });
  }

  Value split() {
    Sizes high;
    for (auto [whole, low, n] : llvm::zip(whole_, low_, in_.getShape())) high.push_back(whole - low - n);
    return build_.reshape(build_.pad(op_.getOperand(), zero(), low_, high, Sizes(high.size(), 0)), blocks_);
  }
  // The result: what is in no block is in no window.
  Value join(Value blocks) {
    Sizes low, high;
    for (auto [whole, before, n] : llvm::zip(whole_, low_, in_.getShape())) {
      low.push_back(-before);
      high.push_back(n + before - whole);
    }
    return build_.pad(build_.reshape(blocks, whole_), op_.getInitValue(), low, high, Sizes(high.size(), 0));
  }

  Value spread(Value v) { return build_.broadcast(v, shape_, present(outer_)); }

  // Each position's number; -1 of padding.
  Value numbered() {
    Value zero = number(shape_, 0), numbers = zero;
    int64_t step = 1;
    for (int64_t d = window_.size() - 1; d >= 0; step *= window_[d--]) numbers = counted(numbers, inner_[d], step);
    Value real = isReal([&](int64_t d) { return counted(counted(zero, outer_[d], size_[d]), inner_[d], 1); });
    return real ? select(real, numbers, number(shape_, -1)) : numbers;
  }

  // The number of each window's selected position; -1 where all is padding. A NaN is selected whatever is before it,
  // and given up for whatever is behind it: up to the last NaN nothing counts.
  Value choice(Value x, Value numbers, Extreme extreme) {
    Value last = number(windows_, -1);
    if (mlir::isa<FloatType>(in_.getElementType()))
      last = op<stablehlo::MaxOp>(last, reduced<stablehlo::MaxOp>(numbers, compare(x, Direction::NE, x)));
    Value counts = compare(numbers, Direction::GT, spread(last));
    Value best = extreme.largest ? reduced<stablehlo::MaxOp>(x, counts) : reduced<stablehlo::MinOp>(x, counts);
    Value isBest = both(counts, compare(x, Direction::EQ, spread(best)));
    Value found =
        extreme.first ? reduced<stablehlo::MinOp>(numbers, isBest) : reduced<stablehlo::MaxOp>(numbers, isBest);
    return select(compare(found, Direction::EQ, extreme.first ? INT32_MAX : INT32_MIN), last, found);
  }

  // Over each window's elements that count.
  template <typename Op>
  Value reduced(Value v, Value counts) {
    Type t = typeOf(v).getElementType();
    auto scalar = RankedTensorType::get({}, t);
    Attribute none = limitOf(t, std::is_same_v<Op, stablehlo::MinOp>);
    Value start = build_.splat(scalar, none), kept = select(counts, v, build_.splat(typeOf(v), none));
    auto reduce = stablehlo::ReduceOp::create(b_, build_.loc, TypeRange(RankedTensorType::get(windows_, t)),
                                              ValueRange(kept), ValueRange(start), present(inner_));
    OpBuilder::InsertionGuard guard(b_);
    Block *body = b_.createBlock(&reduce.getBody(), {}, {scalar, scalar}, {build_.loc, build_.loc});
    stablehlo::ReturnOp::create(b_, build_.loc, op<Op>(body->getArgument(0), body->getArgument(1)));
    return reduce.getResult(0);
  }

  Sizes size_, whole_;            // of each dim's blocks: a window, and what lies before the next; of all of them
  Sizes blocks_, outer_, inner_;  // the dims of blocks and of places in one; -1 for none
  Sizes shape_;                   // without what lies between windows
  Sizes windows_;                 // one element a window
};

}  // namespace

Value selectByReductions(stablehlo::SelectAndScatterOp op) {
  std::optional<Extreme> extreme = extremeOf(op);
  ByReductions made(op);
  return extreme && made.applies() ? made.run(*extreme) : Value();
}

}  // namespace tpuc::decompose
