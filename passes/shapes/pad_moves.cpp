// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that move elements. Where padding would come to lie between true elements, they are moved together.
#include <numeric>

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

// Dimensions [from, from + count) of the operand become [to, to + others) of the result: as many elements.
struct Group {
  unsigned from = 0, count = 0, to = 0, others = 0;
};

std::optional<SmallVector<Group>> groupsOf(ArrayRef<Extent> from, ArrayRef<Extent> to, Padder &padder) {
  SmallVector<Group> groups;
  unsigned i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    Group group{i, 0, j, 0};
    Extent left = Extent::number(1), right = left;
    auto takeLeft = [&] { left = ExtentSpace::multiply(left, from[i++]); };
    auto takeRight = [&] { right = ExtentSpace::multiply(right, to[j++]); };
    if (i < from.size())
      takeLeft();
    else
      takeRight();
    while (!padder.space.equal(left, right)) {
      const bool leftIsLess = padder.space.range(ExtentSpace::subtract(left, right)).most <= 0;
      if ((leftIsLess || j == to.size()) && i < from.size())
        takeLeft();
      else if (j < to.size())
        takeRight();
      else
        return std::nullopt;
    }
    group.count = i - group.from;
    group.others = j - group.to;
    groups.push_back(group);
  }
  return groups;
}

// Do the true elements come first in row-major order? When at most the first dimension that is not 1 is padded.
bool comeFirst(ArrayRef<Extent> extents) {
  while (!extents.empty() && extents.front().asNumber() == 1) extents = extents.drop_front();
  return extents.empty() ||
         llvm::all_of(extents.drop_front(), [](const Extent &extent) { return extent.asNumber().has_value(); });
}

int64_t product(ArrayRef<int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
}

// Where in row-major order of `fromSizes` the elements of a row-major array of `toSizes` come from, the extents saying
// which are true: vectors of i32.
class Places {
 public:
  Places(OpBuilder &builder, Location location, Padder &padder, int64_t count)
      : builder_(builder),
        location_(location),
        padder_(padder),
        type_(RankedTensorType::get({count}, builder.getI32Type())) {}

  Value of(ArrayRef<Extent> from, ArrayRef<int64_t> fromSizes, ArrayRef<Extent> to, ArrayRef<int64_t> toSizes) {
    Value place = hlo::IotaOp::create(builder_, location_, type_, builder_.getI64IntegerAttr(0));
    // Coordinates in the result, then the number among the true elements.
    Value number;
    Extent trueStride = Extent::number(1);
    for (size_t dim = to.size(); dim-- > 0;) {
      Value at = dim ? op<hlo::RemOp>(place, known(toSizes[dim])) : place;
      if (dim) place = op<hlo::DivOp>(place, known(toSizes[dim]));
      Value part = op<hlo::MulOp>(at, size(trueStride));
      number = number ? op<hlo::AddOp>(number, part) : part;
      trueStride = ExtentSpace::multiply(trueStride, to[dim]);
    }
    // Coordinates in the operand, then the place there.
    Value result;
    int64_t stride = 1;
    for (size_t dim = from.size(); dim-- > 0;) {
      Value at = dim ? op<hlo::RemOp>(number, divisor(from[dim])) : number;
      if (dim) number = op<hlo::DivOp>(number, divisor(from[dim]));
      Value part = op<hlo::MulOp>(at, known(stride));
      result = result ? op<hlo::AddOp>(result, part) : part;
      stride *= fromSizes[dim];
    }
    return clamped(builder_, location_, result, 0, known(stride - 1));
  }

 private:
  template <typename Op>
  Value op(Value a, Value b) {
    return Op::create(builder_, location_, type_, a, b);
  }
  Value known(int64_t number) { return splat(builder_, location_, type_.getElementType(), number, type_.getShape()); }
  Value size(const Extent &extent) {
    return broadcast(builder_, location_, padder_.scalar(extent, type_.getElementType(), builder_, location_),
                     type_.getShape(), {});
  }
  Value divisor(const Extent &extent) { return size(padder_.space.max(extent, Extent::number(1))); }

