// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions to the form that their kernel takes: features along lanes, the last spatial dim along sublanes.
//
//  1. A reversal of the weights becomes the window's own.
//  2. Operands and results are transposed to [batch, space.., features] and [window.., in, out]; where few features
//     meet many images, to [space.., features, batch].
#include "passes/analysis/convolution_form.h"
#include "passes/analysis/target_option.h"
#include "passes/builders/build.h"
#include "passes/layout/array_orders.h"
#include "passes/layout/batch_lanes.h"
#include "passes/layout/passes.h"
#include "passes/plan/question.h"

using namespace mlir;

namespace tpuc::layout {
using namespace analysis;
using namespace builders;
#define GEN_PASS_DEF_NORMALISECONVOLUTIONSPASS
#include "passes/layout/passes.h.inc"
namespace {

SmallVector<int64_t> around(int64_t first, ArrayRef<int64_t> space, int64_t last) {
  SmallVector<int64_t> out{first};
  llvm::append_range(out, space);
  out.push_back(last);
  return out;
}

// The op with `lhs`, `rhs`, numbers and result shape replaced, and all else kept.
stablehlo::ConvolutionOp rebuild(OpBuilder &b, stablehlo::ConvolutionOp op, Value lhs, Value rhs,
                                 ArrayRef<int64_t> shape, stablehlo::ConvDimensionNumbersAttr numbers) {
  auto type = RankedTensorType::get(shape, typeOf(op.getResult()).getElementType());
  auto made = cast<stablehlo::ConvolutionOp>(b.clone(*op));
  made.getLhsMutable().assign(lhs);
  made.getRhsMutable().assign(rhs);
  made.setDimensionNumbersAttr(numbers);
  made.getResult().setType(type);
  return made;
}

struct NormaliseConvolutions : impl::NormaliseConvolutionsPassBase<NormaliseConvolutions> {
  using NormaliseConvolutionsPassBase::NormaliseConvolutionsPassBase;

  static void absorbReversal(stablehlo::ConvolutionOp op) {
    auto reverse = op.getRhs().getDefiningOp<stablehlo::ReverseOp>();
    if (!reverse) return;
    auto space = op.getDimensionNumbers().getKernelSpatialDimensions();
    SmallVector<bool> flags(space.size(), false);
    if (auto own = op.getWindowReversal()) flags.assign(own->begin(), own->end());
    for (int64_t d : reverse.getDimensions()) {
      auto *it = llvm::find(space, d);
      if (it == space.end()) return;
      flags[it - space.begin()] ^= true;
    }
    op.getRhsMutable().assign(reverse.getOperand());
    op.setWindowReversal(flags);
    if (reverse->use_empty()) reverse.erase();
  }

  // The op on operands with dims in these orders; replaced by it, transposed back, when a kernel takes it.
  bool transposeTo(stablehlo::ConvolutionOp op, ArrayRef<int64_t> in, ArrayRef<int64_t> weights, ArrayRef<int64_t> out,
                   stablehlo::ConvDimensionNumbersAttr numbers, bool needsKernel = true) const {
    OpBuilder b(op);
    Build build{b, op.getLoc()};
    SmallVector<int64_t> shape, back(out.size());
    for (int64_t d : out) shape.push_back(typeOf(op.getResult()).getDimSize(d));
    Value lhs = build.transpose(op.getLhs(), in), rhs = build.transpose(op.getRhs(), weights);
    auto made = rebuild(b, op, lhs, rhs, shape, numbers);
    if (needsKernel && !question_->hasKernel(made)) {
      made.erase();
      return false;
    }
    for (auto [i, d] : llvm::enumerate(out)) back[d] = i;
    op.replaceAllUsesWith(build.transpose(made.getResult(), back));
    op.erase();
    return true;
  }

  bool transposeToCanonical(stablehlo::ConvolutionOp op) const {
    auto n = op.getDimensionNumbers();
    int64_t space = n.getInputSpatialDimensions().size();
    SmallVector<int64_t> weights(n.getKernelSpatialDimensions());
    bool inFirst = true;
    weights.append({n.getKernelInputFeatureDimension(), n.getKernelOutputFeatureDimension()});
    if (movesElements(typeOf(op.getRhs()), weights) && op.getFeatureGroupCount() == 1) {
      SmallVector<int64_t> other(weights);
      std::swap(other[space], other[space + 1]);
      if (!movesElements(typeOf(op.getRhs()), other)) {
        inFirst = false;
        weights = other;
      }
    }
    SmallVector<int64_t> spaceDims = llvm::to_vector(llvm::seq<int64_t>(1, space + 1)),
                         windowDims = llvm::to_vector(llvm::seq<int64_t>(0, space));
    auto numbers = stablehlo::ConvDimensionNumbersAttr::get(op.getContext(), 0, space + 1, spaceDims, space + !inFirst,
                                                            space + inFirst, windowDims, 0, space + 1, spaceDims);
    return transposeTo(
        op, around(n.getInputBatchDimension(), n.getInputSpatialDimensions(), n.getInputFeatureDimension()), weights,
        around(n.getOutputBatchDimension(), n.getOutputSpatialDimensions(), n.getOutputFeatureDimension()), numbers,
        /*needsKernel=*/!isPointwise(op));
  }

  // In groups, or with dims in this order already, there is nothing to gain.
  static bool isPlain(stablehlo::ConvolutionOp op) {
    return op.getFeatureGroupCount() == 1 && op.getBatchGroupCount() == 1 && !isCanonical(op);
  }

