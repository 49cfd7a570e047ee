// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that move elements; reshapes are in pad_reshapes.cpp.
#include "dialects/stablehlo/checks.h"
#include "passes/shapes/data_slices.h"
#include "passes/shapes/moves.h"

using namespace mlir;

namespace tpuc::shapes {

namespace hlo = tpuc::stablehlo;

namespace {

RankedTensorType tensor(Value value) { return cast<RankedTensorType>(value.getType()); }

DenseI64ArrayAttr list(OpBuilder &builder, ArrayRef<int64_t> numbers) { return builder.getDenseI64ArrayAttr(numbers); }

// Every stride-th element from `start` on, `size` of them.
Value strided(OpBuilder &builder, Location location, Value value, int64_t dim, int64_t start, int64_t size,
              int64_t stride) {
  SmallVector<int64_t> shape(tensor(value).getShape()), starts(shape.size(), 0), strides(shape.size(), 1);
  starts[dim] = start;
  strides[dim] = stride;
  SmallVector<int64_t> limits(shape);
  limits[dim] = size ? start + (size - 1) * stride + 1 : start;
  shape[dim] = size;
  return hlo::SliceOp::create(builder, location, tensor(value).clone(shape), value, list(builder, starts),
                              list(builder, limits), list(builder, strides));
}

Value padded(OpBuilder &builder, Location location, Value value, Value fill, int64_t dim, int64_t low, int64_t high,
             int64_t interior) {
  SmallVector<int64_t> shape(tensor(value).getShape()), lows(shape.size(), 0), highs(lows), interiors(lows);
  lows[dim] = low;
  highs[dim] = high;
  interiors[dim] = interior;
  shape[dim] += low + high + std::max<int64_t>(shape[dim] - 1, 0) * interior;
  return hlo::PadOp::create(builder, location, tensor(value).clone(shape), value, fill, list(builder, lows),
                            list(builder, highs), list(builder, interiors));
}

// A static slice's end is one that every size has to reach.
LogicalResult slice(Operation *op, Padder &padder) {
  auto slice = cast<hlo::SliceOp>(op);
  Extents from = padder.extents(slice.getOperand()), result;
  for (auto [dim, extent] : llvm::enumerate(from)) {
    const int64_t start = slice.getStartIndices()[dim], limit = slice.getLimitIndices()[dim],
                  stride = slice.getStrides()[dim];
    if (!extent.asNumber() && failed(padder.requireAtLeast(op, extent, Extent::number(limit), "a dimension")))
      return failure();
    if (limit > tensor(slice.getOperand()).getDimSize(dim)) return padder.refuse(op, "it ends behind the largest size");
    result.push_back(Extent::number(llvm::divideCeil(limit - start, stride)));
  }
  return padder.retype(op, {result});
}

// The program itself keeps its starts within the true sizes.
LogicalResult dataSlice(hlo::RealDynamicSliceOp op, Padder &padder) {
  Value which = sizesOfSlice(op);
  const SizeValues::Elements *sizes = which ? padder.values.of(which) : nullptr,
                             *strides = padder.values.of(op.getStrides());
  SizeValues::Elements own;
  if (auto type = cast<RankedTensorType>(op.getType()); !sizes && type.hasStaticShape()) {
    for (int64_t size : type.getShape()) own.push_back(Extent::number(size));
    sizes = &own;
  }
  if (!sizes || !strides || !llvm::all_of(*strides, [](const Extent &stride) { return stride.asNumber() == 1; }))
    return padder.refuse(op, "its bounds depend on data");
  OpBuilder builder(op);
  Value value = op.getOperand();
  Extents extents = padder.extents(value);
  SmallVector<int64_t> room(tensor(value).getShape()), shape = padder.capacity(*sizes);
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    if (failed(padder.requireAtLeast(op, extent, (*sizes)[dim], "a dimension"))) return failure();
    room[dim] = std::max(room[dim], padder.space.range(ExtentSpace::subtract(extent, (*sizes)[dim])).most + shape[dim]);
  }
  value = padder.fitted(builder, op.getLoc(), value, room);
  SmallVector<Value> starts = startsOfSlice(op, builder);
  Value made = hlo::DynamicSliceOp::create(builder, op.getLoc(), tensor(value).clone(shape), value, starts,
                                           list(builder, shape));
  return padder.replace(op, {made}, {Extents(*sizes)});
}

LogicalResult realDynamicSlice(Operation *op, Padder &padder) {
  auto slice = cast<hlo::RealDynamicSliceOp>(op);
  const SizeValues::Elements *starts = padder.values.of(slice.getStartIndices()),
                             *limits = padder.values.of(slice.getLimitIndices()),
                             *strides = padder.values.of(slice.getStrides());
  if (!starts || !limits || !strides) return dataSlice(slice, padder);
  OpBuilder builder(op);
  Location location = op->getLoc();
  Value value = slice.getOperand();
  Extents extents = padder.extents(value);
  for (size_t dim = 0; dim < extents.size(); ++dim) {
    const Extent start = (*starts)[dim], limit = (*limits)[dim], old = extents[dim];
    auto stride = (*strides)[dim].asNumber();
    if (!stride || *stride < 1) return padder.refuse(op, "its strides are open");
    if (start.asNumber() == 0 && limit == old && *stride == 1) continue;
    if (failed(padder.requireAtLeast(op, old, limit, "a dimension")) ||
        failed(padder.requireAtLeast(op, limit, start, "a slice's end")) ||
        failed(padder.requireAtLeast(op, start, Extent(), "a slice's start")))
      return failure();
    extents[dim] = *padder.space.floorDiv(
        ExtentSpace::add(ExtentSpace::subtract(limit, start), Extent::number(*stride - 1)), Extent::number(*stride));
    const int64_t size = padder.capacity(extents)[dim], length = size ? (size - 1) * *stride + 1 : 0,
                  most = padder.space.range(start).most;
    if (auto number = start.asNumber()) {
      SmallVector<int64_t> shape(tensor(value).getShape());
      shape[dim] = std::max(shape[dim], *number + length);
      value = strided(builder, location, padder.fitted(builder, location, value, shape), dim, *number, size, *stride);
    } else {
      value = padder.shifted(builder, location, value, dim, padder.scalar(start), length, most + length);
      value = strided(builder, location, value, dim, 0, size, *stride);
    }
  }
  return padder.replace(op, {value}, {extents});
}

LogicalResult pad(Operation *op, Padder &padder) {
  auto pad = cast<hlo::PadOp>(op);
  auto extents = [](ArrayRef<int64_t> numbers) {
    return llvm::map_to_vector(numbers, [](int64_t n) { return Extent::number(n); });
  };
  return padTo(op, padder, pad.getOperand(), pad.getPaddingValue(), extents(pad.getEdgePaddingLow()),
               extents(pad.getEdgePaddingHigh()), extents(pad.getInteriorPadding()));
}

LogicalResult dynamicPad(Operation *op, Padder &padder) {
  auto pad = cast<hlo::DynamicPadOp>(op);
  const SizeValues::Elements *low = padder.values.of(pad.getEdgePaddingLow()),
                             *high = padder.values.of(pad.getEdgePaddingHigh()),
                             *interior = padder.values.of(pad.getInteriorPadding());
  if (!low || !high || !interior) return padder.refuse(op, "its padding depends on data");
  return padTo(op, padder, pad.getOperand(), pad.getPaddingValue(), *low, *high, *interior);
}

// Each operand from the end of those in front of it on: it covers their padding.
LogicalResult concatenate(Operation *op, Padder &padder) {
  auto concatenate = cast<hlo::ConcatenateOp>(op);
  const auto dim = static_cast<int64_t>(concatenate.getDimension());
  Extents extents = padder.extents(concatenate.getInputs()[0]);
  OpBuilder builder(op);
  Location location = op->getLoc();
  SmallVector<Extent> offsets;
  SmallVector<Value> inputs;
  Extent end;
  int64_t room = 0;
  for (Value input : concatenate.getInputs()) {
    Extents own = padder.extents(input);
    for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(extents, own)))
      if (static_cast<int64_t>(i) != dim &&
          failed(padder.requireEqual(op, std::get<0>(pair), std::get<1>(pair), "operands' sizes")))
        return failure();
    SmallVector<int64_t> shape = padder.capacity(extents);
    shape[dim] = tensor(input).getDimSize(dim);
    inputs.push_back(padder.fitted(builder, location, input, shape));
    offsets.push_back(end);
    end = ExtentSpace::add(end, own[dim]);
    room += shape[dim];
  }
  extents[dim] = end;
  Type element = tensor(inputs[0]).getElementType();
  SmallVector<int64_t> shape = padder.capacity(extents);
  shape[dim] = room;
  auto type = RankedTensorType::get(shape, element);
  if (llvm::all_of(offsets, [](const Extent &offset) { return offset.asNumber().has_value(); }))
    return padder.replace(op, {hlo::ConcatenateOp::create(builder, location, type, inputs, dim)}, {extents});
  Value value = padder.fitted(builder, location, inputs[0], shape);
  Value zero = splat(builder, location, builder.getI32Type(), int64_t{0});
  for (size_t i = 1; i < inputs.size(); ++i) {
    SmallVector<Value> starts(shape.size(), zero);
    starts[dim] = padder.scalar(offsets[i], builder.getI32Type(), builder, location);
    value = hlo::DynamicUpdateSliceOp::create(builder, location, type, value, inputs[i], starts);
  }
  return padder.replace(op, {value}, {extents});
}

