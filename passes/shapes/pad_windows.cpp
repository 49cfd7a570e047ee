// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows over padded dimensions. What a window meets behind the true end is what the op's own padding is: the initial
// value, or zeros. The static op has as many windows as the largest result; those behind the true ones are padding of
// the result.
#include "dialects/stablehlo/checks.h"
#include "passes/shapes/dynamic_calls.h"
#include "passes/shapes/moves.h"
#include "passes/shapes/neutral.h"
#include "passes/shapes/window_calls.h"

using namespace mlir;

namespace tpuc::shapes {

namespace hlo = tpuc::stablehlo;

namespace {

RankedTensorType tensor(Value value) { return cast<RankedTensorType>(value.getType()); }

// One dimension of windows.
struct Window {
  Extent size, low, high;
  int64_t stride = 1, baseDilation = 1, dilation = 1;

  bool isTrivial() const {
    return size.asNumber() == 1 && stride == 1 && baseDilation == 1 && low.asNumber() == 0 && high.asNumber() == 0;
  }
};

Extent number(int64_t value) { return Extent::number(value); }
int64_t elementOr(std::optional<ArrayRef<int64_t>> list, size_t i, int64_t otherwise) {
  return list && i < list->size() ? (*list)[i] : otherwise;
}

Extent dilated(const Extent &extent, int64_t by) {
  return by == 1 ? extent
                 : ExtentSpace::add(ExtentSpace::scale(ExtentSpace::subtract(extent, number(1)), by), number(1));
}

Extent numWindows(const Extent &extent, const Window &window, Padder &padder) {
  Extent room = ExtentSpace::add(ExtentSpace::add(dilated(extent, window.baseDilation), window.low), window.high);
  room = ExtentSpace::subtract(room, dilated(window.size, window.dilation));
  Extent count = ExtentSpace::add(*padder.space.floorDiv(room, number(window.stride)), number(1));
  return padder.space.max(count, Extent());
}

// The high padding with which the static op has at least `want` windows.
int64_t highFor(int64_t want, int64_t size, int64_t windowSize, int64_t low, const Window &window) {
  const int64_t room = (std::max<int64_t>(size, 1) - 1) * window.baseDilation + (size > 0) + low;
  return std::max<int64_t>(0, (want - 1) * window.stride + (windowSize - 1) * window.dilation + 1 - room);
}

bool isOpen(const Window &window) {
  return !window.size.asNumber() || !window.low.asNumber() || !window.high.asNumber();
}

// A window of open size becomes the largest one. What it has more has to lie where initial values are: in front of the
// array, or behind its true end.
FailureOr<bool> growsInFront(Operation *op, Padder &padder, const Window &window, const Extent &extent,
                             const Extent &count) {
  if (window.dilation != 1 || window.baseDilation != 1)
    return padder.refuse(op, "a window of open size is dilated"), failure();
  const Extent last = ExtentSpace::scale(ExtentSpace::subtract(count, number(1)), window.stride);
  if (padder.space.atLeast(window.low, last)) return true;
  if (padder.space.atLeast(window.size, ExtentSpace::add(extent, window.low))) return false;
  return padder.refuse(op, "a window of open size meets elements between"), failure();
}

// Inputs and initial values; `windows` by dimension.
LogicalResult reduceWindows(Operation *op, Padder &padder, ValueRange inputs, ValueRange initials,
                            SmallVector<Window> windows, function_ref<LogicalResult(Region &)> fillBody, Block &body) {
  OpBuilder builder(op);
  Location location = op->getLoc();
  const unsigned count = inputs.size();
  SmallVector<Value> arrays(inputs);
  Extents extents = padder.extents(arrays[0]), result = extents;
  const size_t rank = extents.size();
  for (Value input : arrays)
    for (auto [a, b] : llvm::zip_equal(extents, padder.extents(input)))
      if (failed(padder.requireEqual(op, a, b, "operands' sizes"))) return failure();
  SmallVector<int64_t> sizes(rank, 1), strides(rank, 1), bases(rank, 1), dilations(rank, 1), pads(2 * rank, 0);
  for (size_t dim = 0; dim < rank; ++dim) {
    Window window = windows[dim];
    if (window.baseDilation != 1 && padder.space.range(extents[dim]).least < 1)
      return padder.refuse(op, "a dilated operand may have no elements");
    result[dim] = numWindows(extents[dim], window, padder);
    const bool open = isOpen(window) || padder.isPadded(arrays[0], dim);
    const ExtentRange size = padder.space.range(window.size);
    sizes[dim] = size.most;
    strides[dim] = window.stride;
    bases[dim] = window.baseDilation;
    dilations[dim] = window.dilation;
    Extent low = window.low;
    if (!size.isOne()) {
      if (!areNeutral(body, initials, builder, location))
        return padder.refuse(op, "its reducer does not leave its initial value out");
      FailureOr<bool> front = growsInFront(op, padder, window, extents[dim], result[dim]);
      if (failed(front)) return failure();
      if (*front) low = ExtentSpace::add(low, ExtentSpace::subtract(number(size.most), window.size));
    }
    if (!open) {
      pads[2 * dim] = *window.low.asNumber();
      pads[2 * dim + 1] = *window.high.asNumber();
      continue;
    }
    for (unsigned i = 0; i < count; ++i) {
      if (!window.isTrivial())
        arrays[i] = padder.masked(op, arrays[i], {static_cast<int64_t>(dim)}, initials[i],
                                  "windows along dimension " + std::to_string(dim));
      if (low.asNumber()) continue;
      if (window.baseDilation != 1) return padder.refuse(op, "a dilated operand has padding of open size");
      auto moved = padDim(op, padder, arrays[i], dim, initials[i], low, Extent(), 0);
      if (failed(moved)) return failure();
      arrays[i] = moved->first;
    }
    pads[2 * dim] = low.asNumber().value_or(0);
    pads[2 * dim + 1] =
        highFor(padder.capacity(result)[dim], tensor(arrays[0]).getDimSize(dim), size.most, pads[2 * dim], window);
  }
  SmallVector<int64_t> shape;
  for (size_t dim = 0; dim < rank; ++dim) {
    const int64_t size = tensor(arrays[0]).getDimSize(dim), room = (size > 0 ? (size - 1) * bases[dim] + 1 : 0) +
                                                                   pads[2 * dim] + pads[2 * dim + 1] -
                                                                   ((sizes[dim] - 1) * dilations[dim] + 1);
    shape.push_back(room < 0 ? 0 : room / strides[dim] + 1);
  }
  SmallVector<Type> types = llvm::map_to_vector(
      initials, [&](Value initial) -> Type { return RankedTensorType::get(shape, tensor(initial).getElementType()); });
  auto padding =
      DenseIntElementsAttr::get(RankedTensorType::get({static_cast<int64_t>(rank), 2}, builder.getI64Type()), pads);
  auto list = [&](ArrayRef<int64_t> numbers) { return builder.getDenseI64ArrayAttr(numbers); };
  auto made = hlo::ReduceWindowOp::create(builder, location, types, arrays, initials, list(sizes), list(strides),
                                          list(bases), list(dilations), padding);
  if (failed(fillBody(made.getBody()))) return failure();
  return padder.replace(op, llvm::to_vector_of<Value>(made.getResults()), SmallVector<Extents>(count, result));
}

SmallVector<int64_t> flat(std::optional<DenseIntElementsAttr> padding, size_t rank) {
  if (!padding) return SmallVector<int64_t>(2 * rank, 0);
  return llvm::map_to_vector(padding->getValues<APInt>(), [](const APInt &n) { return n.getSExtValue(); });
}

LogicalResult reduceWindow(Operation *op, Padder &padder) {
  auto reduce = cast<hlo::ReduceWindowOp>(op);
  const size_t rank = tensor(reduce.getInputs()[0]).getRank();
  SmallVector<int64_t> padding = flat(reduce.getPadding(), rank);
  SmallVector<Window> windows(rank);
  for (size_t i = 0; i < rank; ++i) {
    windows[i] = {number(reduce.getWindowDimensions()[i]),
                  number(padding[2 * i]),
                  number(padding[2 * i + 1]),
                  elementOr(reduce.getWindowStrides(), i, 1),
                  elementOr(reduce.getBaseDilations(), i, 1),
                  elementOr(reduce.getWindowDilations(), i, 1)};
    if (padding[2 * i] < 0 || padding[2 * i + 1] < 0) return padder.refuse(op, "its padding is negative");
  }
  return reduceWindows(
      op, padder, reduce.getInputs(), reduce.getInitValues(), windows,
      [&](Region &region) {
        region.takeBody(reduce.getBody());
        return success();
      },
      reduce.getBody().front());
}

// Windows that end within the true sizes select true elements. Those behind them scatter what changes nothing.
LogicalResult selectAndScatter(Operation *op, Padder &padder) {
  auto scatter = cast<hlo::SelectAndScatterOp>(op);
  OpBuilder builder(op);
  Value operand = scatter.getOperand(), source = scatter.getSource(), initial = scatter.getInitValue();
  Extents extents = padder.extents(operand), given = padder.extents(source);
  SmallVector<int64_t> padding = flat(scatter.getPadding(), extents.size()), counts;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    Window window{number(elementOr(scatter.getWindowDimensions(), dim, 1)), number(padding[2 * dim]),
                  number(padding[2 * dim + 1]), elementOr(scatter.getWindowStrides(), dim, 1)};
    const int64_t size = tensor(operand).getDimSize(dim),
                  room = size + padding[2 * dim] + padding[2 * dim + 1] - padder.space.range(window.size).most;
    counts.push_back(room < 0 ? 0 : room / window.stride + 1);
    if (extent.asNumber()) continue;
    if (padding[2 * dim] < 0 || padding[2 * dim + 1] != 0)
      return padder.refuse(op, "its windows reach over the true end");
    if (failed(padder.requireEqual(op, given[dim], numWindows(extent, window, padder),
                                   "the source's size and the number of windows")))
      return failure();
  }
  auto neutral = neutralElements(scatter.getScatter().front(), ValueRange{initial}, builder, op->getLoc());
  if (!neutral) return padder.refuse(op, "no value is known that its scatter leaves as it is");
  source = padder.fitted(builder, op->getLoc(), source, counts);
  padder.setExtents(source, given);
  SmallVector<int64_t> all = llvm::to_vector(llvm::seq<int64_t>(0, extents.size()));
  op->setOperand(0,
                 padder.masked(op, operand, all, zeroScalar(tensor(operand).getElementType()), "windows that select"));
  op->setOperand(1, padder.masked(op, source, all, neutral->front(), "windows behind the true ones scatter nothing"));
  return padder.retype(op, {extents});
}

// Numbers of a bucketed convolution's windows, by spatial dimension.
template <typename ConvOp>
LogicalResult convolve(ConvOp op, Padder &padder, ArrayRef<Extent> padding) {
  auto dims = op.getDimensionNumbers();
  Value lhs = op.getLhs(), rhs = op.getRhs();
  Extents left = padder.extents(lhs), right = padder.extents(rhs), result(left.size());
  if (hlo::isQuantized(lhs.getType())) return padder.refuse(op, "its elements are quantised");
  if (!padder.paddedAmong(rhs, dims.getKernelSpatialDimensions()).empty())
    return padder.refuse(op, "its kernel is of open size");
  const int64_t inFeature = dims.getInputFeatureDimension(), kernelIn = dims.getKernelInputFeatureDimension();
  const bool featuresOpen = padder.isPadded(lhs, inFeature) || padder.isPadded(rhs, kernelIn) ||
                            padder.isPadded(rhs, dims.getKernelOutputFeatureDimension());
  if ((op.getFeatureGroupCount() != 1 && featuresOpen) ||
      (op.getBatchGroupCount() != 1 && (featuresOpen || padder.isPadded(lhs, dims.getInputBatchDimension()))))
    return padder.refuse(op, "its groups are of open size");
  if (op.getFeatureGroupCount() == 1 &&
      failed(padder.requireEqual(op, left[inFeature], right[kernelIn], "features of operand and kernel")))
    return failure();
  OpBuilder builder(op);
  Value fill = zeroOf(builder, op->getLoc(), tensor(lhs).getElementType()),
        kernelZero = zeroOf(builder, op->getLoc(), tensor(rhs).getElementType());
  lhs = padder.masked(op, lhs, {inFeature}, fill, "a convolution summed over features");
  rhs = padder.masked(op, rhs, {kernelIn}, kernelZero, "a convolution summed over features");
  result[dims.getOutputBatchDimension()] =
      *padder.space.floorDiv(left[dims.getInputBatchDimension()], number(op.getBatchGroupCount()));
  result[dims.getOutputFeatureDimension()] = right[dims.getKernelOutputFeatureDimension()];
  SmallVector<int64_t> pads;
  for (auto [i, out] : llvm::enumerate(dims.getOutputSpatialDimensions())) {
    const int64_t dim = dims.getInputSpatialDimensions()[i],
                  kernel = tensor(rhs).getDimSize(dims.getKernelSpatialDimensions()[i]);
    Window window{number(kernel),
                  padding[2 * i],
                  padding[2 * i + 1],
                  elementOr(op.getWindowStrides(), i, 1),
                  elementOr(op.getLhsDilation(), i, 1),
                  elementOr(op.getRhsDilation(), i, 1)};
    if (window.baseDilation != 1 && padder.space.range(left[dim]).least < 1)
      return padder.refuse(op, "a dilated operand may have no elements");
    result[out] = numWindows(left[dim], window, padder);
    if (!isOpen(window) && !padder.isPadded(lhs, dim)) {
      pads.append({*window.low.asNumber(), *window.high.asNumber()});
      continue;
    }
    if (!window.isTrivial())
      lhs = padder.masked(op, lhs, {dim}, fill, "windows along dimension " + std::to_string(dim));
    int64_t low = window.low.asNumber().value_or(0);
    if (!window.low.asNumber() || (window.high.asNumber().value_or(0) < 0 || low < 0)) {
      if (window.baseDilation != 1) return padder.refuse(op, "a dilated operand has padding of open size");
      auto moved = padDim(op, padder, lhs, dim, fill, window.low, Extent(), 0);
      if (failed(moved)) return failure();
      lhs = moved->first;
      low = 0;
    }
    pads.append({low, highFor(padder.capacity(result)[out], tensor(lhs).getDimSize(dim), kernel, low, window)});
  }
  SmallVector<int64_t> shape = padder.capacity(result);
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
  auto made = hlo::ConvolutionOp::create(builder, op->getLoc(), type, lhs, rhs, op.getWindowStridesAttr(), attr,
                                         op.getLhsDilationAttr(), op.getRhsDilationAttr(), op.getWindowReversalAttr(),
                                         op.getDimensionNumbersAttr(), op.getFeatureGroupCountAttr(),
                                         op.getBatchGroupCountAttr(), op.getPrecisionConfigAttr());
  return padder.replace(op, {made.getResult()}, {result});
}

LogicalResult convolution(Operation *op, Padder &padder) {
  auto conv = cast<hlo::ConvolutionOp>(op);
  SmallVector<int64_t> padding = flat(conv.getPadding(), tensor(conv.getLhs()).getRank() - 2);
  return convolve(conv, padder, llvm::map_to_vector(padding, number));
}

LogicalResult dynamicConvolution(Operation *op, Padder &padder) {
  auto conv = cast<hlo::DynamicConvOp>(op);
  const SizeValues::Elements *padding = padder.values.of(conv.getDPadding());
  return padding ? convolve(conv, padder, *padding) : padder.refuse(op, "its padding depends on data");
}

}  // namespace

