// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions over padded dimensions: zeros behind the true end of what is summed, as many windows as the largest
// result has.
#include "dialects/stablehlo/checks.h"
#include "passes/shapes/moves.h"
#include "passes/shapes/windows.h"

using namespace mlir;

namespace tpuc::shapes {

namespace hlo = tpuc::stablehlo;

namespace {

RankedTensorType tensor(Value value) { return cast<RankedTensorType>(value.getType()); }

// Whether sizes are known where a convolution needs them, and its features are as many on both sides.
template <typename ConvOp>
LogicalResult checkConvolution(ConvOp op, Padder &padder) {
  auto dims = op.getDimensionNumbers();
  Value lhs = op.getLhs(), rhs = op.getRhs();
  if (hlo::isQuantized(lhs.getType())) return padder.refuse(op, "its elements are quantised");
  if (!padder.paddedAmong(rhs, dims.getKernelSpatialDimensions()).empty())
    return padder.refuse(op, "its kernel is of open size");
  const int64_t inFeature = dims.getInputFeatureDimension(), kernelIn = dims.getKernelInputFeatureDimension();
  const bool featuresOpen = padder.isPadded(lhs, inFeature) || padder.isPadded(rhs, kernelIn) ||
                            padder.isPadded(rhs, dims.getKernelOutputFeatureDimension());
  if ((op.getFeatureGroupCount() != 1 && featuresOpen) ||
      (op.getBatchGroupCount() != 1 && (featuresOpen || padder.isPadded(lhs, dims.getInputBatchDimension()))))
    return padder.refuse(op, "its groups are of open size");
  if (op.getFeatureGroupCount() != 1) return success();
  return padder.requireEqual(op, padder.extents(lhs)[inFeature], padder.extents(rhs)[kernelIn],
                             "features of operand and kernel");
}

// A convolution's operand with zeros behind its true end along `dim`, and the static op's padding there. `count`: how
// many windows the result has for the largest size.
struct PaddedDim {
  Value array;
  int64_t low, high;
};
FailureOr<PaddedDim> padForWindows(Operation *op, Padder &padder, Value array, int64_t dim, const Window &window,
                                   Value fill, int64_t count) {
  if (!isOpen(window) && !padder.isPadded(array, dim))
    return PaddedDim{array, *window.low.asNumber(), *window.high.asNumber()};
  if (!window.isTrivial())
    array = padder.masked(op, array, {dim}, fill, "windows along dimension " + std::to_string(dim));
  int64_t low = window.low.asNumber().value_or(0);
  if (!window.low.asNumber() || (window.high.asNumber().value_or(0) < 0 || low < 0)) {
    if (window.baseDilation != 1) return padder.refuse(op, "a dilated operand has padding of open size");
    auto moved = padDim(op, padder, array, dim, fill, window.low, Extent(), 0);
    if (failed(moved)) return failure();
    array = moved->first;
    low = 0;
  }
  const int64_t high = highFor(count, tensor(array).getDimSize(dim), *window.size.asNumber(), low, window);
  return PaddedDim{array, low, high};
}

// The static op of a convolution, `pads` on its operand's spatial dims; its result has `shape` but for the sizes along
// these.
template <typename ConvOp>
FailureOr<Value> staticConvolution(ConvOp op, Padder &padder, Value lhs, Value rhs, ArrayRef<int64_t> pads,
                                   SmallVector<int64_t> shape) {
  OpBuilder builder(op);
  auto dims = op.getDimensionNumbers();
  for (auto [i, out] : llvm::enumerate(dims.getOutputSpatialDimensions())) {
    hlo::WindowDim window;
    window.size = tensor(rhs).getDimSize(dims.getKernelSpatialDimensions()[i]);
    window.stride = elementOr(op.getWindowStrides(), i, 1);
    window.baseDilation = elementOr(op.getLhsDilation(), i, 1);
    window.windowDilation = elementOr(op.getRhsDilation(), i, 1);
    window.padLow = pads[2 * i];
    window.padHigh = pads[2 * i + 1];
    auto count = hlo::numWindows(tensor(lhs).getDimSize(dims.getInputSpatialDimensions()[i]), window);
    if (!count) return padder.refuse(op, "its windows cannot be counted");
    shape[out] = *count;
  }
  auto type = RankedTensorType::get(shape, cast<RankedTensorType>(op.getType()).getElementType());
  auto attr = DenseIntElementsAttr::get(
      RankedTensorType::get({static_cast<int64_t>(pads.size() / 2), 2}, builder.getI64Type()), pads);
  return hlo::ConvolutionOp::create(builder, op->getLoc(), type, lhs, rhs, op.getWindowStridesAttr(), attr,
                                    op.getLhsDilationAttr(), op.getRhsDilationAttr(), op.getWindowReversalAttr(),
                                    op.getDimensionNumbersAttr(), op.getFeatureGroupCountAttr(),
                                    op.getBatchGroupCountAttr(), op.getPrecisionConfigAttr())
      .getResult();
}

// `padding`: low and high of each spatial dimension.
template <typename ConvOp>
LogicalResult convolve(ConvOp op, Padder &padder, ArrayRef<Extent> padding) {
  if (failed(checkConvolution(op, padder))) return failure();
  auto dims = op.getDimensionNumbers();
  Value lhs = op.getLhs(), rhs = op.getRhs();
  Extents left = padder.extents(lhs), right = padder.extents(rhs), result(left.size());
  OpBuilder builder(op);
  Value fill = zeroOf(builder, op->getLoc(), tensor(lhs).getElementType()),
        kernelZero = zeroOf(builder, op->getLoc(), tensor(rhs).getElementType());
  lhs = padder.masked(op, lhs, {static_cast<int64_t>(dims.getInputFeatureDimension())}, fill,
                      "a convolution summed over features");
  rhs = padder.masked(op, rhs, {static_cast<int64_t>(dims.getKernelInputFeatureDimension())}, kernelZero,
                      "a convolution summed over features");
  result[dims.getOutputBatchDimension()] =
      *padder.space.floorDiv(left[dims.getInputBatchDimension()], number(op.getBatchGroupCount()));
  result[dims.getOutputFeatureDimension()] = right[dims.getKernelOutputFeatureDimension()];
  SmallVector<int64_t> pads;
  for (auto [i, out] : llvm::enumerate(dims.getOutputSpatialDimensions())) {
    const int64_t dim = dims.getInputSpatialDimensions()[i];
    Window window{number(tensor(rhs).getDimSize(dims.getKernelSpatialDimensions()[i])),
                  padding[2 * i],
                  padding[2 * i + 1],
                  elementOr(op.getWindowStrides(), i, 1),
                  elementOr(op.getLhsDilation(), i, 1),
                  elementOr(op.getRhsDilation(), i, 1)};
    if (window.baseDilation != 1 && padder.space.range(left[dim]).least < 1)
      return padder.refuse(op, "a dilated operand may have no elements");
    result[out] = numWindows(left[dim], window, padder);
    auto padded = padForWindows(op, padder, lhs, dim, window, fill, padder.capacity(result)[out]);
    if (failed(padded)) return failure();
    lhs = padded->array;
    pads.append({padded->low, padded->high});
  }
  auto made = staticConvolution(op, padder, lhs, rhs, pads, padder.capacity(result));
  return failed(made) ? failure() : padder.replace(op, {*made}, {result});
}

}  // namespace

LogicalResult padConvolution(Operation *op, Padder &padder) {
  auto conv = cast<hlo::ConvolutionOp>(op);
  SmallVector<int64_t> padding = flat(conv.getPadding(), tensor(conv.getLhs()).getRank() - 2);
  return convolve(conv, padder, llvm::map_to_vector(padding, number));
}

LogicalResult padDynamicConvolution(Operation *op, Padder &padder) {
  auto conv = cast<hlo::DynamicConvOp>(op);
  const SizeValues::Elements *padding = padder.values.of(conv.getDPadding());
  return padding ? convolve(conv, padder, *padding) : padder.refuse(op, "its padding depends on data");
}

}  // namespace tpuc::shapes
