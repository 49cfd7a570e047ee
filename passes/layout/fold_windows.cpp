// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A convolution over few features whose windows lie next to one another, without overlap: patches of an image.
//  1. Along all spatial dims but the last, a window's positions become features: [b, h w, s, f] is [b h, s, f w].
//  2. That goes by whole rows along the last spatial dim, then one exchange of rows and lanes; the weights likewise.
//  3. The gradient of such weights takes the same image: its window's positions lie a window's size apart.
#include "passes/analysis/convolution_form.h"
#include "passes/analysis/domain.h"
#include "passes/analysis/target_option.h"
#include "passes/builders/build.h"
#include "passes/layout/array_orders.h"
#include "passes/layout/passes.h"
#include "runtime/timing/machine_model.h"

using namespace mlir;

namespace tpuc::layout {
using namespace analysis;
using namespace builders;
#define GEN_PASS_DEF_FOLDWINDOWSPASS
#include "passes/layout/passes.h.inc"
namespace {

constexpr int64_t kFewFeatures = 32;  // of 128 rows of an array
constexpr int64_t kMostFolded = 512;
constexpr int64_t kMoves = 3;  // kernels: the image's rows, its lanes, the weights

int64_t product(ArrayRef<int64_t> values) {
  int64_t n = 1;
  for (int64_t v : values) n *= v;
  return n;
}

class Folder {
 public:
  Folder(stablehlo::ConvolutionOp op, const timing::MachineModel &model)
      : model_(model), op_(op), n_(op.getDimensionNumbers()), axes_(axesOf(op)), b_(op), build_{b_, op.getLoc()} {
    if (axes_.empty()) return;
    isGradient_ = n_.getInputFeatureDimension() == 0 && analysis::isGradient(op_);
    for (const ConvAxis &a : ArrayRef(axes_).drop_back()) {
      windows_.push_back(isGradient_ ? a.out : a.window);
      outs_.push_back(isGradient_ ? a.window : a.out);
    }
  }
  bool applies();
  void fold();

 private:
  bool pays(int64_t folded);
  int64_t outer() const { return windows_.size(); }
  // The input's dims of images and of what they have at each place.
  int64_t batchDim() const { return isGradient_ ? n_.getInputFeatureDimension() : n_.getInputBatchDimension(); }
  int64_t featureDim() const { return isGradient_ ? n_.getInputBatchDimension() : n_.getInputFeatureDimension(); }
  bool isApart(const ConvAxis &a) const;
  Value input();
  Value weights();
  Value gradient();
  stablehlo::ConvolutionOp folded();
  void placeResult(Value out, ArrayRef<int64_t> space, int64_t batch, int64_t feature);

