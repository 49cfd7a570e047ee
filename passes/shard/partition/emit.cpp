//===- emit.cpp - numbers and moves on one device -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/partition/emit.h"

using namespace mlir;

namespace tpuc::shard {

namespace hlo = tpuc::stablehlo;

static Attribute numberAttr(Type element, double number) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return ArrayAttr::get(element.getContext(),
                          {numberAttr(complex.getElementType(), number), numberAttr(complex.getElementType(), number)});
  if (auto real = dyn_cast<FloatType>(element)) return FloatAttr::get(real, number);
  return IntegerAttr::get(element, APInt(element.getIntOrFloatBitWidth(), static_cast<int64_t>(number), true, true));
}

Value Emitter::scalar(int64_t number, Type element) {
  Type type = element ? element : builder.getI32Type();
  APInt bits(type.getIntOrFloatBitWidth(), number, /*isSigned=*/true, /*implicitTrunc=*/true);
  return splat(RankedTensorType::get({}, type), IntegerAttr::get(type, bits));
}

Value Emitter::splat(RankedTensorType type, Attribute element) {
  DenseElementsAttr value;
  if (auto parts = dyn_cast<ArrayAttr>(element)) {
    std::complex<APFloat> number(cast<FloatAttr>(parts[0]).getValue(), cast<FloatAttr>(parts[1]).getValue());
    value = DenseElementsAttr::get(type, number);
  } else {
    value = DenseElementsAttr::get(type, element);
  }
  return create<hlo::ConstantOp>(type, cast<ElementsAttr>(Attribute(value)));
}

Value Emitter::zeros(RankedTensorType type) { return splat(type, numberAttr(type.getElementType(), 0)); }

static Attribute extreme(Type element, bool largest) {
  if (auto real = dyn_cast<FloatType>(element)) {
    const llvm::fltSemantics &semantics = real.getFloatSemantics();
    bool infinite = APFloat::semanticsHasInf(semantics);
    return FloatAttr::get(real,
                          infinite ? APFloat::getInf(semantics, !largest) : APFloat::getLargest(semantics, !largest));
  }
  unsigned width = element.getIntOrFloatBitWidth();
  bool isUnsigned = element.isUnsignedInteger() || width == 1;
  if (largest)
    return IntegerAttr::get(element, isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width));
  return IntegerAttr::get(element, isUnsigned ? APInt::getMinValue(width) : APInt::getSignedMinValue(width));
}

Value Emitter::neutral(Reducer reducer, Type element) {
  auto type = RankedTensorType::get({}, element);
  switch (reducer) {
    case Reducer::Sum:
      return splat(type, numberAttr(element, isa<FloatType, ComplexType>(element) ? -0.0 : 0.0));
    case Reducer::Or:
    case Reducer::Xor:
      return splat(type, numberAttr(element, 0));
    case Reducer::Product:
      if (auto complex = dyn_cast<ComplexType>(element))
        return splat(type, builder.getArrayAttr(
                               {numberAttr(complex.getElementType(), 1), numberAttr(complex.getElementType(), 0)}));
      return splat(type, numberAttr(element, 1));
    case Reducer::And:
      return splat(type, IntegerAttr::get(element, APInt::getAllOnes(element.getIntOrFloatBitWidth())));
    case Reducer::Max:
      return splat(type, extreme(element, /*largest=*/false));
    case Reducer::Min:
      return splat(type, extreme(element, /*largest=*/true));
  }
  llvm_unreachable("every reducer has one");
}

Value Emitter::convert(Value value, Type element) {
  RankedTensorType type = typeOf(value);
  if (type.getElementType() == element) return value;
  return create<hlo::ConvertOp>(RankedTensorType::get(type.getShape(), element), value);
}

// Where the device stands on the mesh.
Value Emitter::position(const Mesh *mesh) {
  Type id = RankedTensorType::get({}, builder.getIntegerType(32, /*isSigned=*/false));
  Value device = convert(create<hlo::PartitionIdOp>(id), builder.getI32Type());
  Places places(mesh->attr);
  if (places.inOrder()) return device;
  SmallVector<int32_t> table(places.count());
  for (int64_t at = 0; at < places.count(); ++at) table[places.id(at)] = at;
  auto type = RankedTensorType::get({places.count()}, builder.getI32Type());
  Value all = create<hlo::ConstantOp>(
      type, cast<ElementsAttr>(Attribute(DenseElementsAttr::get(type, ArrayRef<int32_t>(table)))));
  return reshape(dynamicSlice(all, 0, device, 1), {});
}

Value Emitter::index(const Mesh *mesh, ArrayRef<Axis> axes) {
  if (axes.empty()) return scalar(0);
  Places places(mesh->attr);
  Value at = position(mesh), result;
  for (Axis axis : axes) {
    Value own = at;
    if (int64_t stride = places.stride(axis); stride > 1) own = create<hlo::DivOp>(own, scalar(stride));
    if (places.stride(axis) * axis.size < places.count()) own = create<hlo::RemOp>(own, scalar(axis.size));
    result = result ? create<hlo::AddOp>(create<hlo::MulOp>(result, scalar(axis.size)), own) : own;
  }
  return result;
}

Value Emitter::perIndex(const Mesh *mesh, ArrayRef<Axis> axes, llvm::function_ref<int64_t(int64_t)> of) {
  int64_t parts = sdy::shardedSize(axes), first = of(0), step = parts > 1 ? of(1) - first : 0;
  SmallVector<int32_t> table;
  bool affine = true;
  for (int64_t i = 0; i < parts; ++i) {
    table.push_back(static_cast<int32_t>(of(i)));
    affine &= of(i) == first + i * step;
  }
  if (affine) {
    if (step == 0) return scalar(first);
    Value result = index(mesh, axes);
    if (step != 1) result = create<hlo::MulOp>(result, scalar(step));
    return first ? create<hlo::AddOp>(result, scalar(first)).getResult() : result;
  }
  auto type = RankedTensorType::get({parts}, builder.getI32Type());
  Value all = create<hlo::ConstantOp>(
      type, cast<ElementsAttr>(Attribute(DenseElementsAttr::get(type, ArrayRef<int32_t>(table)))));
  return reshape(dynamicSlice(all, 0, index(mesh, axes), 1), {});
}

