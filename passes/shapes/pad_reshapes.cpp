// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reshapes of padded dimensions. Where padding would come to lie between true elements, they are moved together.
#include <numeric>

#include "passes/shapes/joined_dims.h"
#include "passes/shapes/moves.h"

using namespace mlir;

namespace tpuc::shapes {

namespace hlo = tpuc::stablehlo;

namespace {

RankedTensorType tensor(Value value) { return cast<RankedTensorType>(value.getType()); }

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
                               builder.getDenseI64ArrayAttr(sizes), builder.getBoolAttr(false));
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

}  // namespace

LogicalResult padDynamicReshape(Operation *op, Padder &padder) {
  auto reshape = cast<hlo::DynamicReshapeOp>(op);
  const SizeValues::Elements *shape = padder.values.of(reshape.getOutputShape());
  return shape ? reshapeTo(op, padder, reshape.getOperand(), *shape) : padder.refuse(op, "the shape depends on data");
}

// One dimension may be open in the type: it has what the others leave.
LogicalResult padReshape(Operation *op, Padder &padder) {
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

}  // namespace tpuc::shapes