  OpBuilder &builder_;
  Location location_;
  Padder &padder_;
  RankedTensorType type_;
};

// Row `rows[i]` of dimension `dim` as row i.
Value taken(OpBuilder &builder, Location location, Value value, int64_t dim, Value rows) {
  SmallVector<int64_t> shape(tensor(value).getShape()), sizes(shape), offsets;
  const int64_t count = tensor(rows).getDimSize(0);
  for (int64_t i = 0; i < static_cast<int64_t>(shape.size()); ++i)
    if (i != dim) offsets.push_back(i);
  sizes[dim] = 1;
  shape[dim] = count;
  auto dims = hlo::GatherDimensionNumbersAttr::get(builder.getContext(), offsets, {dim}, {}, {}, {dim}, 1);
  Value indices = hlo::ReshapeOp::create(builder, location, tensor(rows).clone({count, 1}), rows);
  return hlo::GatherOp::create(builder, location, tensor(value).clone(shape), value, indices, dims,
                               list(builder, sizes), builder.getBoolAttr(false));
}

Extent productOf(ArrayRef<Extent> extents) {
  Extent elements = Extent::number(1);
  for (const Extent &extent : extents) elements = ExtentSpace::multiply(elements, extent);
  return elements;
}

// A group of which one dim is made, whose true elements would have to be gathered; where it is the only one.
std::optional<size_t> joiningGroup(ArrayRef<Group> groups, ArrayRef<Extent> from) {
  std::optional<size_t> found;
  for (auto [i, group] : llvm::enumerate(groups)) {
    if (group.others != 1 || comeFirst(from.slice(group.from, group.count))) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

// The group's dims stay apart, then they are joined: ops on the result can do without (joined_dims.h).
LogicalResult joinGroup(Operation *op, Padder &padder, Value value, const Group &group, ArrayRef<Extent> left,
                        const Extents &to) {
  OpBuilder builder(op);
  Extents extents(to);
  extents.erase(extents.begin() + group.to);
  extents.insert(extents.begin() + group.to, left.begin(), left.end());
  Value apart = hlo::ReshapeOp::create(builder, op->getLoc(), tensor(value).clone(padder.capacity(extents)), value);
  padder.setExtents(apart, extents);
  Value whole = joined(op, padder, apart, group.to, group.count);
  if (!whole) return padder.refuse(op, "it has no or more than 2^31 elements in an open dimension");
  if (failed(padder.replace(op, {whole}, {to}))) return failure();
  padder.setJoin(whole, {apart, group.to, group.count});
  return success();
}

LogicalResult reshapeTo(Operation *op, Padder &padder, Value operand, const Extents &to) {
  std::optional<SmallVector<Group>> groups;
  // An array whose dims were joined has the same elements in the same order before.
  if (auto join = padder.joinOf(operand))
    if ((groups = groupsOf(padder.extents(join->source), to, padder))) operand = join->source;
  Extents from = padder.extents(operand);
  if (!groups) groups = groupsOf(from, to, padder);
  if (!groups) return padder.refuse(op, "its sizes are not known to hold as many elements");
  OpBuilder builder(op);
  Location location = op->getLoc();
  const std::optional<size_t> joins = joiningGroup(*groups, from);
  SmallVector<int64_t> fromSizes(tensor(operand).getShape()), toSizes = padder.capacity(to), flat;
  for (const Group &group : *groups) flat.push_back(product(ArrayRef(fromSizes).slice(group.from, group.count)));
  Value value = hlo::ReshapeOp::create(builder, location, tensor(operand).clone(flat), operand);
  for (auto [dim, group] : llvm::enumerate(*groups)) {
    if (dim == joins) continue;
    ArrayRef<Extent> left = ArrayRef(from).slice(group.from, group.count),
                     right = ArrayRef(to).slice(group.to, group.others);
    ArrayRef<int64_t> leftSizes = ArrayRef(fromSizes).slice(group.from, group.count),
                      rightSizes = ArrayRef(toSizes).slice(group.to, group.others);
    const int64_t count = product(rightSizes);
    if (comeFirst(left) && comeFirst(right)) {
      flat[dim] = count;
      value = padder.fitted(builder, location, value, flat);
      continue;
    }
    if (product(leftSizes) > INT32_MAX || count > INT32_MAX)
      return padder.refuse(op, "it has more than 2^31 elements in an open dimension");
    if (product(leftSizes) == 0) return padder.refuse(op, "it has no elements");
    flat[dim] = count;
    value = taken(builder, location, value, dim,
                  Places(builder, location, padder, count).of(left, leftSizes, right, rightSizes));
  }
  if (joins) {
    const Group &group = (*groups)[*joins];
    return joinGroup(op, padder, value, group, ArrayRef(from).slice(group.from, group.count), to);
  }
  value = hlo::ReshapeOp::create(builder, location, tensor(operand).clone(toSizes), value);
  return padder.replace(op, {value}, {to});
}

LogicalResult dynamicReshape(Operation *op, Padder &padder) {
  auto reshape = cast<hlo::DynamicReshapeOp>(op);
  const SizeValues::Elements *shape = padder.values.of(reshape.getOutputShape());
  return shape ? reshapeTo(op, padder, reshape.getOperand(), *shape) : padder.refuse(op, "the shape depends on data");
}

// One dimension may be open in the type: it has what the others leave.
LogicalResult reshape(Operation *op, Padder &padder) {
  auto reshape = cast<hlo::ReshapeOp>(op);
  RankedTensorType type = reshape.getType();
  Extents to;
  const Extent elements = productOf(padder.extents(reshape.getOperand()));
  int64_t known = 1, open = -1;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    if (ShapedType::isDynamic(size) && open >= 0) return padder.refuse(op, "several of its sizes are open");
    if (ShapedType::isDynamic(size))
      open = dim;
    else
      known *= size;
    to.push_back(Extent::number(ShapedType::isDynamic(size) ? 0 : size));
  }
  if (open >= 0) {
    auto rest = known > 0 ? padder.space.floorDiv(elements, Extent::number(known)) : std::nullopt;
    if (!rest || !padder.space.equal(ExtentSpace::scale(*rest, known), elements))
      return padder.refuse(op, "its size does not follow");
    to[open] = *rest;
  }
  return reshapeTo(op, padder, reshape.getOperand(), to);
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
    if (padder.space.range(extent).least < 1) return padder.refuse(op, "its operand may have no elements"), failure();
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

Value joined(Operation *op, Padder &padder, Value source, int64_t dim, int64_t count) {
  OpBuilder builder(op);
  Extents extents = padder.extents(source);
  SmallVector<int64_t> shape(tensor(source).getShape());
  const auto left = llvm::to_vector(ArrayRef(extents).slice(dim, count));
  const auto leftSizes = llvm::to_vector(ArrayRef(shape).slice(dim, count));
  const Extent whole = productOf(left);
  const int64_t size = padder.capacity({whole})[0];
  if (product(leftSizes) == 0 || product(leftSizes) > INT32_MAX || size > INT32_MAX) return nullptr;
  shape.erase(shape.begin() + dim + 1, shape.begin() + dim + count);
  shape[dim] = product(leftSizes);
  extents.erase(extents.begin() + dim + 1, extents.begin() + dim + count);
  extents[dim] = whole;
  Value value = hlo::ReshapeOp::create(builder, op->getLoc(), tensor(source).clone(shape), source);
  value = taken(builder, op->getLoc(), value, dim,
                Places(builder, op->getLoc(), padder, size).of(left, leftSizes, {whole}, {size}));
  padder.setExtents(value, extents);
  return value;
}

void addMoveRules(PadRules &rules) {
  rules["stablehlo.slice"] = slice;
  rules["stablehlo.real_dynamic_slice"] = realDynamicSlice;
  rules["stablehlo.pad"] = pad;
  rules["stablehlo.dynamic_pad"] = dynamicPad;
  rules["stablehlo.concatenate"] = concatenate;
  rules["stablehlo.reverse"] = reverse;
  rules["stablehlo.reshape"] = reshape;
  rules["stablehlo.dynamic_reshape"] = dynamicReshape;
}

}  // namespace tpuc::shapes
