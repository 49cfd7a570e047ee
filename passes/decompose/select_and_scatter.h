// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// select_and_scatter, the gradient of a largest element over windows, without a kernel of its own.
#pragma once
#include "passes/builders/build.h"
#include "passes/builders/inline_region.h"

namespace tpuc::decompose {

// Replaces the op by elementwise ops on whole arrays. Its regions are elementwise, and it has windows.
void expandSelectAndScatter(stablehlo::SelectAndScatterOp op);

// What the ways to do so have in common. A mask may be null, where all elements count.
class Pooling {
 public:
  explicit Pooling(stablehlo::SelectAndScatterOp op);

 protected:
  using Sizes = llvm::SmallVector<int64_t>;
  using Direction = stablehlo::ComparisonDirection;
  using Value = mlir::Value;

  template <typename Op>
  Value op(Value x, Value y) {
    return Op::create(b_, build_.loc, x.getType(), x, y);
  }
  template <typename Op>
  Value op(Value x, int64_t y) {
    return op<Op>(x, build_.splat(builders::typeOf(x), y));
  }
  Value invert(Value x) { return stablehlo::NotOp::create(b_, build_.loc, x.getType(), x); }
  Value both(Value x, Value y) { return x && y ? op<stablehlo::AndOp>(x, y) : x ? x : y; }
  Value select(Value p, Value x, Value y) { return stablehlo::SelectOp::create(b_, build_.loc, x.getType(), p, x, y); }
  Value compare(Value x, Direction how, Value y) { return stablehlo::CompareOp::create(b_, build_.loc, x, y, how); }
  Value compare(Value x, Direction how, int64_t y) { return compare(x, how, build_.splat(builders::typeOf(x), y)); }
  Value number(llvm::ArrayRef<int64_t> shape, int64_t value) {
    return build_.splat(mlir::RankedTensorType::get(shape, b_.getI32Type()), value);
  }
  Value zero() { return build_.zero(in_.getElementType()); }
  Value initial(llvm::ArrayRef<int64_t> shape) { return build_.broadcast(op_.getInitValue(), shape, {}); }

  // `v`, and `step` more with each place along `dim`; a negative one has no places.
  Value counted(Value v, int64_t dim, int64_t step);
  // Where there is no padding; `placeOf`: the place along a dim of the padded operand.
  Value isReal(llvm::function_ref<Value(int64_t)> placeOf);
  // Whether the candidate takes the place of the best one so far, where there is `any`.
  Value takes(Value best, Value any, Value candidate, Value valid);
  Value scattered(Value onto, Value source, Value runs) {
    return builders::inlineElementwise(b_, op_.getScatter().front(), {onto, source}, runs)[0];
  }

  // The places from a dim's first window's first to its last one's last.
  int64_t covered(int64_t d) { return (out_[d] - 1) * stride_[d] + window_[d]; }

  stablehlo::SelectAndScatterOp op_;
  mlir::OpBuilder b_;
  builders::Build build_;
  mlir::RankedTensorType in_;
  llvm::ArrayRef<int64_t> out_;
  Sizes window_, stride_, low_, high_;
};

// The result where windows have no element in common and a comparison selects: null for any other.
mlir::Value selectByReductions(stablehlo::SelectAndScatterOp op);
// The result by loops over the positions in a window.
mlir::Value selectInLoops(stablehlo::SelectAndScatterOp op);

}  // namespace tpuc::decompose
