// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions as im2col and a dot.
//
//  1. Operands to [batch, space.., in] and [space.., in / groups, out]; the input padded and dilated.
//  2. A strided slice of the input for each window position, side by side along the features.
//  3. One dot over (window, in); feature and batch groups are its batch dims.
//  4. The result to the order the op asks for.
// With more window positions than results: a dot for each result instead.
#include "passes/analysis/convolution_form.h"
#include "passes/analysis/target_option.h"
#include "passes/builders/build.h"
#include "passes/decompose/passes.h"
#include "passes/plan/question.h"

using namespace mlir;

namespace tpuc::decompose {
using namespace analysis;
using namespace builders;
#define GEN_PASS_DEF_EXPANDCONVOLUTIONPASS
#include "passes/decompose/passes.h.inc"
namespace {

SmallVector<int64_t> valuesOf(std::optional<ArrayRef<int64_t>> values, int64_t n, int64_t otherwise) {
  return values ? llvm::to_vector(*values) : SmallVector<int64_t>(n, otherwise);
}

class Convolution {
 public:
  Convolution(stablehlo::ConvolutionOp op, OpBuilder &b)
      : op_(op), build_{b, op.getLoc()}, b_(b), n_(op.getDimensionNumbers()) {}
  void run();

 private:
  void readWindow();
  void finish(Value out);
  Value input();
  Value padded(int64_t first, int64_t last);
  Value kernel();
  SmallVector<Value> windows(Value input);
  Value product(Value columns, Value kernel);
  Value depthwise(ArrayRef<Value> windows, Value kernel);
  Value byResults(Value input, Value kernel);
  Value resultOf(Value window, Value kernel);
  bool isDepthwiseGradient(Value input, Value kernel);
  Value converted(Value v, Type element);
  Value dot(Value lhs, Value rhs, ArrayRef<int64_t> lb, ArrayRef<int64_t> rb, ArrayRef<int64_t> lc,
            ArrayRef<int64_t> rc);
  Value withoutDim(Value v, int64_t dim, SmallVectorImpl<int64_t> &dims);
  SmallVector<int64_t> with(int64_t first, ArrayRef<int64_t> space, int64_t last) {
    SmallVector<int64_t> out{first};
    llvm::append_range(out, space);
    out.push_back(last);
    return out;
  }

