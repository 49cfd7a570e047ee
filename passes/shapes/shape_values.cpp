// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/shapes/shape_values.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tpuc::shapes {

namespace hlo = tpuc::stablehlo;
using simplify::Scalar;

namespace {

// Shapes have few dimensions; arrays beyond this are data.
constexpr int64_t kMostElements = 256;

RankedTensorType smallType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  const bool small = type && type.hasStaticShape() && type.getNumElements() <= kMostElements &&
                     isa<IntegerType, FloatType, IndexType>(type.getElementType());
  return small ? type : RankedTensorType();
}

SmallVector<int64_t> placeOf(int64_t index, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> place(shape.size());
  for (size_t dim = shape.size(); dim-- > 0; index /= shape[dim]) place[dim] = index % shape[dim];
  return place;
}

int64_t indexOf(ArrayRef<int64_t> place, ArrayRef<int64_t> shape) {
  int64_t index = 0;
  for (auto [at, size] : llvm::zip_equal(place, shape)) index = index * size + at;
  return index;
}

}  // namespace

const SmallVector<Scalar> *ShapeValues::of(Value value) const {
  auto found = known_.find(value);
  return found == known_.end() ? nullptr : &found->second;
}

std::optional<SmallVector<int64_t>> ShapeValues::integers(Value value) const {
  const Elements *elements = of(value);
  Type element = cast<RankedTensorType>(value.getType()).getElementType();
  if (!elements || !isa<IntegerType, IndexType>(element)) return std::nullopt;
  SmallVector<int64_t> numbers;
  for (const Scalar &scalar : *elements) {
    const APInt &number = std::get<APInt>(scalar);
    const bool zeros = element.isUnsignedInteger() || element.isInteger(1);
    numbers.push_back(zeros ? static_cast<int64_t>(number.getLimitedValue(INT64_MAX)) : number.getSExtValue());
  }
  return numbers;
}

void ShapeValues::visit(Operation *op) {
  if (op->getNumResults() != 1 || !smallType(op->getResult(0)) || op->getNumRegions()) return;
  if (auto elements = evaluate(op)) known_[op->getResult(0)] = std::move(*elements);
}

std::optional<ShapeValues::Elements> ShapeValues::evaluate(Operation *op) const {
  RankedTensorType type = smallType(op->getResult(0));
  using Result = std::optional<Elements>;
  auto same = [&](auto) -> Result {
    const Elements *elements = of(op->getOperand(0));
    return elements ? Result(*elements) : std::nullopt;
  };
  // Operand dimension i is the result's dims[i], or of size 1.
  auto broadcast = [&](ArrayRef<int64_t> dims) {
    auto shape = cast<RankedTensorType>(op->getOperand(0).getType()).getShape();
    return moved(op, [=](ArrayRef<int64_t> place) {
      return llvm::map_to_vector(llvm::enumerate(dims),
                                 [&](auto it) { return shape[it.index()] == 1 ? int64_t{0} : place[it.value()]; });
    });
  };
  return TypeSwitch<Operation *, Result>(op)
      .Case([&](hlo::ConstantOp constant) -> Result {
        auto values = dyn_cast<DenseElementsAttr>(constant.getValue());
        if (!values || hlo::isQuantized(constant.getType())) return std::nullopt;
        if (isa<FloatType>(type.getElementType())) return Elements(values.getValues<APFloat>());
        return Elements(values.getValues<APInt>());
      })
      .Case([&](hlo::GetDimensionSizeOp size) -> Result {
        auto operand = cast<RankedTensorType>(size.getOperand().getType());
        if (operand.isDynamicDim(size.getDimension())) return std::nullopt;
        return Elements{APInt(32, operand.getDimSize(size.getDimension()))};
      })
      .Case<hlo::ReshapeOp, hlo::DynamicReshapeOp>(same)
      .Case([&](hlo::BroadcastInDimOp op) { return broadcast(op.getBroadcastDimensions()); })
      .Case([&](hlo::DynamicBroadcastInDimOp op) { return broadcast(op.getBroadcastDimensions()); })
      .Case([&](hlo::TransposeOp op) {
        return moved(op, [=](ArrayRef<int64_t> place) mutable {
          SmallVector<int64_t> from(place.size());
          for (auto [dim, source] : llvm::enumerate(op.getPermutation())) from[source] = place[dim];
          return from;
        });
      })
      .Case([&](hlo::SliceOp op) {
        return moved(op, [=](ArrayRef<int64_t> place) mutable {
          SmallVector<int64_t> from;
          for (auto [at, start, stride] : llvm::zip_equal(place, op.getStartIndices(), op.getStrides()))
            from.push_back(start + at * stride);
          return from;
        });
      })
      .Case([&](hlo::ConcatenateOp op) { return joined(op); })
      .Case([&](hlo::IotaOp iota) -> Result {
        if (!isa<IntegerType>(type.getElementType())) return std::nullopt;
        Elements elements;
        for (int64_t i = 0; i < type.getNumElements(); ++i)
          elements.push_back(
              APInt(type.getElementTypeBitWidth(), placeOf(i, type.getShape())[iota.getIotaDimension()], false, true));
        return elements;
      })
      .Default([&](Operation *op) {
        return op->hasTrait<hlo::IsElementwise>() ? elementwise(op, type.getNumElements()) : std::nullopt;
      });
}

std::optional<ShapeValues::Elements> ShapeValues::elementwise(Operation *op, int64_t count) const {
  SmallVector<const Elements *> operands;
  for (Value operand : op->getOperands()) {
    const Elements *elements = of(operand);
    // The predicate of a select and the bounds of a clamp may be scalars.
    if (!elements || (static_cast<int64_t>(elements->size()) != count && elements->size() != 1)) return std::nullopt;
    operands.push_back(elements);
  }
  Elements result;
  for (int64_t i = 0; i < count; ++i) {
    SmallVector<Scalar> scalars;
    for (const Elements *elements : operands) scalars.push_back((*elements)[elements->size() == 1 ? 0 : i]);
    std::optional<Scalar> scalar = simplify::evaluate(op, scalars);
    if (!scalar) return std::nullopt;
    result.push_back(*scalar);
  }
  return result;
}

std::optional<ShapeValues::Elements> ShapeValues::moved(
    Operation *op, function_ref<SmallVector<int64_t>(ArrayRef<int64_t>)> from) const {
  const Elements *elements = of(op->getOperand(0));
  if (!elements) return std::nullopt;
  RankedTensorType type = smallType(op->getResult(0));
  auto shape = cast<RankedTensorType>(op->getOperand(0).getType()).getShape();
  Elements result;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    result.push_back((*elements)[indexOf(from(placeOf(i, type.getShape())), shape)]);
  return result;
}

std::optional<ShapeValues::Elements> ShapeValues::joined(hlo::ConcatenateOp op) const {
  RankedTensorType type = smallType(op.getResult());
  Elements result(type.getNumElements(), Scalar(APInt(1, 0)));
  int64_t offset = 0;
  for (Value input : op.getInputs()) {
    const Elements *elements = of(input);
    if (!elements) return std::nullopt;
    auto shape = cast<RankedTensorType>(input.getType()).getShape();
    for (auto [i, scalar] : llvm::enumerate(*elements)) {
      SmallVector<int64_t> place = placeOf(i, shape);
      place[op.getDimension()] += offset;
      result[indexOf(place, type.getShape())] = scalar;
    }
    offset += shape[op.getDimension()];
  }
  return result;
}

}  // namespace tpuc::shapes