// Inputs, initial values, then window sizes, strides, base dilations, window dilations, padding.
LogicalResult dynamicReduceWindow(hlo::CustomCallOp call, Padder &padder) {
  const unsigned count = call.getNumResults();
  if (count == 0 || call.getInputs().size() != 2 * count + 5)
    return padder.refuse(call, "it has other operands than a window's");
  SmallVector<const SizeValues::Elements *> lists;
  for (Value operand : call.getInputs().take_back(5)) lists.push_back(padder.values.of(operand));
  if (llvm::is_contained(lists, nullptr)) return padder.refuse(call, "its windows depend on data");
  const size_t rank = tensor(call.getInputs()[0]).getRank();
  if (lists[4]->size() != 2 * rank) return padder.refuse(call, "it has other operands than a window's");
  SmallVector<Window> windows(rank);
  for (size_t i = 0; i < rank; ++i) {
    auto stride = (*lists[1])[i].asNumber(), base = (*lists[2])[i].asNumber(), dilation = (*lists[3])[i].asNumber();
    windows[i] = {(*lists[0])[i],     (*lists[4])[2 * i], (*lists[4])[2 * i + 1],
                  stride.value_or(0), base.value_or(0),   dilation.value_or(0)};
    if (!stride || !base || !dilation) return padder.refuse(call, "its strides or dilations are open");
    if (padder.space.range(windows[i].low).least < 0 || padder.space.range(windows[i].high).least < 0)
      return padder.refuse(call, "its padding may be negative");
  }
  Region body;
  if (failed(copyCalledBody(call, body))) return failure();
  return reduceWindows(
      call, padder, call.getInputs().take_front(count), call.getInputs().slice(count, count), windows,
      [&](Region &region) {
        region.takeBody(body);
        return success();
      },
      body.front());
}

void addWindowRules(PadRules &rules) {
  rules["stablehlo.reduce_window"] = reduceWindow;
  rules["stablehlo.select_and_scatter"] = selectAndScatter;
  rules["stablehlo.convolution"] = convolution;
  rules["stablehlo.dynamic_conv"] = dynamicConvolution;
}

}  // namespace tpuc::shapes
