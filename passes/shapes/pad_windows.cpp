// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows over padded dimensions. What a window meets behind the true end is what the op's own padding is: the initial
// value, or zeros. The static op has as many windows as the largest result; those behind the true ones are padding of
// the result.
#include "passes/shapes/dynamic_calls.h"
#include "passes/shapes/moves.h"
#include "passes/shapes/neutral.h"
#include "passes/shapes/window_calls.h"
#include "passes/shapes/windows.h"

using namespace mlir;

namespace tpuc::shapes {

namespace hlo = tpuc::stablehlo;

int64_t elementOr(std::optional<ArrayRef<int64_t>> list, size_t i, int64_t otherwise) {
  return list && i < list->size() ? (*list)[i] : otherwise;
}

static Extent dilated(const Extent &extent, int64_t by) {
  return by == 1 ? extent
                 : ExtentSpace::add(ExtentSpace::scale(ExtentSpace::subtract(extent, number(1)), by), number(1));
}

Extent numWindows(const Extent &extent, const Window &window, Padder &padder) {
  Extent room = ExtentSpace::add(ExtentSpace::add(dilated(extent, window.baseDilation), window.low), window.high);
  room = ExtentSpace::subtract(room, dilated(window.size, window.dilation));
  Extent count = ExtentSpace::add(*padder.space.floorDiv(room, number(window.stride)), number(1));
  return padder.space.max(count, Extent());
}

int64_t highFor(int64_t want, int64_t size, int64_t windowSize, int64_t low, const Window &window) {
  const int64_t room = (std::max<int64_t>(size, 1) - 1) * window.baseDilation + (size > 0) + low;
  return std::max<int64_t>(0, (want - 1) * window.stride + (windowSize - 1) * window.dilation + 1 - room);
}

bool isOpen(const Window &window) {
  return !window.size.asNumber() || !window.low.asNumber() || !window.high.asNumber();
}

SmallVector<int64_t> flat(std::optional<DenseIntElementsAttr> padding, size_t rank) {
  if (!padding) return SmallVector<int64_t>(2 * rank, 0);
  return llvm::map_to_vector(padding->getValues<APInt>(), [](const APInt &n) { return n.getSExtValue(); });
}

namespace {

RankedTensorType tensor(Value value) { return cast<RankedTensorType>(value.getType()); }

// A window of open size becomes the largest one. What it has more has to lie where initial values are: in front of the
// array, or behind its true end.
FailureOr<bool> growsInFront(Operation *op, Padder &padder, const Window &window, const Extent &extent,
                             const Extent &count) {
  if (window.dilation != 1 || window.baseDilation != 1) return padder.refuse(op, "a window of open size is dilated");
  const Extent last = ExtentSpace::scale(ExtentSpace::subtract(count, number(1)), window.stride);
  if (padder.space.atLeast(window.low, last)) return true;
  if (padder.space.atLeast(window.size, ExtentSpace::add(extent, window.low))) return false;
  return padder.refuse(op, "a window of open size meets elements between");
}

// Windows over arrays of one shape, reduced: what the static op has of each dimension, and the arrays that it reads.
class ReducedWindows {
 public:
  ReducedWindows(Operation *op, Padder &padder, ValueRange inputs, ValueRange initials, Block &body)
      : op_(op),
        padder_(padder),
        initials_(initials),
        body_(body),
        arrays_(inputs),
        extents_(padder.extents(arrays_[0])),
        result_(extents_),
        sizes_(rank(), 1),
        strides_(rank(), 1),
        bases_(rank(), 1),
        dilations_(rank(), 1),
        pads_(2 * rank(), 0) {}

  LogicalResult checkSizes() {
    for (Value input : arrays_)
      for (auto [a, b] : llvm::zip_equal(extents_, padder_.extents(input)))
        if (failed(padder_.requireEqual(op_, a, b, "operands' sizes"))) return failure();
    return success();
  }

  LogicalResult pad(size_t dim, const Window &window) {
    if (window.baseDilation != 1 && padder_.space.range(extents_[dim]).least < 1)
      return padder_.refuse(op_, "a dilated operand may have no elements");
    result_[dim] = numWindows(extents_[dim], window, padder_);
    const bool open = isOpen(window) || padder_.isPadded(arrays_[0], dim);
    const ExtentRange size = padder_.space.range(window.size);
    sizes_[dim] = size.most;
    strides_[dim] = window.stride;
    bases_[dim] = window.baseDilation;
    dilations_[dim] = window.dilation;
    FailureOr<Extent> low = lowFor(dim, window);
    if (failed(low)) return failure();
    if (!open) {
      pads_[2 * dim] = *window.low.asNumber();
      pads_[2 * dim + 1] = *window.high.asNumber();
      return success();
    }
    if (failed(maskAndMove(dim, window, *low))) return failure();
    pads_[2 * dim] = low->asNumber().value_or(0);
    pads_[2 * dim + 1] =
        highFor(padder_.capacity(result_)[dim], tensor(arrays_[0]).getDimSize(dim), size.most, pads_[2 * dim], window);
    return success();
  }