// The true elements come last: they are moved to the front.
LogicalResult reverse(Operation *op, Padder &padder) {
  auto reverse = cast<hlo::ReverseOp>(op);
  Extents extents = padder.extents(reverse.getOperand());
  OpBuilder builder(op);
  builder.setInsertionPointAfter(op);
  RankedTensorType type = tensor(reverse.getOperand());
  Value value = hlo::ReverseOp::create(builder, op->getLoc(), type, reverse.getOperand(), reverse.getDimensions());
  for (int64_t dim : padder.paddedAmong(reverse.getOperand(), reverse.getDimensions())) {
    const int64_t size = type.getDimSize(dim);
    const Extent behind = ExtentSpace::subtract(Extent::number(size), extents[dim]);
    value = padder.shifted(builder, op->getLoc(), value, dim, padder.scalar(behind), size,
                           padder.space.range(behind).most + size);
  }
  return padder.replace(op, {value}, {extents});
}

}  // namespace

FailureOr<std::pair<Value, Extent>> padDim(Operation *op, Padder &padder, Value value, int64_t dim, Value fill,
                                           const Extent &low, const Extent &high, int64_t interior) {
  OpBuilder builder(op);
  Location location = op->getLoc();
  const Extent one = Extent::number(1);
  Extents extents = padder.extents(value);
  Extent extent = extents[dim];
  if (interior) {
    if (padder.space.range(extent).least < 1) return padder.refuse(op, "its operand may have no elements");
    extent = ExtentSpace::add(extent, ExtentSpace::scale(ExtentSpace::subtract(extent, one), interior));
  }
  const Extent result = ExtentSpace::add(extent, ExtentSpace::add(low, high));
  if (failed(padder.requireAtLeast(op, result, Extent(), "a size"))) return failure();
  if (padder.space.range(high).most > 0 || padder.space.range(low).most > 0)
    value = padder.masked(op, value, {dim}, fill, "padding of dimension " + std::to_string(dim) + " at the true end");
  const int64_t size = tensor(value).getDimSize(dim), wide = size + std::max<int64_t>(size - 1, 0) * interior,
                want = std::max<int64_t>(padder.space.range(result).most, 0);
  if (auto number = low.asNumber()) {
    value = padded(builder, location, value, fill, dim, *number, want - *number - wide, interior);
  } else {
    const ExtentRange range = padder.space.range(low);
    const int64_t room = std::max<int64_t>(range.most, 0);
    const Extent start = ExtentSpace::subtract(Extent::number(room), low);
    value =
        padded(builder, location, value, fill, dim, room, std::max<int64_t>(0, want - range.least - wide), interior);
    value = padder.shifted(builder, location, value, dim, padder.scalar(start), want, room - range.least + want);
  }
  extents[dim] = result;
  padder.setExtents(value, extents);
  return std::pair(value, result);
}

