// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of images with their batch along sublanes, where that fills them better.
//
//  1. Rows of an array's tile are pixels of the last spatial dim: 4, 7 or 14 of the 16 that bf16 has. Where the images
//     are many, they fill them.
//  2. The batch becomes the last spatial dim, of a window of one, or, of a gradient, of all images. The operands are
//     transposed to it; the pass behind takes that order through what is around (order_convolutions.cpp).
#include "passes/analysis/convolution_form.h"
#include "passes/analysis/strides.h"
#include "passes/analysis/target_option.h"
#include "passes/builders/build.h"
#include "passes/layout/array_orders.h"
#include "passes/layout/passes.h"
#include "passes/plan/question.h"

using namespace mlir;

namespace tpuc::layout {
using namespace analysis;
using namespace builders;
#define GEN_PASS_DEF_BATCHROWSPASS
#include "passes/layout/passes.h.inc"
namespace {

// The least gain: how much rows of pixels are padded, over how much rows of images are. A network has few arrays of
// wide images, but its largest are; the windows and convolutions around them keep their order. So there the gain has to
// be more than transposes take.
constexpr double kLeastGain = 1.1, kLeastOfWide = 1.5;
constexpr int64_t kWide = 28;  // pixels

class BatchRows {
 public:
  // `side`: of an array of the matrix unit.
  BatchRows(stablehlo::ConvolutionOp op, int64_t side)
      : op_(op),
        side_(side),
        b_(op),
        build_{b_, op.getLoc()},
        numbers_(op.getDimensionNumbers()),
        space_(static_cast<int64_t>(numbers_.getInputSpatialDimensions().size())),
        isGradient_(analysis::isGradient(op)),
        images_(typeOf(op.getLhs()).getDimSize(0)) {}

  // Asked of the input, and of the result or, for a gradient, of what is convolved with it: where one has nothing to
  // gain, it would be transposed for this op alone.
  bool pays() {
    if (space_ > 2 || op_.getFeatureGroupCount() != 1 || (!isGradient_ && !isCanonical(op_)) ||
        typeOf(op_.getResult()).getNumElements() == 0 || typeOf(op_.getLhs()).getNumElements() == 0)
      return false;
    const ConvAxis &last = axesOf(op_).back();
    const int64_t others = isGradient_ ? last.window : last.out;
    const double least = (std::max(last.in, others) > kWide ? kLeastOfWide : kLeastGain) * foldedGain();
    return gain(last.in) >= least && gain(others) >= least && (!isGradient_ || fillsTiles(last.window));
  }

  // Whether a kernel takes it.
  bool rewrite(const plan::Question &question) {
    SmallVector<int64_t> shape, back;
    Value lhs = withRows(op_.getLhs());
    Value rhs = isGradient_ ? withRows(op_.getRhs()) : withUnit(op_.getRhs(), space_);
    auto made = cast<stablehlo::ConvolutionOp>(b_.clone(*op_));
    made.getLhsMutable().assign(lhs);
    made.getRhsMutable().assign(rhs);
    made.setDimensionNumbersAttr(isGradient_ ? gradientNumbers() : forwardNumbers());
    addAxis(made);
    RankedTensorType type = typeOf(op_.getResult());
    if (isGradient_) {
      shape = llvm::to_vector(type.getShape());
      shape.insert(shape.begin() + space_, 1);
    } else {
      shape.push_back(1);
      shape.append(type.getShape().begin() + 1, type.getShape().end() - 1);
      shape.append({images_, type.getShape().back()});
    }
    made.getResult().setType(type.clone(shape));
    // A pointwise one becomes a matmul, which has a kernel.
    if (!isPointwise(op_) && !question.hasKernel(made)) {
      made.erase();
      eraseUnused(lhs);
      eraseUnused(rhs);
      return false;
    }
    Value out = made.getResult();
    if (!isGradient_) {
      back.append({0, space_ + 1});
      for (int64_t d = 1; d <= space_; ++d) back.push_back(d);
      back.push_back(space_ + 2);
      out = build_.transpose(out, back);
    }
    op_.replaceAllUsesWith(build_.reshape(out, type.getShape()));
    op_.erase();
    return true;
  }

