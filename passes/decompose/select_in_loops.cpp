// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A select_and_scatter in loops over the positions of a window. The inner ones are along its last dim, and what they
// read moves by one place each time: a place along lanes that only the run knows costs many times as much. There is a
// window at every place; those that a stride leaves out select for nothing.
#include "passes/decompose/select_and_scatter.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace builders;
namespace {

constexpr int64_t kAtOnce = 16;  // positions: what is carried is read and written once for so many

class InLoops : Pooling {
 public:
  explicit InLoops(stablehlo::SelectAndScatterOp op) : Pooling(op) {
    for (auto [d, window] : llvm::enumerate(window_))
      if (window > 1) inner_ = d;
    length_ = window_[inner_];
    // Windows as long as the steps are, of which positions past the end are none.
    steps_ = llvm::divideCeil(length_, kAtOnce);
    each_ = llvm::divideCeil(length_, steps_);
    window_[inner_] = steps_ * each_;
    outer_ = llvm::product_of(window_) / window_[inner_];
    for (auto [d, window] : llvm::enumerate(window_)) {
      high_[d] = covered(d) - low_[d] - in_.getDimSize(d);
      rows_.push_back(static_cast<int64_t>(d) == inner_ ? covered(d) : covered(d) - window + 1);
      along_.push_back(rows_.back() > 1 ? static_cast<int64_t>(shape_.size()) : -1);
      if (rows_.back() > 1) shape_.push_back(rows_.back());
    }
  }

  Value run() {
    const Sizes none(low_.size(), 0);
    Value padded = build_.pad(op_.getOperand(), zero(), low_, high_, none);
    Value combined = scatteredTo(typeOf(padded).getShape(), choice(padded));
    Sizes low, high;
    for (auto [before, behind] : llvm::zip(low_, high_)) {
      low.push_back(-before);
      high.push_back(-behind);
    }
    return build_.pad(combined, op_.getInitValue(), low, high, none);
  }

 private:
  // The number of each window's selected position; -1 where all is padding.
  Value choice(Value padded) {
    auto outer = [&](Value i, ValueRange state) {
      SmallVector<Value> at = placesOf(i);
      auto inner = [&](Value step, ValueRange state) { return chosenOf(i, step, at, state); };
      SmallVector<Value> done = build_.loop(steps_, {state[0], state[1], read(padded, at)}, inner);
      done.pop_back();
      return done;
    };
    return together(build_.loop(outer_, {spread(zero()), number(shape_, -1)}, outer)[1]);
  }

  // The best elements, their numbers, and what is read, after one step's positions.
  SmallVector<Value> chosenOf(Value i, Value step, SmallVector<Value> at, ValueRange state) {
    Value best = state[0], chosen = state[1], row = state[2], windows = trueWindows();
    for (int64_t k = 0; k < each_; ++k) {
      Value j = op<stablehlo::AddOp>(op<stablehlo::MulOp>(step, each_), k);
      at[inner_] = j;
      Value real = isReal([&](int64_t d) { return counted(spread(at[d]), along_[d], 1); });
      const bool mayEnd = (steps_ - 1) * each_ + k >= length_;
      if (mayEnd) real = both(real, spread(compare(j, Direction::LT, length_)));
      Value candidate = moved(row, k, zero()), any = compare(chosen, Direction::GE, 0);
      Value better = takes(best, any, candidate, both(real, windows));
      best = select(better, candidate, best);
      chosen = select(better, numberOf(i, j), chosen);
    }
    return {best, chosen, moved(row, each_, zero())};
  }
  // A loop in the computation might not end for windows that there are not.
  Value trueWindows() {
    if (!hasLoop(op_.getSelect().front())) return {};
    Value yes = build_.splat(RankedTensorType::get(out_, b_.getI1Type()), Attribute(b_.getBoolAttr(true)));
    return apart(yes, build_.zero(b_.getI1Type()), 0);
  }