  bool transposeToGradient(stablehlo::ConvolutionOp op) const {
    auto n = op.getDimensionNumbers();
    int64_t space = n.getInputSpatialDimensions().size();
    SmallVector<int64_t> out(n.getOutputSpatialDimensions());
    out.append({n.getOutputBatchDimension(), n.getOutputFeatureDimension()});
    SmallVector<int64_t> inner = llvm::to_vector(llvm::seq<int64_t>(1, space + 1)),
                         outer = llvm::to_vector(llvm::seq<int64_t>(0, space));
    auto numbers = stablehlo::ConvDimensionNumbersAttr::get(op.getContext(), space + 1, 0, inner, 0, space + 1, inner,
                                                            space, space + 1, outer);
    return transposeTo(
        op, around(n.getInputFeatureDimension(), n.getInputSpatialDimensions(), n.getInputBatchDimension()),
        around(n.getKernelInputFeatureDimension(), n.getKernelSpatialDimensions(), n.getKernelOutputFeatureDimension()),
        out, numbers);
  }

  // [space.., features, batch], or a gradient of these; of one feature [space.., features, last, batch].
  bool transposeToBatchLanes(stablehlo::ConvolutionOp op, bool isGradient) const {
    auto n = op.getDimensionNumbers();
    const int64_t space = static_cast<int64_t>(n.getInputSpatialDimensions().size());
    int64_t features = n.getInputFeatureDimension(), images = n.getInputBatchDimension();
    if (isGradient) std::swap(features, images);
    const bool single = typeOf(op.getLhs()).getDimSize(features) == 1;
    SmallVector<int64_t> in(n.getInputSpatialDimensions()), weights(n.getKernelSpatialDimensions()),
        out(n.getOutputSpatialDimensions());
    in.append({features, images});
    if (single) std::swap(in[space - 1], in[space]);
    weights.append({n.getKernelInputFeatureDimension(), n.getKernelOutputFeatureDimension()});
    out.append({n.getOutputFeatureDimension(), n.getOutputBatchDimension()});
    if (isGradient) {
      std::swap(weights[space], weights[space + 1]);
      std::swap(out[space], out[space + 1]);
    }
    SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, space)), inDims(dims);
    if (single) inDims.back() = space;
    const int64_t its = single ? space - 1 : space, last = space + 1;
    auto numbers = isGradient ? stablehlo::ConvDimensionNumbersAttr::get(op.getContext(), its, last, inDims, last,
                                                                         space, dims, space, last, dims)
                              : stablehlo::ConvDimensionNumbersAttr::get(op.getContext(), last, its, inDims, space,
                                                                         last, dims, last, space, dims);
    return transposeTo(op, in, weights, out, numbers);
  }

  // A gradient's window is all of its second operand, its result the few taps; it sums over what was a batch. Where the
  // window is as large because the result is small, the features are what it sums over.
  static bool hasLargeWindow(stablehlo::ConvolutionOp op) {
    int64_t out = 1;
    for (const ConvAxis &a : axesOf(op)) out *= a.out;
    return positionsOf(op) >= out;
  }
  static int64_t positionsOf(stablehlo::ConvolutionOp op) {
    int64_t window = 1;
    for (const ConvAxis &a : axesOf(op)) window *= a.window;
    return window;
  }
  static bool sumsBatch(stablehlo::ConvolutionOp op) {
    auto n = op.getDimensionNumbers();
    return typeOf(op.getLhs()).getDimSize(n.getInputFeatureDimension()) <=
           typeOf(op.getLhs()).getDimSize(n.getInputBatchDimension());
  }
  // In groups of the batch it is the gradient of depthwise weights, or has no kernel.
  static bool mayBeGradient(stablehlo::ConvolutionOp op) {
    return op.getBatchGroupCount() > 1 || (hasLargeWindow(op) && (sumsBatch(op) || positionsOf(op) > kMostPositions));
  }

  bool transposeToBatchLanes(stablehlo::ConvolutionOp op, const target::Target &machine) const {
    if (op.getFeatureGroupCount() != 1 || op.getBatchGroupCount() != 1) return false;
    const bool isGradientOtherwise = !isCanonical(op) && (analysis::isGradient(op) || mayBeGradient(op));
    for (bool isGradient : {true, false})
      if ((!isGradient || hasLargeWindow(op)) &&
          paysInBatchLanes(op, isGradient, isGradient || isGradientOtherwise, machine) &&
          transposeToBatchLanes(op, isGradient))
        return true;
    return false;
  }

  void runOnOperation() override {
    target::Target machine;
    if (failed(loadTarget(getOperation(), target, sets, machine))) return signalPassFailure();
    question_.emplace(machine);
    SmallVector<stablehlo::ConvolutionOp> ops;
    getOperation().walk([&](stablehlo::ConvolutionOp op) { ops.push_back(op); });
    for (auto op : ops) {
      // It becomes a dot. A dot would leave its operands in orders that the convolutions around do not have; in
      // canonical form they have the same.
      if (isPointwise(op)) {
        if (isPlain(op)) transposeToCanonical(op);
        continue;
      }
      absorbReversal(op);
      if (hasBatchLanes(op) || isBatchLanesGradient(op)) continue;
      if (transposeToBatchLanes(op, machine) || isCanonical(op) || question_->hasKernel(op)) continue;
      if (mayBeGradient(op) && transposeToGradient(op)) continue;
      if (positionsOf(op) <= kMostPositions) transposeToCanonical(op);
    }
  }

 private:
  std::optional<plan::Question> question_;  // of the run
};

}  // namespace
}  // namespace tpuc::layout
