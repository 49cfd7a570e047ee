//===- elementwise.cpp - verifiers and types of elementwise ops -------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/assembly.h"
#include "dialects/stablehlo/infer.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"

using namespace mlir;

namespace tpuc::stablehlo {

//===-----------------------------------------------------------------------------===//
// Types
//===-----------------------------------------------------------------------------===//

// What is known of a shape from several tensors that have it: static beats bounded beats dynamic.
static FailureOr<RankedTensorType> mergeShapes(Emit emit, TypeRange types) {
  auto merged = dyn_cast<RankedTensorType>(types.front());
  if (!merged) return emit() << "expects ranked tensors, but got " << types.front();
  SmallVector<int64_t> shape(merged.getShape()), bounds = upperBounds(merged);
  for (Type type : types.drop_front()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !sameShape(shape, tensor.getShape()))
      return emit() << "expects operands of the same shape, but got " << types.front() << " and " << type;
    for (auto [size, bound, other, otherBound] : llvm::zip(shape, bounds, tensor.getShape(), upperBounds(tensor))) {
      // A size is within the bound that another type states.
      int64_t known = ShapedType::isDynamic(size) ? other : size;
      for (int64_t stated : {bound, otherBound})
        if (!ShapedType::isDynamic(known) && !ShapedType::isDynamic(stated) && stated < known)
          return emit() << "expects a size of at most the bound " << stated << ", but got " << known;
      size = known;
      if (ShapedType::isDynamic(bound) || (!ShapedType::isDynamic(otherBound) && otherBound < bound))
        bound = otherBound;
    }
  }
  return withBounds(shape, bounds, merged.getElementType());
}

// baseline_type(operands...) = baseline_type(result): abs_c1 and its like, add_c1..c7
LogicalResult inferSameAsOperands(Emit emit, ValueRange operands, Types &types) {
  Type element = getElementTypeOrSelf(operands.front().getType());
  for (Value operand : operands.drop_front())
    if (failed(checkElement(emit, "operands", getElementTypeOrSelf(operand.getType()), element))) return failure();
  FailureOr<RankedTensorType> type = mergeShapes(emit, operands.getTypes());
  if (succeeded(type)) types.push_back(*type);
  return type;
}

// compare_c1, compare_c2, is_finite_c1
LogicalResult inferPredicate(Emit emit, ValueRange operands, Types &types) {
  if (failed(inferSameAsOperands(emit, operands, types))) return failure();
  auto type = cast<RankedTensorType>(types.pop_back_val());
  types.push_back(type.clone(IntegerType::get(type.getContext(), 1)));
  return success();
}

// real_c1, real_c2; abs_c1, abs_c2
LogicalResult inferComplexPart(Emit emit, ValueRange operands, Types &types) {
  auto type = dyn_cast<RankedTensorType>(operands.front().getType());
  if (!type) return failure();
  auto complex = dyn_cast<ComplexType>(type.getElementType());
  types.push_back(complex ? type.clone(complex.getElementType()) : type);
  return success();
}

// complex_c1..c3
LogicalResult inferComplex(Emit emit, ValueRange operands, Types &types) {
  if (failed(inferSameAsOperands(emit, operands, types))) return failure();
  auto type = cast<RankedTensorType>(types.pop_back_val());
  types.push_back(type.clone(ComplexType::get(type.getElementType())));
  return success();
}

// uniform_dequantize_c1, uniform_dequantize_c2
LogicalResult inferDequantized(Emit emit, ValueRange operands, Types &types) {
  auto type = dyn_cast<RankedTensorType>(operands.front().getType());
  if (!type || !quantizedElement(type)) return failure();
  types.push_back(type.clone(expressedElement(type)));
  return success();
}

// An operand that is a scalar, or has the shape of the others.
static LogicalResult checkScalarOrShape(Emit emit, StringRef name, Value value, RankedTensorType type) {
  auto operand = dyn_cast<RankedTensorType>(value.getType());
  if (!operand || (operand.getRank() != 0 && !sameShape(operand.getShape(), type.getShape())))
    return emit() << "expects " << name << " of rank 0 or of the shape of " << type << ", but got " << value.getType();
  return success();
}

LogicalResult inferSelect(Emit emit, ValueRange operands, Types &types) {
  // select_c2
  if (failed(inferSameAsOperands(emit, operands.drop_front(), types))) return failure();
  // select_c1
  return checkScalarOrShape(emit, "pred", operands[0], cast<RankedTensorType>(operands[1].getType()));
}

LogicalResult inferClamp(Emit emit, ValueRange operands, Types &types) {
  auto type = dyn_cast<RankedTensorType>(operands[1].getType());
  if (!type) return failure();
  // clamp_c3
  for (Value bound : {operands[0], operands[2]})
    if (failed(checkElement(emit, "min and max", getElementTypeOrSelf(bound.getType()), type.getElementType())))
      return failure();
  // clamp_c1, clamp_c2
  if (failed(checkScalarOrShape(emit, "min", operands[0], type)) ||
      failed(checkScalarOrShape(emit, "max", operands[2], type)))
    return failure();
  // clamp_c4
  types.push_back(type);
  return success();
}

//===-----------------------------------------------------------------------------===//
// Verifiers
//===-----------------------------------------------------------------------------===//

LogicalResult ReducePrecisionOp::verify() {
  // reduce_precision_c2, reduce_precision_c3
  if (getExponentBits() < 1)
    return emitOpError() << "expects exponent_bits of at least 1, but got " << static_cast<int32_t>(getExponentBits());
  if (static_cast<int32_t>(getMantissaBits()) < 0)
    return emitOpError() << "expects mantissa_bits of at least 0, but got " << static_cast<int32_t>(getMantissaBits());
  return success();
}

LogicalResult ConvertOp::verify() {
  // convert_c1
  return checkShape(errorsOf(*this), "result", getType().getShape(), getOperand().getType().getShape());
}

LogicalResult UniformQuantizeOp::verify() {
  // uniform_quantize_c1
  if (failed(checkShape(errorsOf(*this), "result", getType().getShape(), getOperand().getType().getShape())))
    return failure();
  // uniform_quantize_c2
  return checkElement(errorsOf(*this), "result's expressed type", expressedElement(getType()),
                      expressedElement(getOperand().getType()));
}

void CompareOp::build(OpBuilder &builder, OperationState &state, Value lhs, Value rhs, ComparisonDirection direction) {
  build(builder, state, lhs, rhs, direction, ComparisonTypeAttr());
}

LogicalResult CompareOp::verify() {
  // compare_c3; the order of integers is total, so TOTALORDER passes for them too.
  std::optional<ComparisonType> given = getCompareType();
  unsigned kind = elementKind(expressedElement(getLhs().getType()));
  if (!given || *given == ComparisonType::NOTYPE || (*given == ComparisonType::TOTALORDER && kind != kComplex))
    return success();
  ComparisonType expected = kind == kInt             ? ComparisonType::SIGNED
                            : kind & (kUInt | kBool) ? ComparisonType::UNSIGNED
                                                     : ComparisonType::FLOAT;
  if (*given != expected)
    return emitOpError() << "expects compare_type " << stringifyComparisonType(expected) << " for "
                         << getLhs().getType().getElementType() << ", but got " << stringifyComparisonType(*given);
  return success();
}

}  // namespace tpuc::stablehlo

using namespace tpuc::stablehlo;
#define GET_OP_CLASSES
#include "dialects/stablehlo/elementwise.cpp.inc"