  // The last position first: an element meets its sources in their own order.
  Value scatteredTo(ArrayRef<int64_t> shape, Value chosen) {
    const int64_t last = window_[inner_] - 1;
    chosen = apart(chosen, number({}, -1), last);
    Value source = apart(op_.getSource(), zero(), last);
    auto outer = [&](Value i, ValueRange state) -> SmallVector<Value> {
      i = op<stablehlo::SubtractOp>(number({}, outer_ - 1), i);
      SmallVector<Value> at = placesOf(i);
      auto inner = [&](Value step, ValueRange state) { return combinedBy(i, step, state); };
      return {written(build_.loop(steps_, {read(state[0], at), chosen, source}, inner)[0], state[0], at)};
    };
    return build_.loop(outer_, {initial(shape)}, outer)[0];
  }

  // The result, the numbers and the sources after one step's positions.
  SmallVector<Value> combinedBy(Value i, Value step, ValueRange state) {
    Value result = state[0], chosen = state[1], source = state[2], none = number({}, -1);
    for (int64_t k = 0; k < each_; ++k) {
      Value j = op<stablehlo::SubtractOp>(number({}, window_[inner_] - 1 - k), op<stablehlo::MulOp>(step, each_));
      Value hit = compare(moved(chosen, k, none), Direction::EQ, numberOf(i, j));
      result = select(hit, scattered(result, moved(source, k, zero()), hit), result);
    }
    return {result, moved(chosen, each_, none), moved(source, each_, zero())};
  }

  Value spread(Value scalar) { return build_.broadcast(scalar, shape_, {}); }
  Value numberOf(Value i, Value j) { return spread(op<stablehlo::AddOp>(op<stablehlo::MulOp>(i, window_[inner_]), j)); }
  // `n` places further along the inner dim.
  Value moved(Value v, int64_t n, Value fill) {
    Sizes low(shape_.size(), 0), high(low);
    low[along_[inner_]] = -n;
    high[along_[inner_]] = n;
    return build_.pad(v, fill, low, high, Sizes(shape_.size(), 0));
  }

  // One element a window as one a place, behind `before` others along the inner dim; and back, from the first place on.
  Value apart(Value v, Value fill, int64_t before) {
    Sizes low(out_.size(), 0), high(low), interior;
    low[inner_] = before;
    high[inner_] = window_[inner_] - 1 - before;
    for (int64_t stride : stride_) interior.push_back(stride - 1);
    return build_.reshape(build_.pad(v, fill, low, high, interior), shape_);
  }
  Value together(Value v) {
    Sizes limit(rows_);
    limit[inner_] -= window_[inner_] - 1;
    return build_.slice(build_.reshape(v, rows_), Sizes(limit.size(), 0), limit, stride_);
  }

  // The places of the outer loop's position `i`.
  SmallVector<Value> placesOf(Value i) {
    SmallVector<Value> at(window_.size(), number({}, 0));
    for (int64_t d = inner_ - 1; d >= 0; --d) {
      if (window_[d] == 1) continue;
      at[d] = op<stablehlo::RemOp>(i, window_[d]);
      i = op<stablehlo::DivOp>(i, window_[d]);
    }
    return at;
  }
  // What all windows have at places `at`, and at all places of the inner dim.
  Value read(Value array, ArrayRef<Value> at) {
    if (typeOf(array).getShape() != ArrayRef<int64_t>(rows_))
      array = stablehlo::DynamicSliceOp::create(b_, build_.loc, array, at, rows_);
    return build_.reshape(array, shape_);
  }
  Value written(Value v, Value array, ArrayRef<Value> at) {
    v = build_.reshape(v, rows_);
    return v.getType() == array.getType()
               ? v
               : stablehlo::DynamicUpdateSliceOp::create(b_, build_.loc, array.getType(), array, v, at).getResult();
  }

  int64_t inner_ = 0, length_ = 1, outer_ = 1;  // the inner dim, its positions; how many the outer loop has
  int64_t steps_ = 1, each_ = 1;                // of an inner loop, and positions in each; the last may have fewer
  Sizes rows_, shape_, along_;                  // of what is read; without dims of one element; each dim's place there
};

}  // namespace

Value selectInLoops(stablehlo::SelectAndScatterOp op) { return InLoops(op).run(); }

}  // namespace tpuc::decompose
