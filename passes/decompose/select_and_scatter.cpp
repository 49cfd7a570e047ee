// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For each window, the number of the position that holds its selected element; then, for each position, the sources
// whose window selected it, combined into the result. Positions count along the last dim first. Few are walked one
// after the other, each against the one selected so far, as the specification has it; of many the selected one is found
// by reductions, or in loops.
#include "passes/decompose/select_and_scatter.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace builders;

Pooling::Pooling(stablehlo::SelectAndScatterOp op)
    : op_(op), b_(op), build_{b_, op.getLoc()}, in_(typeOf(op.getOperand())), out_(typeOf(op.getSource()).getShape()) {
  const Sizes ones(in_.getRank(), 1);
  window_ = op.getWindowDimensions() ? llvm::to_vector(*op.getWindowDimensions()) : ones;
  stride_ = op.getWindowStrides() ? llvm::to_vector(*op.getWindowStrides()) : ones;
  low_.assign(in_.getRank(), 0);
  high_ = low_;
  if (auto padding = op.getPadding())
    for (auto [i, value] : llvm::enumerate(padding->getValues<int64_t>())) (i % 2 ? high_ : low_)[i / 2] = value;
}

Value Pooling::counted(Value v, int64_t dim, int64_t step) {
  if (dim < 0) return v;
  Value places = stablehlo::IotaOp::create(b_, build_.loc, v.getType(), dim);
  return op<stablehlo::AddOp>(v, step == 1 ? places : op<stablehlo::MulOp>(places, step));
}

Value Pooling::isReal(function_ref<Value(int64_t)> placeOf) {
  Value real;
  for (auto [d, low] : llvm::enumerate(low_)) {
    const int64_t end = low + in_.getDimSize(d);
    if (low <= 0 && covered(d) <= end) continue;
    Value place = placeOf(d);
    if (low > 0) real = both(real, compare(place, Direction::GE, low));
    if (covered(d) > end) real = both(real, compare(place, Direction::LT, end));
  }
  return real;
}

Value Pooling::takes(Value best, Value any, Value candidate, Value valid) {
  Block &select = op_.getSelect().front();
  Value runs = hasLoop(select) ? both(valid, any) : Value();
  Value stays = inlineElementwise(b_, select, {best, candidate}, runs)[0];
  return both(valid, op<stablehlo::OrOp>(invert(any), invert(stays)));
}

namespace {

// The positions one after the other, each against the one selected so far.
class InTurn : Pooling {
 public:
  using Pooling::Pooling;

  Value run() {
    const Sizes none(low_.size(), 0);
    Value yes = build_.splat(in_.clone(b_.getI1Type()), Attribute(b_.getBoolAttr(true)));
    Value no = build_.zero(b_.getI1Type()), fill = zero();
    Value padded = build_.pad(op_.getOperand(), fill, low_, high_, none), real = build_.pad(yes, no, low_, high_, none);
    SmallVector<Sizes> positions = windowPositions();
    Value best, chosen, any;
    for (auto [i, at] : llvm::enumerate(positions)) {
      Value candidate = windowAt(padded, at), valid = windowAt(real, at), index = number(out_, i);
      if (!best) {
        best = candidate;
        chosen = index;
        any = valid;
        continue;
      }
      Value better = takes(best, any, candidate, valid);
      best = select(better, candidate, best);
      chosen = select(better, index, chosen);
      any = op<stablehlo::OrOp>(any, valid);
    }
    Value result = initial(in_.getShape());
    // The last position first: an element meets its sources in their own order.
    for (size_t i = positions.size(); i-- > 0;) {
      Value hit = both(any, compare(chosen, Direction::EQ, i));
      Value here = back(hit, no, positions[i]), value = back(op_.getSource(), fill, positions[i]);
      result = select(here, scattered(result, value, here), result);
    }
    return result;
  }

 private:
  SmallVector<Sizes> windowPositions() {
    SmallVector<Sizes> out;
    Sizes at(window_.size(), 0);
    while (true) {
      out.push_back(at);
      int64_t d = static_cast<int64_t>(at.size()) - 1;
      while (d >= 0 && ++at[d] == window_[d]) at[d--] = 0;
      if (d < 0) return out;
    }
  }

  // The element at one window position of every window.
  Value windowAt(Value v, ArrayRef<int64_t> at) {
    Sizes limit;
    for (auto [d, n] : llvm::enumerate(out_)) limit.push_back(at[d] + (n - 1) * stride_[d] + 1);
    return build_.slice(v, at, limit, stride_);
  }

  // One element a window, at a window position of the operand.
  Value back(Value v, Value fill, ArrayRef<int64_t> at) {
    Sizes low, high, interior;
    for (auto [d, n] : llvm::enumerate(out_)) {
      low.push_back(at[d] - low_[d]);
      high.push_back(in_.getDimSize(d) - low.back() - ((n - 1) * stride_[d] + 1));
      interior.push_back(stride_[d] - 1);
    }
    return build_.pad(v, fill, low, high, interior);
  }
};

}  // namespace

void expandSelectAndScatter(stablehlo::SelectAndScatterOp op) {
  constexpr int64_t kMany = 32;  // code for each is slow to compile then, and its blocks may not fit VMEM
  const int64_t positions = op.getWindowDimensions() ? llvm::product_of(*op.getWindowDimensions()) : 1;
  Value result = positions < kMany ? InTurn(op).run() : selectByReductions(op);
  if (!result) result = selectInLoops(op);
  op.replaceAllUsesWith(result);
  op.erase();
}

}  // namespace tpuc::decompose
