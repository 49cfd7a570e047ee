// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/shapes/size_values.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tpuc::shapes {

namespace hlo = tpuc::stablehlo;

namespace {

// Shapes have few dimensions; arrays beyond this are data.
constexpr int64_t kMostElements = 64;

RankedTensorType smallType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  const bool small = type && type.hasStaticShape() && type.getNumElements() <= kMostElements &&
                     isa<IntegerType, IndexType>(type.getElementType());
  return small ? type : RankedTensorType();
}

// Values that wrap around are no sizes.
bool holds(Type element, ExtentRange range) {
  auto integer = dyn_cast<IntegerType>(element);
  const unsigned bits = integer ? integer.getWidth() : 64;
  if (bits == 1) return range.least >= 0 && range.most <= 1;
  const bool isUnsigned = integer && integer.isUnsigned();
  const unsigned magnitude = std::min(60u, isUnsigned ? bits : bits - 1);
  return range.most < (int64_t{1} << magnitude) && range.least >= (isUnsigned ? 0 : -(int64_t{1} << magnitude));
}

}  // namespace

const SizeValues::Elements *SizeValues::of(Value value) const {
  auto found = known_.find(value.getAsOpaquePointer());
  return found == known_.end() ? nullptr : &found->second;
}

void SizeValues::visit(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() || of(op->getResult(0))) return;
  RankedTensorType type = smallType(op->getResult(0));
  if (!type) return;
  auto elements = evaluate(op);
  if (!elements) return;
  for (const Extent &element : *elements)
    if (!holds(type.getElementType(), space_.range(element))) return;
  set(op->getResult(0), std::move(*elements));
}

std::optional<SizeValues::Elements> SizeValues::evaluate(Operation *op) {
  using Result = std::optional<Elements>;
  RankedTensorType type = smallType(op->getResult(0));
  auto same = [&](auto) -> Result {
    const Elements *elements = of(op->getOperand(0));
    return elements ? Result(*elements) : std::nullopt;
  };
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](hlo::ConstantOp constant) -> Result {
        auto values = dyn_cast<DenseIntElementsAttr>(constant.getValue());
        if (!values || hlo::isQuantized(constant.getType())) return std::nullopt;
        Elements elements;
        const bool zeros = type.getElementType().isUnsignedInteger() || type.getElementType().isInteger(1);
        for (const APInt &value : values.getValues<APInt>())
          elements.push_back(
              Extent::number(zeros ? static_cast<int64_t>(value.getLimitedValue(INT64_MAX)) : value.getSExtValue()));
        return elements;
      })
      .Case<hlo::ReshapeOp, hlo::DynamicReshapeOp, hlo::OptimizationBarrierOp>(same)
      .Case([&](hlo::BroadcastInDimOp op) { return broadcast(op.getOperand(), op.getBroadcastDimensions(), type); })
      .Case([&](hlo::DynamicBroadcastInDimOp op) {
        return broadcast(op.getOperand(), op.getBroadcastDimensions(), type);
      })
      .Case([&](hlo::SliceOp op) { return slice(op); })
      .Case([&](hlo::ConcatenateOp op) -> Result {
        Elements all;
        for (Value input : op.getInputs()) {
          const Elements *elements = of(input);
          // Rows one after the other are in row-major order along the first dimension alone.
          if (!elements || op.getDimension() != 0) return std::nullopt;
          llvm::append_range(all, *elements);
        }
        return all;
      })
      .Default([&](Operation *op) {
        return op->hasTrait<hlo::IsElementwise>() ? elementwise(op, type.getNumElements()) : std::nullopt;
      });
}

std::optional<SizeValues::Elements> SizeValues::broadcast(Value operand, ArrayRef<int64_t> dims,
                                                          RankedTensorType type) const {
  const Elements *elements = of(operand);
  if (!elements) return std::nullopt;
  if (elements->size() == 1) return Elements(type.getNumElements(), elements->front());
  // A vector that gets further dimensions of size 1.
  return static_cast<int64_t>(elements->size()) == type.getNumElements() && llvm::is_sorted(dims)
             ? std::optional(*elements)
             : std::nullopt;
}

std::optional<SizeValues::Elements> SizeValues::slice(hlo::SliceOp op) const {
  const Elements *elements = of(op.getOperand());
  if (!elements || cast<RankedTensorType>(op.getOperand().getType()).getRank() != 1) return std::nullopt;
  Elements result;
  for (int64_t i = op.getStartIndices()[0]; i < op.getLimitIndices()[0]; i += op.getStrides()[0])
    result.push_back((*elements)[i]);
  return result;
}