  stablehlo::ConvolutionOp op_;
  Build build_;
  OpBuilder &b_;
  stablehlo::ConvDimensionNumbersAttr n_;
  int64_t space_ = 0, featureGroups_ = 1, batchGroups_ = 1;
  SmallVector<int64_t> stride_, lhsDilation_, rhsDilation_, low_, high_, window_, out_;
  SmallVector<bool> reversed_;
};

void Convolution::readWindow() {
  space_ = n_.getInputSpatialDimensions().size();
  featureGroups_ = op_.getFeatureGroupCount();
  batchGroups_ = op_.getBatchGroupCount();
  stride_ = valuesOf(op_.getWindowStrides(), space_, 1);
  lhsDilation_ = valuesOf(op_.getLhsDilation(), space_, 1);
  rhsDilation_ = valuesOf(op_.getRhsDilation(), space_, 1);
  low_.assign(space_, 0);
  high_.assign(space_, 0);
  if (auto padding = op_.getPadding()) {
    auto values = llvm::to_vector(padding->getValues<int64_t>());
    for (int64_t d = 0; d < space_; ++d) {
      low_[d] = values[2 * d];
      high_[d] = values[2 * d + 1];
    }
  }
  reversed_.assign(space_, false);
  if (auto reversal = op_.getWindowReversal())
    for (int64_t d = 0; d < space_; ++d) reversed_[d] = (*reversal)[d];
  for (int64_t d = 0; d < space_; ++d) {
    window_.push_back(typeOf(op_.getRhs()).getDimSize(n_.getKernelSpatialDimensions()[d]));
    out_.push_back(typeOf(op_.getResult()).getDimSize(n_.getOutputSpatialDimensions()[d]));
  }
}

Value Convolution::input() { return padded(n_.getInputBatchDimension(), n_.getInputFeatureDimension()); }

// [first, space.., last]
Value Convolution::padded(int64_t first, int64_t last) {
  Value v = build_.transpose(op_.getLhs(), with(first, n_.getInputSpatialDimensions(), last));
  SmallVector<int64_t> interior;
  for (int64_t d : lhsDilation_) interior.push_back(d - 1);
  return build_.pad(v, build_.zero(typeOf(v).getElementType()), with(0, low_, 0), with(0, high_, 0),
                    with(0, interior, 0));
}

// [space.., in, out]
Value Convolution::kernel() {
  SmallVector<int64_t> permutation(n_.getKernelSpatialDimensions());
  permutation.push_back(n_.getKernelInputFeatureDimension());
  permutation.push_back(n_.getKernelOutputFeatureDimension());
  Value v = build_.transpose(op_.getRhs(), permutation);
  SmallVector<int64_t> flips;
  for (int64_t d = 0; d < space_; ++d)
    if (reversed_[d]) flips.push_back(d);
  return flips.empty() ? v : Value(stablehlo::ReverseOp::create(b_, build_.loc, v.getType(), v, flips));
}

SmallVector<Value> Convolution::windows(Value v) {
  SmallVector<Value> out;
  SmallVector<int64_t> at(space_, 0);
  int64_t batch = typeOf(v).getDimSize(0), features = typeOf(v).getShape().back();
  while (true) {
    SmallVector<int64_t> start, limit;
    for (int64_t d = 0; d < space_; ++d) {
      start.push_back(at[d] * rhsDilation_[d]);
      limit.push_back(start[d] + (out_[d] - 1) * stride_[d] + 1);
    }
    out.push_back(build_.slice(v, with(0, start, 0), with(batch, limit, features), with(1, stride_, 1)));
    int64_t d = space_ - 1;
    while (d >= 0 && ++at[d] == window_[d]) at[d--] = 0;
    if (d < 0) return out;
  }
}

// A product without unit dims along lanes, where each number would take a row of its own. Weights of one feature are a
// vector, and where one number is contracted there are products alone.
Value Convolution::dot(Value lhs, Value rhs, ArrayRef<int64_t> lb, ArrayRef<int64_t> rb, ArrayRef<int64_t> lc,
                       ArrayRef<int64_t> rc) {
  SmallVector<int64_t> shape, lhsBatch(lb), rhsBatch(rb), lhsContract(lc), rhsContract(rc);
  for (int64_t d : lb) shape.push_back(typeOf(lhs).getDimSize(d));
  auto isFree = [](int64_t d, ArrayRef<int64_t> batch, ArrayRef<int64_t> contract) {
    return !llvm::is_contained(batch, d) && !llvm::is_contained(contract, d);
  };
  for (int64_t d = 0; d < typeOf(lhs).getRank(); ++d)
    if (isFree(d, lb, lc)) shape.push_back(typeOf(lhs).getDimSize(d));
  for (int64_t d = 0; d < typeOf(rhs).getRank(); ++d)
    if (isFree(d, rb, rc)) shape.push_back(typeOf(rhs).getDimSize(d));
  SmallVector<int64_t> made(shape);
  if (int64_t last = typeOf(rhs).getRank() - 1; typeOf(rhs).getDimSize(last) == 1 && isFree(last, rb, rc)) {
    rhs = build_.reshape(rhs, typeOf(rhs).getShape().drop_back());
    made.pop_back();
  }
  if (typeOf(lhs).getDimSize(lc[0]) == 1) {
    lhs = withoutDim(lhs, lc[0], lhsBatch);
    rhs = withoutDim(rhs, rc[0], rhsBatch);
    lhsContract.clear();
    rhsContract.clear();
  }
  auto numbers =
      stablehlo::DotDimensionNumbersAttr::get(op_.getContext(), lhsBatch, rhsBatch, lhsContract, rhsContract);
  Value out = stablehlo::DotGeneralOp::create(
      b_, build_.loc, RankedTensorType::get(made, typeOf(op_.getResult()).getElementType()), lhs, rhs, numbers,
      op_.getPrecisionConfigAttr(), stablehlo::DotAlgorithmAttr());
  return build_.reshape(out, shape);
}

// `v` without a dim of one element; `dims` are others of its.
Value Convolution::withoutDim(Value v, int64_t dim, SmallVectorImpl<int64_t> &dims) {
  SmallVector<int64_t> shape(typeOf(v).getShape());
  shape.erase(shape.begin() + dim);
  for (int64_t &d : dims) d -= d > dim;
  return build_.reshape(v, shape);
}

// `columns` is [batch, out.., window x in]; `kernel` [window x in / groups, out]. The result is [batch, out.., out
// features].
Value Convolution::product(Value columns, Value kernel) {
  int64_t last = space_ + 1, batch = typeOf(columns).getDimSize(0), k = typeOf(columns).getShape().back();
  int64_t features = typeOf(kernel).getDimSize(1);
  if (batchGroups_ > 1) {
    Value l = build_.reshape(columns, [&] {
      SmallVector<int64_t> s{batchGroups_, batch / batchGroups_};
      llvm::append_range(s, out_);
      s.push_back(k);
      return s;
    }());
    Value r = build_.reshape(kernel, {k, batchGroups_, features / batchGroups_});
    Value d = dot(l, r, {0}, {1}, {last + 1}, {0});  // [groups, batch / groups, out.., features / groups]
    SmallVector<int64_t> permutation{1};
    for (int64_t i = 0; i < space_; ++i) permutation.push_back(2 + i);
    permutation.push_back(0);
    permutation.push_back(last + 1);
    return build_.reshape(build_.transpose(d, permutation), with(batch / batchGroups_, out_, features));
  }
  return dot(columns, kernel, {}, {}, {last}, {0});
}

// One feature in and out of each group: sums of products, elementwise.
Value Convolution::depthwise(ArrayRef<Value> windows, Value kernel) {
  int64_t features = typeOf(kernel).getShape().back();
  Value flat = build_.reshape(kernel, {static_cast<int64_t>(windows.size()), features});
  Value sum;
  for (auto [i, w] : llvm::enumerate(windows)) {
    int64_t at = i;
    Value row = build_.reshape(build_.slice(flat, {at, 0}, {at + 1, features}, {1, 1}), {features});
    auto type = typeOf(w);
    Value k = build_.broadcast(row, type.getShape(), {type.getRank() - 1});
    Value product = stablehlo::MulOp::create(b_, build_.loc, w, k);
    sum = sum ? Value(stablehlo::AddOp::create(b_, build_.loc, sum, product)) : product;
  }
  return sum;
}

Value Convolution::converted(Value v, Type element) {
  return typeOf(v).getElementType() == element
             ? v
             : Value(stablehlo::ConvertOp::create(b_, build_.loc, typeOf(v).clone(element), v));
}

// One number in and out of each group of the batch, in f32: its sums are elementwise.
bool Convolution::isDepthwiseGradient(Value v, Value kernel) {
  auto narrow = [](Value x) {
    return typeOf(x).getElementType().isF32() || typeOf(x).getElementType().isBF16() ||
           typeOf(x).getElementType().isF16();
  };
  return batchGroups_ > 1 && typeOf(v).getDimSize(0) == batchGroups_ &&
         typeOf(kernel).getShape().back() == batchGroups_ && narrow(v) && narrow(kernel) && narrow(op_.getResult());
}

// A result of a window [batch, space.., in] and a kernel [space.., in, out]: [batch / groups, 1, out].
Value Convolution::resultOf(Value window, Value kernel) {
  int64_t batch = typeOf(window).getDimSize(0), features = typeOf(kernel).getShape().back(),
          k = typeOf(kernel).getNumElements() / features;
  if (batchGroups_ == 1)
    return build_.reshape(
        dot(build_.reshape(window, {batch, k}), build_.reshape(kernel, {k, features}), {}, {}, {1}, {0}),
        {batch, 1, features});
  int64_t each = batch / batchGroups_, some = features / batchGroups_;
  Value d = dot(build_.reshape(window, {batchGroups_, each, k}), build_.reshape(kernel, {k, batchGroups_, some}), {0},
                {1}, {2}, {0});
  return build_.reshape(build_.transpose(d, {1, 0, 2}), {each, 1, features});
}

// A dot for each result: for windows of many positions, as gradients of weights have. Those of depthwise weights are
// [in, space.., groups] times the kernel, summed over all but the groups.
Value Convolution::byResults(Value v, Value kernel) {
  SmallVector<Value> results;
  SmallVector<int64_t> at(space_, 0);
  bool depthwise = isDepthwiseGradient(v, kernel);
  if (depthwise) {
    SmallVector<int64_t> before = llvm::to_vector(llvm::seq<int64_t>(0, space_));
    v = padded(n_.getInputFeatureDimension(), n_.getInputBatchDimension());
    kernel = converted(build_.transpose(kernel, with(space_, before, space_ + 1)), b_.getF32Type());
  }
  int64_t batch = typeOf(v).getDimSize(0), channels = typeOf(v).getShape().back(),
          features = typeOf(kernel).getShape().back();
  while (true) {
    SmallVector<int64_t> start, limit;
    for (int64_t d = 0; d < space_; ++d) {
      start.push_back(at[d] * stride_[d]);
      limit.push_back(start[d] + (window_[d] - 1) * rhsDilation_[d] + 1);
    }
    Value window = build_.slice(v, with(0, start, 0), with(batch, limit, channels), with(1, rhsDilation_, 1));
    if (depthwise) {
      Value products = stablehlo::MulOp::create(b_, build_.loc, converted(window, b_.getF32Type()), kernel);
      results.push_back(
          build_.reshape(build_.sum(products, llvm::to_vector(llvm::seq<int64_t>(0, space_ + 1))), {1, 1, features}));
    } else {
      results.push_back(resultOf(window, kernel));
    }
    int64_t d = space_ - 1;
    while (d >= 0 && ++at[d] == out_[d]) at[d--] = 0;
    if (d < 0) break;
  }
  Value all = build_.reshape(build_.concatenate(results, 1), with(typeOf(results[0]).getDimSize(0), out_, features));
  return converted(all, typeOf(op_.getResult()).getElementType());
}

void Convolution::run() {
  readWindow();
  Value in = input(), k = kernel();
  int64_t positions = 1, results = 1;
  for (int64_t w : window_) positions *= w;
  for (int64_t o : out_) results *= o;
  if (featureGroups_ == 1 && results < positions) {
    finish(byResults(in, k));
    return;
  }
  int64_t channels = typeOf(k).getDimSize(space_), features = typeOf(k).getDimSize(space_ + 1);
  SmallVector<Value> slices = windows(in);
  Value out;
  if (featureGroups_ == 1) {
    Value columns = build_.concatenate(slices, space_ + 1);
    out = product(columns, build_.reshape(k, {positions * channels, features}));
  } else if (channels == 1 && features == featureGroups_ &&
             typeOf(op_.getLhs()).getElementType() == typeOf(op_.getResult()).getElementType()) {
    out = depthwise(slices, k);
  } else {
    // [batch, out.., groups, window x in / groups] and [window x in / groups, groups, out / groups].
    SmallVector<Value> grouped;
    for (Value s : slices) {
      SmallVector<int64_t> shape(typeOf(s).getShape());
      shape.back() = featureGroups_;
      shape.push_back(channels);
      grouped.push_back(build_.reshape(s, shape));
    }
    Value columns = build_.concatenate(grouped, space_ + 2);
    Value r = build_.reshape(k, {positions * channels, featureGroups_, features / featureGroups_});
    Value d = dot(columns, r, {space_ + 1}, {1}, {space_ + 2}, {0});  // [groups, batch, out.., features / groups]
    SmallVector<int64_t> permutation;
    for (int64_t i = 1; i <= space_ + 1; ++i) permutation.push_back(i);
    permutation.push_back(0);
    permutation.push_back(space_ + 2);
    SmallVector<int64_t> shape(typeOf(columns).getShape().take_front(space_ + 1));
    shape.push_back(features);
    out = build_.reshape(build_.transpose(d, permutation), shape);
  }
  finish(out);
}

// [batch, space.., features] to the result's order.
void Convolution::finish(Value out) {
  SmallVector<int64_t> permutation(space_ + 2);
  permutation[n_.getOutputBatchDimension()] = 0;
  permutation[n_.getOutputFeatureDimension()] = space_ + 1;
  for (auto [i, d] : llvm::enumerate(n_.getOutputSpatialDimensions())) permutation[d] = i + 1;
  op_.replaceAllUsesWith(build_.transpose(out, permutation));
  op_.erase();
}

struct ExpandConvolution : impl::ExpandConvolutionPassBase<ExpandConvolution> {
  using ExpandConvolutionPassBase::ExpandConvolutionPassBase;
  void runOnOperation() override {
    target::Target machine;
    if (failed(loadTarget(getOperation(), target, sets, machine))) return signalPassFailure();
    const plan::Question question(machine);
    SmallVector<stablehlo::ConvolutionOp> ops;
    getOperation().walk([&](stablehlo::ConvolutionOp op) { ops.push_back(op); });
    for (auto op : ops) {
      if (question.hasKernel(op) && !isPointwise(op)) continue;
      OpBuilder b(op);
      // Sums of nothing.
      if (typeOf(op.getResult()).getNumElements() == 0 || typeOf(op.getRhs()).getNumElements() == 0 ||
          typeOf(op.getLhs()).getNumElements() == 0) {
        Build build{b, op.getLoc()};
        op.replaceAllUsesWith(build.broadcast(build.zero(typeOf(op.getResult()).getElementType()),
                                              typeOf(op.getResult()).getShape(), {}));
        op.erase();
        continue;
      }
      Convolution(op, b).run();
    }
  }
};

}  // namespace
}  // namespace tpuc::decompose