  LogicalResult replace(function_ref<LogicalResult(Region &)> fillBody) {
    OpBuilder builder(op_);
    const SmallVector<int64_t> shape = counts();
    SmallVector<Type> types = llvm::map_to_vector(initials_, [&](Value initial) -> Type {
      return RankedTensorType::get(shape, tensor(initial).getElementType());
    });
    auto padding = DenseIntElementsAttr::get(
        RankedTensorType::get({static_cast<int64_t>(rank()), 2}, builder.getI64Type()), pads_);
    auto list = [&](ArrayRef<int64_t> numbers) { return builder.getDenseI64ArrayAttr(numbers); };
    auto made = hlo::ReduceWindowOp::create(builder, op_->getLoc(), types, arrays_, initials_, list(sizes_),
                                            list(strides_), list(bases_), list(dilations_), padding);
    if (failed(fillBody(made.getBody()))) return failure();
    return padder_.replace(op_, llvm::to_vector_of<Value>(made.getResults()),
                           SmallVector<Extents>(arrays_.size(), result_));
  }

 private:
  size_t rank() const { return extents_.size(); }

  // The low padding of the largest window.
  FailureOr<Extent> lowFor(size_t dim, const Window &window) {
    const ExtentRange size = padder_.space.range(window.size);
    if (size.isOne()) return window.low;
    OpBuilder builder(op_);
    if (!areNeutral(body_, initials_, builder, op_->getLoc()))
      return padder_.refuse(op_, "its reducer does not leave its initial value out");
    FailureOr<bool> front = growsInFront(op_, padder_, window, extents_[dim], result_[dim]);
    if (failed(front)) return failure();
    return *front ? ExtentSpace::add(window.low, ExtentSpace::subtract(number(size.most), window.size)) : window.low;
  }

  // Initial values behind the arrays' true ends, and before them where that many are open.
  LogicalResult maskAndMove(size_t dim, const Window &window, const Extent &low) {
    for (auto [array, initial] : llvm::zip_equal(arrays_, initials_)) {
      if (!window.isTrivial())
        array = padder_.masked(op_, array, {static_cast<int64_t>(dim)}, initial,
                               "windows along dimension " + std::to_string(dim));
      if (low.asNumber()) continue;
      if (window.baseDilation != 1) return padder_.refuse(op_, "a dilated operand has padding of open size");
      auto moved = padDim(op_, padder_, array, dim, initial, low, Extent(), 0);
      if (failed(moved)) return failure();
      array = moved->first;
    }
    return success();
  }

  // How many windows the static op has along each dim.
  SmallVector<int64_t> counts() const {
    SmallVector<int64_t> shape;
    for (size_t dim = 0; dim < rank(); ++dim) {
      const int64_t size = tensor(arrays_[0]).getDimSize(dim), room = (size > 0 ? (size - 1) * bases_[dim] + 1 : 0) +
                                                                      pads_[2 * dim] + pads_[2 * dim + 1] -
                                                                      ((sizes_[dim] - 1) * dilations_[dim] + 1);
      shape.push_back(room < 0 ? 0 : room / strides_[dim] + 1);
    }
    return shape;
  }

  Operation *op_;
  Padder &padder_;
  ValueRange initials_;
  Block &body_;
  SmallVector<Value> arrays_;
  Extents extents_, result_;
  SmallVector<int64_t> sizes_, strides_, bases_, dilations_, pads_;
};

// Inputs and initial values; `windows` by dimension.
LogicalResult reduceWindows(Operation *op, Padder &padder, ValueRange inputs, ValueRange initials,
                            ArrayRef<Window> windows, function_ref<LogicalResult(Region &)> fillBody, Block &body) {
  ReducedWindows reduced(op, padder, inputs, initials, body);
  if (failed(reduced.checkSizes())) return failure();
  for (auto [dim, window] : llvm::enumerate(windows))
    if (failed(reduced.pad(dim, window))) return failure();
  return reduced.replace(fillBody);
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
  rules["stablehlo.convolution"] = padConvolution;
  rules["stablehlo.dynamic_conv"] = padDynamicConvolution;
}

}  // namespace tpuc::shapes