  const timing::MachineModel &model_;
  stablehlo::ConvolutionOp op_;
  stablehlo::ConvDimensionNumbersAttr n_;
  SmallVector<ConvAxis> axes_;
  OpBuilder b_;
  Build build_;
  SmallVector<int64_t> windows_, outs_;  // but the last dim's
  bool isGradient_ = false;
};

// Windows next to one another along an axis.
bool Folder::isApart(const ConvAxis &a) const {
  if (a.low != 0 || a.high > 0 || a.baseDilation != 1 || a.reversed) return false;
  if (isGradient_) return a.stride == 1 && a.dilation == a.out && a.in >= a.out * a.window;
  return a.window == a.stride && a.dilation == 1 && a.in >= a.out * a.window;
}

bool Folder::applies() {
  Type element = typeOf(op_.getLhs()).getElementType();
  if (axes_.size() < 2 || op_.getFeatureGroupCount() != 1 || op_.getBatchGroupCount() != 1 ||
      !(element.isF32() || element.isBF16() || element.isF16()))
    return false;
  int64_t features = typeOf(op_.getLhs()).getDimSize(featureDim()), folded = features * product(windows_);
  bool apart = llvm::all_of(ArrayRef(axes_).drop_back(), [&](const ConvAxis &a) { return isApart(a); });
  return apart && axes_.back().out > 0 && features <= kFewFeatures && folded > features && folded <= kMostFolded &&
         pays(folded);
}

// Rows that need not stream through the arrays, against the moves: one of the two arrays that they make goes through
// HBM, from one to the next the other stays in VMEM.
bool Folder::pays(int64_t folded) {
  int64_t batch = typeOf(op_.getLhs()).getDimSize(batchDim()) * product(outs_), last = axes_.back().in;
  int64_t rows = batch * axes_.back().out * axes_.back().window, taps = product(windows_);
  Type element = typeOf(op_.getLhs()).getElementType();
  int64_t bytes = std::min(analysis::paddedBytes(RankedTensorType::get({batch, folded, last}, element)),
                           analysis::paddedBytes(RankedTensorType::get({batch, last, folded}, element)));
  const target::Target &target = model_.target();
  const int cores = static_cast<int>(target.cores());
  double saved = static_cast<double>(rows * (taps - 1)) / target.core().mxu_rows_per_cycle() / target.core().mxus();
  double moves = static_cast<double>(kMoves * model_.launchCycles() + model_.hbmCycles(2 * bytes, 1));
  return saved / cores > moves;
}

// [batch, space.., features] to [batch x out.., last, features x window..].
Value Folder::input() {
  SmallVector<int64_t> first{batchDim(), featureDim()};
  llvm::append_range(first, n_.getInputSpatialDimensions());
  Value v = build_.transpose(op_.getLhs(), first);
  SmallVector<int64_t> start(first.size(), 0), limit(typeOf(v).getShape()), stride(first.size(), 1);
  for (int64_t i = 0; i < outer(); ++i) limit[2 + i] = outs_[i] * windows_[i];
  v = build_.slice(v, start, limit, stride);
  int64_t batch = limit[0], features = limit[1], last = limit.back();
  SmallVector<int64_t> split{batch, features}, order{0};
  for (int64_t i = 0; i < outer(); ++i) {
    split.append({outs_[i], windows_[i]});
    order.push_back(2 + 2 * i);
  }
  order.push_back(1);
  for (int64_t i = 0; i < outer(); ++i) order.push_back(3 + 2 * i);
  split.push_back(last);
  order.push_back(split.size() - 1);
  v = build_.transpose(build_.reshape(v, split), order);
  return build_.transpose(build_.reshape(v, {batch * product(outs_), features * product(windows_), last}), {0, 2, 1});
}

// The weights, [window.., in, out], as [last, in x window.., out].
Value Folder::weights() {
  auto space = n_.getKernelSpatialDimensions();
  SmallVector<int64_t> order{space.back(), n_.getKernelInputFeatureDimension()};
  llvm::append_range(order, space.drop_back());
  order.push_back(n_.getKernelOutputFeatureDimension());
  Value v = build_.transpose(op_.getRhs(), order);
  ArrayRef<int64_t> shape = typeOf(v).getShape();
  return build_.reshape(v, {shape.front(), shape[1] * product(windows_), shape.back()});
}

// The result's gradient, [batch, out.., last, out features], as [batch x out.., last, out features].
Value Folder::gradient() {
  SmallVector<int64_t> order{n_.getKernelInputFeatureDimension()};
  llvm::append_range(order, n_.getKernelSpatialDimensions());
  order.push_back(n_.getKernelOutputFeatureDimension());
  Value v = build_.transpose(op_.getRhs(), order);
  ArrayRef<int64_t> shape = typeOf(v).getShape();
  return build_.reshape(v, {shape.front() * product(outs_), axes_.back().window, shape.back()});
}

// The folded convolution. Its result is [batch x out.., last, out features], or of a gradient of weights [last tap,
// features x window.., out features].
stablehlo::ConvolutionOp Folder::folded() {
  Value in = input(), w = isGradient_ ? gradient() : weights();
  const ConvAxis &last = axes_.back();
  SmallVector<int64_t> shape{typeOf(in).getDimSize(0), last.out, typeOf(w).getShape().back()};
  if (isGradient_) shape = {last.out, typeOf(in).getDimSize(2), typeOf(w).getShape().back()};
  auto type = RankedTensorType::get(shape, typeOf(op_.getResult()).getElementType());
  auto made = cast<stablehlo::ConvolutionOp>(b_.clone(*op_));
  made.getLhsMutable().assign(in);
  made.getRhsMutable().assign(w);
  made.getResult().setType(type);
  made.setDimensionNumbersAttr(
      isGradient_ ? stablehlo::ConvDimensionNumbersAttr::get(op_.getContext(), 2, 0, {1}, 0, 2, {1}, 1, 2, {0})
                  : stablehlo::ConvDimensionNumbersAttr::get(op_.getContext(), 0, 2, {1}, 1, 2, {0}, 0, 2, {1}));
  made.setWindowStrides(ArrayRef<int64_t>{last.stride});
  made.setLhsDilation(ArrayRef<int64_t>{last.baseDilation});
  made.setRhsDilation(ArrayRef<int64_t>{last.dilation});
  made.setWindowReversal(ArrayRef<bool>{last.reversed});
  made.setPaddingAttr(DenseIntElementsAttr::get(RankedTensorType::get({1, 2}, b_.getI64Type()),
                                                ArrayRef<int64_t>{last.low, last.high}));
  return made;
}

// The dims of `out` that are the result's: spatial ones, batch, features.
void Folder::placeResult(Value out, ArrayRef<int64_t> space, int64_t batch, int64_t feature) {
  SmallVector<int64_t> back(space.size() + 2);
  back[n_.getOutputBatchDimension()] = batch;
  back[n_.getOutputFeatureDimension()] = feature;
  for (auto [i, d] : llvm::enumerate(n_.getOutputSpatialDimensions())) back[d] = space[i];
  op_.replaceAllUsesWith(build_.transpose(out, back));
  op_.erase();
}

void Folder::fold() {
  Value out = folded().getResult();
  const int64_t features = typeOf(out).getShape().back(), last = outer() + 1;
  SmallVector<int64_t> shape, space;
  if (isGradient_) {  // [last tap, features, window.., out features]
    shape = {axes_.back().out, typeOf(op_.getLhs()).getDimSize(featureDim())};
    llvm::append_range(shape, windows_);
    llvm::append_range(space, llvm::seq<int64_t>(2, 2 + outer()));
    space.push_back(0);
  } else {  // [batch, out.., last, out features]
    shape = {typeOf(op_.getLhs()).getDimSize(batchDim())};
    llvm::append_range(shape, outs_);
    shape.push_back(axes_.back().out);
    llvm::append_range(space, llvm::seq<int64_t>(1, 1 + last));
  }
  shape.push_back(features);
  placeResult(build_.reshape(out, shape), space, isGradient_ ? 1 : 0, static_cast<int64_t>(shape.size()) - 1);
}

struct FoldWindows : impl::FoldWindowsPassBase<FoldWindows> {
  using FoldWindowsPassBase::FoldWindowsPassBase;

  void runOnOperation() override {
    target::Target machine;
    if (failed(loadTarget(getOperation(), target, sets, machine))) return signalPassFailure();
    const timing::MachineModel model(machine);
    SmallVector<stablehlo::ConvolutionOp> ops;
    getOperation().walk([&](stablehlo::ConvolutionOp op) { ops.push_back(op); });
    for (auto op : ops)
      if (Folder folder(op, model); folder.applies()) folder.fold();
  }
};

}  // namespace
}  // namespace tpuc::layout
