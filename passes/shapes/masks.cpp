// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a padder builds: sizes as numbers, masks, cuts and shifts.
#include "passes/shapes/neutral.h"
#include "passes/shapes/padder.h"
#include "passes/shapes/passes.h"

using namespace mlir;

namespace tpuc::shapes {

namespace hlo = tpuc::stablehlo;

namespace {

RankedTensorType tensor(Value value) { return cast<RankedTensorType>(value.getType()); }

}  // namespace

Value splat(OpBuilder &builder, Location location, Type element, const simplify::Scalar &value,
            ArrayRef<int64_t> shape) {
  return simplify::makeSplat(builder, location, RankedTensorType::get(shape, element), value);
}

Value splat(OpBuilder &builder, Location location, Type element, int64_t value, ArrayRef<int64_t> shape) {
  return splat(builder, location, element, numberScalar(element, value), shape);
}

Value complexNumber(OpBuilder &builder, Location location, ComplexType element, const APFloat &real) {
  auto type = RankedTensorType::get({}, element);
  const std::complex<APFloat> number(real, APFloat::getZero(real.getSemantics()));
  return hlo::ConstantOp::create(builder, location, cast<ElementsAttr>(DenseElementsAttr::get(type, ArrayRef(number))));
}

Value zeroOf(OpBuilder &builder, Location location, Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return complexNumber(builder, location, complex,
                         APFloat::getZero(cast<FloatType>(complex.getElementType()).getFloatSemantics()));
  auto type = RankedTensorType::get({}, element);
  return hlo::ConstantOp::create(builder, location, type, cast<ElementsAttr>(builder.getZeroAttr(type)));
}

Value broadcast(OpBuilder &builder, Location location, Value value, ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  if (tensor(value).getShape() == shape) return value;
  return hlo::BroadcastInDimOp::create(builder, location, tensor(value).clone(shape), value,
                                       builder.getDenseI64ArrayAttr(dims));
}

Value clamped(OpBuilder &builder, Location location, Value value, int64_t low, Value high) {
  Value least = splat(builder, location, tensor(value).getElementType(), low, tensor(value).getShape());
  Value below = hlo::MinOp::create(builder, location, value.getType(), value, high);
  return hlo::MaxOp::create(builder, location, value.getType(), below, least);
}

Value Padder::symbolValue(StringRef name) {
  for (unsigned i = 0; i < main_.getNumArguments(); ++i)
    if (auto extent = main_.getArgAttrOfType<StringAttr>(i, kExtentAttr); extent && extent.getValue() == name)
      return main_.getArgument(i);
  return nullptr;
}

// In front of everything else, in the order in which they are made: loops' bodies see them too.
template <typename Op, typename... Args>
Value Padder::sizeOp(Args &&...args) {
  OpBuilder builder(main_.getContext());
  if (lastSize_)
    builder.setInsertionPointAfter(lastSize_);
  else
    builder.setInsertionPointToStart(&main_.getBody().front());
  auto type = RankedTensorType::get({}, builder.getI32Type());
  lastSize_ = Op::create(builder, main_.getLoc(), type, std::forward<Args>(args)...);
  return lastSize_->getResult(0);
}

Value Padder::sizeNumber(int64_t number) {
  auto type = RankedTensorType::get({}, IntegerType::get(main_.getContext(), 32));
  return sizeOp<hlo::ConstantOp>(cast<ElementsAttr>(DenseElementsAttr::get(type, APInt(32, number, true, true))));
}

// floordiv shifts what may be negative by whole divisors, since the machine's division rounds to 0.
Value Padder::atomValue(const ExtentSpace::Atom &atom) {
  if (atom.kind == ExtentSpace::Kind::Symbol) return symbolValue(atom.name);
  const Extent &right = atom.operands[1];
  if (atom.kind != ExtentSpace::Kind::FloorDiv) {
    Value a = scalar(atom.operands[0]), b = scalar(right);
    return atom.kind == ExtentSpace::Kind::Max ? sizeOp<hlo::MaxOp>(a, b) : sizeOp<hlo::MinOp>(a, b);
  }
  const int64_t least = space.range(atom.operands[0]).least;
  const Extent shift = Extent::number(least < 0 ? -least : 0);
  Value a = scalar(ExtentSpace::add(atom.operands[0], ExtentSpace::multiply(shift, right))), b = scalar(right);
  Value whole = sizeOp<hlo::DivOp>(a, b);
  if (least >= 0) return whole;
  Value shifts = scalar(shift);
  return sizeOp<hlo::SubtractOp>(whole, shifts);
}

Value Padder::scalar(const Extent &extent) {
  if (auto found = scalars_.find(extent); found != scalars_.end()) return found->second;
  Value result;
  for (const ExtentSpace::Term &term : ExtentSpace::terms(extent)) {
    Value product = term.factor == 1 && !term.atoms.empty() ? Value() : sizeNumber(term.factor);
    for (unsigned number : term.atoms) {
      const ExtentSpace::Atom atom = space.atom(number);
      Value value = atomValue(atom);
      product = product ? sizeOp<hlo::MulOp>(product, value) : value;
    }
    result = result ? sizeOp<hlo::AddOp>(result, product) : product;
  }
  if (!result) result = sizeNumber(0);
  values.set(result, {extent});
  return scalars_[extent] = result;
}

Value Padder::scalar(const Extent &extent, Type element, OpBuilder &builder, Location location) {
  if (auto number = extent.asNumber()) return splat(builder, location, element, *number);
  Value value = scalar(extent);
  return element.isInteger(32) && element.isSignlessInteger()
             ? value
             : hlo::ConvertOp::create(builder, location, RankedTensorType::get({}, element), value).getResult();
}

Value Padder::within(OpBuilder &builder, Location location, ArrayRef<int64_t> shape, ArrayRef<int64_t> dims,
                     ArrayRef<Extent> extents) {
  Value all;
  Type i32 = builder.getI32Type();
  auto bools = RankedTensorType::get(shape, builder.getI1Type());
  for (int64_t dim : dims) {
    Value places =
        hlo::IotaOp::create(builder, location, RankedTensorType::get(shape, i32), builder.getI64IntegerAttr(dim));
    Value end = broadcast(builder, location, scalar(extents[dim], i32, builder, location), shape, {});
    Value before =
        hlo::CompareOp::create(builder, location, bools, places, end, hlo::ComparisonDirection::LT,
                               hlo::ComparisonTypeAttr::get(builder.getContext(), hlo::ComparisonType::SIGNED));
    all = all ? hlo::AndOp::create(builder, location, bools, all, before).getResult() : before;
  }
  return all;
}

Value Padder::masked(Operation *op, Value value, ArrayRef<int64_t> dims, Value fill, StringRef why) {
  SmallVector<int64_t> padded = paddedAmong(value, dims);
  if (padded.empty()) return value;
  OpBuilder builder(op);
  Location location = op->getLoc();
  ArrayRef<int64_t> shape = tensor(value).getShape();
  Extents sizes = extents(value);
  Value inside = within(builder, location, shape, padded, sizes);
  auto select = hlo::SelectOp::create(builder, location, value.getType(), inside, value,
                                      broadcast(builder, location, fill, shape, {}));
  select->setAttr(kMaskAttr, builder.getStringAttr(why));
  setExtents(select, sizes);
  return select;
}

Value Padder::masked(Operation *op, Value value, ArrayRef<int64_t> dims, const simplify::Scalar &fill, StringRef why) {
  if (paddedAmong(value, dims).empty()) return value;
  OpBuilder builder(op);
  return masked(op, value, dims, splat(builder, op->getLoc(), tensor(value).getElementType(), fill), why);
}

Value Padder::fitted(OpBuilder &builder, Location location, Value value, ArrayRef<int64_t> shape) {
  RankedTensorType type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getShape() == shape) return value;
  SmallVector<int64_t> cut, low(shape.size(), 0), high, ones(shape.size(), 1);
  for (auto [have, want] : llvm::zip_equal(type.getShape(), shape)) {
    cut.push_back(std::min(have, want));
    high.push_back(want - cut.back());
  }
  if (ArrayRef(cut) != type.getShape())
    value = hlo::SliceOp::create(builder, location, type.clone(cut), value, builder.getDenseI64ArrayAttr(low),
                                 builder.getDenseI64ArrayAttr(cut), builder.getDenseI64ArrayAttr(ones));
  if (ArrayRef(cut) == shape) return value;
  return hlo::PadOp::create(builder, location, type.clone(shape), value,
                            zeroOf(builder, location, type.getElementType()), builder.getDenseI64ArrayAttr(low),
                            builder.getDenseI64ArrayAttr(high), builder.getDenseI64ArrayAttr(low));
}

Value Padder::shifted(OpBuilder &builder, Location location, Value value, int64_t dim, Value start, int64_t size,
                      int64_t last) {
  SmallVector<int64_t> shape(tensor(value).getShape());
  shape[dim] = std::max(shape[dim], last);
  value = fitted(builder, location, value, shape);
  Value zero = splat(builder, location, builder.getI32Type(), int64_t{0});
  SmallVector<Value> starts(shape.size(), zero);
  starts[dim] = start;
  shape[dim] = size;
  return hlo::DynamicSliceOp::create(builder, location, tensor(value).clone(shape), value, starts,
                                     builder.getDenseI64ArrayAttr(shape));
}

}  // namespace tpuc::shapes
