//===- dynamic.cpp - verifiers of ops whose result shape is a value -----------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/assembly.h"
#include "dialects/stablehlo/infer.h"

using namespace mlir;

namespace tpuc::stablehlo {

// A vector of extents has one number a dimension; where it is constant, the shape says the same.
static LogicalResult checkExtents(Emit emit, StringRef name, Value extents, RankedTensorType type) {
  int64_t count = tensorType(extents).getDimSize(0);
  if (!sameDim(count, type.getRank()))
    return emit() << "expects " << name << " of size " << type.getRank() << ", but got " << count;
  std::optional<SmallVector<int64_t>> sizes = constantVector(extents);
  return sizes ? checkShape(emit, "result", type.getShape(), *sizes) : success();
}

// The result's type as far as it is known: its own sizes, and constant ones.
static RankedTensorType refined(RankedTensorType type, Value extents) {
  SmallVector<int64_t> shape(type.getShape());
  if (std::optional<SmallVector<int64_t>> sizes = constantVector(extents))
    for (auto [size, known] : llvm::zip_equal(shape, *sizes))
      if (ShapedType::isDynamic(size) && known >= 0) size = known;
  return RankedTensorType::get(shape, type.getElementType());
}

LogicalResult DynamicBroadcastInDimOp::verify() {
  auto emit = errorsOf(*this);
  // dynamic_broadcast_in_dim_c7
  if (failed(checkExtents(emit, "output_dimensions", getOutputDimensions(), getType()))) return failure();
  // dynamic_broadcast_in_dim_c1..c6
  if (failed(checkBroadcast(emit, getOperand().getType(), refined(getType(), getOutputDimensions()),
                            getBroadcastDimensions())))
    return failure();
  // dynamic_broadcast_in_dim_c8..c10
  SmallVector<int64_t> known;
  for (std::optional<ArrayRef<int64_t>> list : {getKnownExpandingDimensions(), getKnownNonexpandingDimensions()})
    if (list) llvm::append_range(known, *list);
  if (failed(checkUnique(emit, "known dimensions", known))) return failure();
  return checkInRange(emit, "known dimensions", known, getOperand().getType().getRank());
}

LogicalResult DynamicIotaOp::verify() {
  auto emit = errorsOf(*this);
  // dynamic_iota_c1
  if (failed(checkInRange(emit, "iota_dimension", getIotaDimension(), getType().getRank()))) return failure();
  // dynamic_iota_c2
  return checkExtents(emit, "output_shape", getOutputShape(), getType());
}

LogicalResult DynamicPadOp::verify() {
  auto emit = errorsOf(*this);
  RankedTensorType operand = getOperand().getType(), result = getType();
  // dynamic_pad_c1
  if (failed(checkElement(emit, "padding_value", getPaddingValue().getType().getElementType(),
                          operand.getElementType())) ||
      failed(checkElement(emit, "result", result.getElementType(), operand.getElementType())))
    return failure();
  // dynamic_pad_c2
  for (Value list : {getEdgePaddingLow(), getEdgePaddingHigh(), getInteriorPadding()})
    if (!sameDim(tensorType(list).getDimSize(0), operand.getRank()))
      return emit() << "expects padding of " << operand.getRank() << " numbers, but got " << list.getType();
  if (failed(checkSize(emit, "the result's shape", result.getRank(), operand.getRank()))) return failure();
  // dynamic_pad_c3
  auto low = constantVector(getEdgePaddingLow()), high = constantVector(getEdgePaddingHigh()),
       interior = constantVector(getInteriorPadding());
  if (interior && failed(checkAtLeast(emit, "interior_padding", *interior, 0))) return failure();
  // dynamic_pad_c4
  if (!low || !high || !interior) return success();
  SmallVector<Type> types;
  if (failed(inferPad(emit, operand, *low, *high, *interior, types))) return failure();
  return checkShape(emit, "result", result.getShape(), cast<RankedTensorType>(types.front()).getShape());
}

LogicalResult DynamicReshapeOp::verify() {
  auto emit = errorsOf(*this);
  // dynamic_reshape_c4
  if (failed(checkExtents(emit, "output_shape", getOutputShape(), getType()))) return failure();
  // dynamic_reshape_c1..c3
  return checkReshape(emit, getOperand().getType(), refined(getType(), getOutputShape()));
}

LogicalResult RealDynamicSliceOp::verify() {
  auto emit = errorsOf(*this);
  RankedTensorType operand = getOperand().getType();
  for (Value list : {getStartIndices(), getLimitIndices(), getStrides()})
    if (!sameDim(tensorType(list).getDimSize(0), operand.getRank()))
      return emit() << "expects " << operand.getRank() << " indices and strides, but got " << list.getType();
  if (failed(checkElement(emit, "result", getType().getElementType(), operand.getElementType()))) return failure();
  return checkSize(emit, "the result's shape", getType().getRank(), operand.getRank());
}

}  // namespace tpuc::stablehlo

using namespace tpuc::stablehlo;
#define GET_OP_CLASSES
#include "dialects/stablehlo/dynamic.cpp.inc"
