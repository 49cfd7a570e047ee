//===- types.h - questions about the types of StableHLO values ------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_DIALECTS_STABLEHLO_TYPES_H
#define TPUC_DIALECTS_STABLEHLO_TYPES_H

#include <optional>

#include "mlir/IR/BuiltinTypes.h"

namespace mlir::quant {
class QuantizedType;
}  // namespace mlir::quant

namespace tpuc::stablehlo {

// The element types of the specification, in classes that an op can accept.
enum ElementKinds : unsigned {
  kBool = 1,
  kInt = 2,
  kUInt = 4,
  kFloat = 8,
  kComplex = 16,
  kQuant = 32,
  kQuantAxis = 64,
  kIndex = 128,
};

// The class that an element type is in; 0 where the specification has no such type.
unsigned elementKind(mlir::Type element);
bool isTensorOf(mlir::Type type, unsigned kinds);
bool isTensorOf(mlir::Type type, unsigned kinds, int64_t rank);
bool isScalarI32(mlir::Type type);

inline mlir::RankedTensorType tensorType(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}

bool isQuantized(mlir::Type type);
// Null where the element type is not quantized.
mlir::quant::QuantizedType quantizedElement(mlir::Type type);
// What is stored and what is meant: both the element type itself where it is not quantized.
mlir::Type storageElement(mlir::Type type);
mlir::Type expressedElement(mlir::Type type);
// Bits of an element's storage; 0 for index.
unsigned elementBits(mlir::Type element);

// Equal, or at least one dynamic.
inline bool sameDim(int64_t a, int64_t b) {
  return a == b || mlir::ShapedType::isDynamic(a) || mlir::ShapedType::isDynamic(b);
}
bool sameShape(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b);
// Equal, scales and zero points of quantized types left aside (the specification's baseline type).
bool sameBaselineElement(mlir::Type a, mlir::Type b);
// The specification's is_promotable: the same kind, at least as many bits.
bool isPromotable(mlir::Type from, mlir::Type to);

// The upper bound of each dimension: its size, its bound, or kDynamic.
llvm::SmallVector<int64_t> upperBounds(mlir::RankedTensorType type);
mlir::RankedTensorType withBounds(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> bounds, mlir::Type element);

// Products and sums that say when they leave 64 bits. Dynamic dimensions give nullopt too.
std::optional<int64_t> numElements(llvm::ArrayRef<int64_t> shape);
std::optional<int64_t> checkedAdd(int64_t a, int64_t b);
std::optional<int64_t> checkedMul(int64_t a, int64_t b);

}  // namespace tpuc::stablehlo

#endif  // TPUC_DIALECTS_STABLEHLO_TYPES_H