LogicalResult padTo(Operation *op, Padder &padder, Value value, Value fill, ArrayRef<Extent> low, ArrayRef<Extent> high,
                    ArrayRef<Extent> interior) {
  Extents extents = padder.extents(value);
  for (size_t dim = 0; dim < extents.size(); ++dim) {
    auto inner = interior[dim].asNumber();
    if (!inner) return padder.refuse(op, "its interior padding is open");
    if (low[dim].asNumber() == 0 && high[dim].asNumber() == 0 && *inner == 0) continue;
    auto done = padDim(op, padder, value, dim, fill, low[dim], high[dim], *inner);
    if (failed(done)) return failure();
    std::tie(value, extents[dim]) = *done;
  }
  return padder.replace(op, {value}, {extents});
}

void addMoveRules(PadRules &rules) {
  rules["stablehlo.slice"] = slice;
  rules["stablehlo.real_dynamic_slice"] = realDynamicSlice;
  rules["stablehlo.pad"] = pad;
  rules["stablehlo.dynamic_pad"] = dynamicPad;
  rules["stablehlo.concatenate"] = concatenate;
  rules["stablehlo.reverse"] = reverse;
  rules["stablehlo.reshape"] = padReshape;
  rules["stablehlo.dynamic_reshape"] = padDynamicReshape;
}

}  // namespace tpuc::shapes