//===-----------------------------------------------------------------------------===//
// Moves
//===-----------------------------------------------------------------------------===//

Value Emitter::broadcast(Value value, RankedTensorType type, ArrayRef<int64_t> dims) {
  if (value.getType() == type) return value;
  return create<hlo::BroadcastInDimOp>(type, value, dims);
}

Value Emitter::reshape(Value value, ArrayRef<int64_t> shape) {
  RankedTensorType type = typeOf(value).clone(shape);
  return value.getType() == type ? value : create<hlo::ReshapeOp>(type, value).getResult();
}

static RankedTensorType resized(Value value, int64_t dim, int64_t size) {
  SmallVector<int64_t> shape(typeOf(value).getShape());
  shape[dim] = size;
  return typeOf(value).clone(shape);
}

Value Emitter::slice(Value value, int64_t dim, int64_t start, int64_t limit, int64_t stride) {
  if (start == 0 && limit == typeOf(value).getDimSize(dim) && stride == 1) return value;
  int64_t rank = typeOf(value).getRank();
  SmallVector<int64_t> starts(rank, 0), limits(typeOf(value).getShape()), strides(rank, 1);
  starts[dim] = start, limits[dim] = limit, strides[dim] = stride;
  return create<hlo::SliceOp>(resized(value, dim, divideUp(limit - start, stride)), value, starts, limits, strides);
}

Value Emitter::dynamicSlice(Value value, int64_t dim, Value start, int64_t size) {
  if (typeOf(value).getDimSize(dim) == size) return value;  // every start is clamped to 0
  SmallVector<Value> starts(typeOf(value).getRank());
  for (auto [i, one] : llvm::enumerate(starts)) one = static_cast<int64_t>(i) == dim ? start : scalar(0);
  RankedTensorType type = resized(value, dim, size);
  return create<hlo::DynamicSliceOp>(type, value, starts, type.getShape());
}

Value Emitter::pad(Value value, int64_t dim, int64_t low, int64_t high, int64_t interior, Value fill) {
  if (low == 0 && high == 0 && interior == 0) return value;
  if (!fill) fill = zeros(RankedTensorType::get({}, typeOf(value).getElementType()));
  int64_t rank = typeOf(value).getRank(), size = typeOf(value).getDimSize(dim);
  SmallVector<int64_t> lows(rank, 0), highs(rank, 0), interiors(rank, 0);
  lows[dim] = low, highs[dim] = high, interiors[dim] = interior;
  int64_t padded = size + low + high + std::max<int64_t>(size - 1, 0) * interior;
  return create<hlo::PadOp>(resized(value, dim, padded), value, fill, lows, highs, interiors);
}

Value Emitter::concatenate(ArrayRef<Value> values, int64_t dim) {
  if (values.size() == 1) return values.front();
  int64_t size = 0;
  for (Value value : values) size += typeOf(value).getDimSize(dim);
  return create<hlo::ConcatenateOp>(resized(values.front(), dim, size), values, dim);
}

Value Emitter::reverse(Value value, int64_t dim) {
  return create<hlo::ReverseOp>(value.getType(), value, ArrayRef<int64_t>{dim});
}

Value Emitter::select(Value predicate, Value yes, Value no) {
  return create<hlo::SelectOp>(yes.getType(), predicate, yes, no);
}

Value Emitter::compare(Value a, Value b, hlo::ComparisonDirection direction) {
  auto type = RankedTensorType::get(typeOf(a).getShape(), builder.getI1Type());
  return create<hlo::CompareOp>(type, a, b, hlo::ComparisonDirectionAttr::get(builder.getContext(), direction),
                                hlo::ComparisonTypeAttr());
}

Value Emitter::keepRange(Value value, int64_t dim, Value offset, int64_t low, int64_t high, Value fill) {
  RankedTensorType type = typeOf(value);
  auto line = RankedTensorType::get({type.getDimSize(dim)}, builder.getI32Type());
  Value at = create<hlo::AddOp>(create<hlo::IotaOp>(line, 0), broadcast(offset, line, {}));
  using Direction = hlo::ComparisonDirection;
  Value kept = compare(at, broadcast(scalar(high), line, {}), Direction::LT);
  if (low != std::numeric_limits<int32_t>::min())
    kept = create<hlo::AndOp>(compare(at, broadcast(scalar(low), line, {}), Direction::GE), kept);
  Value mask = broadcast(kept, RankedTensorType::get(type.getShape(), builder.getI1Type()), {dim});
  return select(mask, value, broadcast(fill, type, {}));
}

Value Emitter::combine(Reducer reducer, Value a, Value b) {
  switch (reducer) {
    case Reducer::Sum:
      return create<hlo::AddOp>(a, b);
    case Reducer::Product:
      return create<hlo::MulOp>(a, b);
    case Reducer::Max:
      return create<hlo::MaxOp>(a, b);
    case Reducer::Min:
      return create<hlo::MinOp>(a, b);
    case Reducer::And:
      return create<hlo::AndOp>(a, b);
    case Reducer::Or:
      return create<hlo::OrOp>(a, b);
    case Reducer::Xor:
      return create<hlo::XorOp>(a, b);
  }
  llvm_unreachable("every reducer is an op");
}

}  // namespace tpuc::shard
