//===- types.cpp - questions about the types of StableHLO values -----------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/types.h"

#include "dialects/stablehlo/stablehlo.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"

using namespace mlir;

namespace tpuc::stablehlo {

static unsigned integerKind(IntegerType type) {
  unsigned width = type.getWidth();
  if (type.isSigned()) return 0;
  if (type.isSignless() && width == 1) return kBool;
  bool known = width == 2 || width == 4 || width == 8 || width == 16 || width == 32 || width == 64;
  if (!known) return 0;
  return type.isUnsigned() ? unsigned(kUInt) : unsigned(kInt);
}

// quantized_element_type_c1..c9, as far as MLIR's own verifier leaves them.
static unsigned quantizedKind(quant::QuantizedType type) {
  int64_t least = type.getStorageTypeMin(), most = type.getStorageTypeMax();
  auto storage = dyn_cast<IntegerType>(type.getStorageType());
  bool fits = storage && !storage.isSigned() && elementKind(type.getExpressedType()) == kFloat;
  auto inRange = [&](int64_t point) { return point >= least && point <= most; };
  if (auto uniform = dyn_cast<quant::UniformQuantizedType>(type))
    return fits && inRange(uniform.getZeroPoint()) ? unsigned(kQuant) : 0;
  if (auto axis = dyn_cast<quant::UniformQuantizedPerAxisType>(type))
    return fits && llvm::all_of(axis.getZeroPoints(), inRange) ? unsigned(kQuantAxis) : 0;
  return 0;
}

unsigned elementKind(Type element) {
  if (auto integer = dyn_cast<IntegerType>(element)) return integerKind(integer);
  if (isa<Float4E2M1FNType, Float6E2M3FNType, Float6E3M2FNType, Float8E3M4Type, Float8E4M3Type, Float8E4M3FNType,
          Float8E4M3FNUZType, Float8E4M3B11FNUZType, Float8E5M2Type, Float8E5M2FNUZType, Float8E8M0FNUType,
          BFloat16Type, Float16Type, Float32Type, Float64Type>(element))
    return kFloat;
  if (auto complex = dyn_cast<ComplexType>(element))
    return isa<Float32Type, Float64Type>(complex.getElementType()) ? unsigned(kComplex) : 0;
  if (auto quantized = dyn_cast<quant::QuantizedType>(element)) return quantizedKind(quantized);
  return isa<IndexType>(element) ? unsigned(kIndex) : 0;
}

// quantized_tensor_type_c12, c13: the axis exists and has one scale an index.
static bool fitsItsAxis(RankedTensorType type) {
  auto perAxis = dyn_cast<quant::UniformQuantizedPerAxisType>(type.getElementType());
  if (!perAxis) return true;
  int64_t axis = perAxis.getQuantizedDimension();
  return axis >= 0 && axis < type.getRank() &&
         sameDim(type.getDimSize(axis), static_cast<int64_t>(perAxis.getScales().size()));
}

bool isTensorOf(Type type, unsigned kinds) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && (elementKind(tensor.getElementType()) & kinds) && fitsItsAxis(tensor);
}

bool isTensorOf(Type type, unsigned kinds, int64_t rank) {
  return isTensorOf(type, kinds) && cast<RankedTensorType>(type).getRank() == rank;
}

bool isScalarI32(Type type) {
  return isTensorOf(type, kInt, 0) && cast<RankedTensorType>(type).getElementType().isInteger(32);
}

quant::QuantizedType quantizedElement(Type type) { return dyn_cast<quant::QuantizedType>(getElementTypeOrSelf(type)); }

bool isQuantized(Type type) { return static_cast<bool>(quantizedElement(type)); }

Type storageElement(Type type) {
  auto quantized = quantizedElement(type);
  return quantized ? quantized.getStorageType() : getElementTypeOrSelf(type);
}

Type expressedElement(Type type) {
  auto quantized = quantizedElement(type);
  return quantized ? quantized.getExpressedType() : getElementTypeOrSelf(type);
}

unsigned elementBits(Type element) {
  element = storageElement(element);
  if (auto complex = dyn_cast<ComplexType>(element)) return 2 * complex.getElementType().getIntOrFloatBitWidth();
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
}

bool sameShape(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  return a.size() == b.size() &&
         llvm::all_of(llvm::zip_equal(a, b), [](auto pair) { return sameDim(std::get<0>(pair), std::get<1>(pair)); });
}

bool sameBaselineElement(Type a, Type b) {
  if (a == b) return true;
  auto qa = dyn_cast<quant::QuantizedType>(a), qb = dyn_cast<quant::QuantizedType>(b);
  if (!qa || !qb || qa.getTypeID() != qb.getTypeID()) return false;
  if (qa.getStorageType() != qb.getStorageType() || qa.isSigned() != qb.isSigned() ||
      qa.getExpressedType() != qb.getExpressedType())
    return false;
  if (auto axisA = dyn_cast<quant::UniformQuantizedPerAxisType>(a))
    return axisA.getQuantizedDimension() == cast<quant::UniformQuantizedPerAxisType>(b).getQuantizedDimension();
  return true;
}

bool isPromotable(Type from, Type to) {
  if (from == to) return true;
  if (auto qFrom = dyn_cast<quant::QuantizedType>(from)) {
    auto qTo = dyn_cast<quant::QuantizedType>(to);
    return qTo && qFrom.getExpressedType() == qTo.getExpressedType() && qFrom.isSigned() == qTo.isSigned() &&
           qFrom.getStorageTypeIntegralWidth() <= qTo.getStorageTypeIntegralWidth();
  }
  unsigned kind = elementKind(from);
  return kind != 0 && kind == elementKind(to) && elementBits(from) <= elementBits(to);
}

SmallVector<int64_t> upperBounds(RankedTensorType type) {
  SmallVector<int64_t> bounds(type.getShape());
  if (auto extensions = dyn_cast_or_null<TypeExtensionsAttr>(type.getEncoding()))
    for (auto [bound, given] : llvm::zip(bounds, extensions.getBounds()))
      if (ShapedType::isDynamic(bound)) bound = given;
  return bounds;
}

RankedTensorType withBounds(ArrayRef<int64_t> shape, ArrayRef<int64_t> bounds, Type element) {
  SmallVector<int64_t> stated(shape.size(), ShapedType::kDynamic);
  bool any = false;
  for (auto [size, bound, slot] : llvm::zip(shape, bounds, stated))
    if (ShapedType::isDynamic(size) && !ShapedType::isDynamic(bound)) {
      slot = bound;
      any = true;
    }
  return RankedTensorType::get(shape, element,
                               any ? TypeExtensionsAttr::get(element.getContext(), stated) : Attribute());
}

std::optional<int64_t> checkedAdd(int64_t a, int64_t b) { return llvm::checkedAdd(a, b); }
std::optional<int64_t> checkedMul(int64_t a, int64_t b) { return llvm::checkedMul(a, b); }

std::optional<int64_t> numElements(ArrayRef<int64_t> shape) {
  if (llvm::is_contained(shape, 0)) return 0;
  std::optional<int64_t> product = 1;
  for (int64_t size : shape) {
    if (ShapedType::isDynamic(size)) return std::nullopt;
    product = checkedMul(*product, size);
    if (!product) return std::nullopt;
  }
  return product;
}

}  // namespace tpuc::stablehlo