 private:
  // What was made for `v`, up to what others read.
  static void eraseUnused(Value v) {
    while (Operation *def = v.getDefiningOp()) {
      if (!isOpTriviallyDead(def) || def->getNumOperands() != 1) return;
      v = def->getOperand(0);
      def->erase();
    }
  }
  int64_t unit() { return 8 * analysis::Packing::of(typeOf(op_.getLhs()).getElementType()).pack; }
  static double padded(int64_t n, int64_t unit) {
    return static_cast<double>(llvm::alignTo(n, unit)) / static_cast<double>(n);
  }
  double gain(int64_t pixels) { return padded(pixels, unit()) / padded(images_, unit()); }
  // Pushes of all taps along the last axis over those with taps of few features side by side in lanes (conv/fold.h).
  // Images are no axis to fold.
  double foldedGain() {
    const ConvAxis &last = axesOf(op_).back();
    const int64_t features = typeOf(op_.getLhs()).getShape().back(), taps = isGradient_ ? last.out : last.window;
    if (taps > kMostFolded) return 1;
    return static_cast<double>(taps * llvm::divideCeil(features, side_)) /
           static_cast<double>(llvm::divideCeil(taps * features, side_));
  }
  // Whether a gradient's tiles, of 128 positions and groups of 8 images, come out even for so many pixels at once.
  bool fillsTiles(int64_t pixels) const {
    const int64_t groups = llvm::divideCeil(images_, 8);
    int64_t most = 0;
    for (int64_t n = 1; n <= pixels && n * groups <= 16; ++n)
      if (pixels % n == 0) most = n;
    return groups > 16 || 4 * most * groups >= 3 * 16;
  }

  // [n, space.., features] as [1, space.., n, features].
  Value withRows(Value v) {
    SmallVector<int64_t> shape(typeOf(v).getShape()), order{0};
    shape.insert(shape.begin(), 1);
    for (int64_t d = 2; d <= space_ + 1; ++d) order.push_back(d);
    order.append({1, space_ + 2});
    return build_.transpose(build_.reshape(v, shape), order);
  }
  Value withUnit(Value v, int64_t at) {
    SmallVector<int64_t> shape(typeOf(v).getShape());
    shape.insert(shape.begin() + at, 1);
    return build_.reshape(v, shape);
  }
  static SmallVector<int64_t> counted(int64_t first, int64_t n) {
    return llvm::to_vector(llvm::seq<int64_t>(first, first + n));
  }
  stablehlo::ConvDimensionNumbersAttr forwardNumbers() {
    const int64_t n = space_ + 1;
    return stablehlo::ConvDimensionNumbersAttr::get(
        op_.getContext(), 0, n + 1, counted(1, n), numbers_.getKernelInputFeatureDimension() + 1,
        numbers_.getKernelOutputFeatureDimension() + 1, counted(0, n), 0, n + 1, counted(1, n));
  }
  stablehlo::ConvDimensionNumbersAttr gradientNumbers() {
    const int64_t n = space_ + 1;
    return stablehlo::ConvDimensionNumbersAttr::get(op_.getContext(), n + 1, 0, counted(1, n), 0, n + 1, counted(1, n),
                                                    n, n + 1, counted(0, n));
  }
  // Along the images: nothing but each other's place.
  void addAxis(stablehlo::ConvolutionOp made) {
    auto with = [&](std::optional<ArrayRef<int64_t>> values, int64_t last) {
      SmallVector<int64_t> out = values ? SmallVector<int64_t>(*values) : SmallVector<int64_t>(space_, 1);
      out.push_back(last);
      return out;
    };
    made.setWindowStrides(with(op_.getWindowStrides(), 1));
    made.setLhsDilation(with(op_.getLhsDilation(), 1));
    made.setRhsDilation(with(op_.getRhsDilation(), 1));
    SmallVector<int64_t> padding(2 * (space_ + 1), 0);
    for (auto [i, a] : llvm::enumerate(axesOf(op_))) {
      padding[2 * i] = a.low;
      padding[2 * i + 1] = a.high;
    }
    made.setPaddingAttr(DenseIntElementsAttr::get(RankedTensorType::get({space_ + 1, 2}, b_.getI64Type()), padding));
    SmallVector<bool> reversal(space_ + 1, false);
    if (auto own = op_.getWindowReversal()) llvm::copy(*own, reversal.begin());
    made.setWindowReversal(reversal);
  }

  stablehlo::ConvolutionOp op_;
  int64_t side_;
  OpBuilder b_;
  Build build_;
  stablehlo::ConvDimensionNumbersAttr numbers_;
  int64_t space_;
  bool isGradient_;
  int64_t images_;
};

struct BatchRowsPass : impl::BatchRowsPassBase<BatchRowsPass> {
  using BatchRowsPassBase::BatchRowsPassBase;

  void runOnOperation() override {
    target::Target machine;
    if (failed(loadTarget(getOperation(), target, sets, machine))) return signalPassFailure();
    const plan::Question question(machine);
    SmallVector<stablehlo::ConvolutionOp> ops;
    getOperation().walk([&](stablehlo::ConvolutionOp op) { ops.push_back(op); });
    for (auto op : ops)
      if (BatchRows rows(op, machine.core().mxu_side()); rows.pays()) rows.rewrite(question);
  }
};

}  // namespace
}  // namespace tpuc::layout