std::optional<SizeValues::Elements> SizeValues::elementwise(Operation *op, int64_t count) {
  SmallVector<const Elements *> operands;
  for (Value operand : op->getOperands()) {
    const Elements *elements = of(operand);
    if (!elements || (static_cast<int64_t>(elements->size()) != count && elements->size() != 1)) return std::nullopt;
    operands.push_back(elements);
  }
  Elements result;
  for (int64_t i = 0; i < count; ++i) {
    Elements scalars;
    for (const Elements *elements : operands) scalars.push_back((*elements)[elements->size() == 1 ? 0 : i]);
    std::optional<Extent> one = combine(op, scalars);
    if (!one) return std::nullopt;
    result.push_back(*one);
  }
  return result;
}

std::optional<Extent> SizeValues::compare(hlo::ComparisonDirection direction, const Extent &a, const Extent &b) {
  const Extent one = Extent::number(1), up = ExtentSpace::subtract(a, b), down = ExtentSpace::subtract(b, a);
  switch (direction) {
    case hlo::ComparisonDirection::GE:
      return space_.notNegative(up);
    case hlo::ComparisonDirection::LE:
      return space_.notNegative(down);
    case hlo::ComparisonDirection::GT:
      return space_.notNegative(ExtentSpace::subtract(up, one));
    case hlo::ComparisonDirection::LT:
      return space_.notNegative(ExtentSpace::subtract(down, one));
    case hlo::ComparisonDirection::EQ:
      return space_.isZero(up);
    case hlo::ComparisonDirection::NE:
      return ExtentSpace::subtract(one, space_.isZero(up));
  }
  return std::nullopt;
}

std::optional<Extent> SizeValues::combine(Operation *op, ArrayRef<Extent> x) {
  using Result = std::optional<Extent>;
  const Extent one = Extent::number(1);
  Type element = cast<RankedTensorType>(op->getResult(0).getType()).getElementType();
  const bool isBool = element.isInteger(1);
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](hlo::ConvertOp convert) -> Result {
        auto from = cast<RankedTensorType>(convert.getOperand().getType()).getElementType();
        return isBool && !from.isInteger(1) ? ExtentSpace::subtract(one, space_.isZero(x[0])) : x[0];
      })
      .Case([&](hlo::CompareOp compare) { return this->compare(compare.getComparisonDirection(), x[0], x[1]); })
      .Case([&](hlo::SelectOp) {
        return Result(ExtentSpace::add(x[2], ExtentSpace::multiply(x[0], ExtentSpace::subtract(x[1], x[2]))));
      })
      .Case([&](hlo::AndOp) { return isBool ? Result(ExtentSpace::multiply(x[0], x[1])) : std::nullopt; })
      .Case([&](hlo::OrOp) {
        return isBool ? Result(ExtentSpace::subtract(ExtentSpace::add(x[0], x[1]), ExtentSpace::multiply(x[0], x[1])))
                      : std::nullopt;
      })
      .Case([&](hlo::NotOp) { return isBool ? Result(ExtentSpace::subtract(one, x[0])) : std::nullopt; })
      .Case([&](hlo::SignOp) {
        return Result(
            ExtentSpace::subtract(space_.notNegative(ExtentSpace::subtract(x[0], one)),
                                  space_.notNegative(ExtentSpace::subtract(ExtentSpace::scale(x[0], -1), one))));
      })
      .Case([&](hlo::ClampOp) { return Result(space_.min(space_.max(x[1], x[0]), x[2])); })
      .Default([&](Operation *op) -> Result {
        if (isBool) return std::nullopt;
        if (isa<hlo::AddOp>(op)) return ExtentSpace::add(x[0], x[1]);
        if (isa<hlo::SubtractOp>(op)) return ExtentSpace::subtract(x[0], x[1]);
        if (isa<hlo::MulOp>(op)) return ExtentSpace::multiply(x[0], x[1]);
        if (isa<hlo::NegOp>(op)) return ExtentSpace::scale(x[0], -1);
        if (isa<hlo::MaxOp>(op)) return space_.max(x[0], x[1]);
        if (isa<hlo::MinOp>(op)) return space_.min(x[0], x[1]);
        if (isa<hlo::AbsOp>(op)) return space_.max(x[0], ExtentSpace::scale(x[0], -1));
        if (isa<hlo::DivOp>(op)) return space_.divide(x[0], x[1]);
        if (!isa<hlo::RemOp>(op)) return std::nullopt;
        auto whole = space_.divide(x[0], x[1]);
        return whole ? Result(ExtentSpace::subtract(x[0], ExtentSpace::multiply(*whole, x[1]))) : std::nullopt;
      });
}

}  // namespace tpuc::shapes
