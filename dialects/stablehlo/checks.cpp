//===- checks.cpp - what the verifiers of several ops check -----------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/checks.h"

#include "llvm/ADT/SmallSet.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tpuc::stablehlo {

static std::string describe(ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (auto [i, size] : llvm::enumerate(shape))
    text += (i ? ", " : "") + (ShapedType::isDynamic(size) ? std::string("?") : std::to_string(size));
  return text + "]";
}

LogicalResult checkInRange(Emit emit, StringRef name, ArrayRef<int64_t> dims, int64_t rank) {
  for (int64_t dim : dims)
    if (dim < 0 || dim >= rank) return emit() << "expects " << name << " in [0, " << rank << "), but got " << dim;
  return success();
}

LogicalResult checkUnique(Emit emit, StringRef name, ArrayRef<int64_t> dims) {
  llvm::SmallSet<int64_t, 8> seen;
  for (int64_t dim : dims)
    if (!seen.insert(dim).second)
      return emit() << "expects " << name << " to be unique, but got " << dim << " twice in " << describe(dims);
  return success();
}

LogicalResult checkSorted(Emit emit, StringRef name, ArrayRef<int64_t> dims) {
  if (!llvm::is_sorted(dims)) return emit() << "expects " << name << " in ascending order, but got " << describe(dims);
  return success();
}

LogicalResult checkSize(Emit emit, StringRef name, int64_t size, int64_t expected) {
  if (size != expected) return emit() << "expects " << name << " of size " << expected << ", but got " << size;
  return success();
}

LogicalResult checkAtLeast(Emit emit, StringRef name, ArrayRef<int64_t> values, int64_t least) {
  for (int64_t value : values)
    if (value < least) return emit() << "expects " << name << " of at least " << least << ", but got " << value;
  return success();
}

LogicalResult checkShape(Emit emit, StringRef name, ArrayRef<int64_t> shape, ArrayRef<int64_t> expected) {
  if (!sameShape(shape, expected))
    return emit() << "expects " << name << " of shape " << describe(expected) << ", but got " << describe(shape);
  return success();
}

LogicalResult checkElement(Emit emit, StringRef name, Type element, Type expected) {
  if (!sameBaselineElement(element, expected))
    return emit() << "expects " << name << " of element type " << expected << ", but got " << element;
  return success();
}

static bool boundsFit(RankedTensorType a, RankedTensorType b) {
  auto boundsOf = [](RankedTensorType type) { return dyn_cast_or_null<TypeExtensionsAttr>(type.getEncoding()); };
  TypeExtensionsAttr boundsA = boundsOf(a), boundsB = boundsOf(b);
  auto fit = [](TypeExtensionsAttr bounds, RankedTensorType other) {
    if (!bounds) return true;
    return llvm::all_of(llvm::zip_equal(bounds.getBounds(), other.getShape()), [](auto pair) {
      auto [bound, size] = pair;
      return ShapedType::isDynamic(bound) || ShapedType::isDynamic(size) || size <= bound;
    });
  };
  return fit(boundsA, b) && fit(boundsB, a);
}

LogicalResult checkType(Emit emit, StringRef name, Type type, Type expected) {
  auto actualTensor = dyn_cast<RankedTensorType>(type), expectedTensor = dyn_cast<RankedTensorType>(expected);
  bool fits = type == expected;
  if (!fits && actualTensor && expectedTensor)
    fits = sameShape(actualTensor.getShape(), expectedTensor.getShape()) &&
           sameBaselineElement(actualTensor.getElementType(), expectedTensor.getElementType()) &&
           boundsFit(actualTensor, expectedTensor);
  if (!fits) return emit() << "expects " << name << " of type " << expected << ", but got " << type;
  return success();
}

LogicalResult checkTypes(Emit emit, StringRef name, TypeRange types, TypeRange expected) {
  if (types.size() != expected.size())
    return emit() << "expects " << expected.size() << " of " << name << ", but got " << types.size();
  for (auto [type, wanted] : llvm::zip_equal(types, expected))
    if (failed(checkType(emit, name, type, wanted))) return failure();
  return success();
}

LogicalResult checkInferredTypes(Operation *op, ArrayRef<Type> inferred) {
  return checkTypes(errorsOf(op), "result", op->getResultTypes(), inferred);
}

FailureOr<SmallVector<std::pair<int64_t, int64_t>>> readPadding(Emit emit, std::optional<DenseIntElementsAttr> padding,
                                                                int64_t rank) {
  SmallVector<std::pair<int64_t, int64_t>> pairs(rank, {0, 0});
  if (!padding || !*padding || padding->empty()) return pairs;
  ArrayRef<int64_t> shape = padding->getType().getShape();
  if (shape.size() != 2 || shape[0] != rank || shape[1] != 2)
    return emit() << "expects padding of shape [" << rank << ", 2], but got " << describe(shape);
  auto values = padding->getValues<int64_t>();
  for (int64_t i = 0; i < rank; ++i) pairs[i] = {values[2 * i], values[2 * i + 1]};
  return pairs;
}

// (size - 1) * dilation + 1, and 0 of 0.
static std::optional<int64_t> dilated(int64_t size, int64_t dilation) {
  if (size == 0) return 0;
  std::optional<int64_t> span = checkedMul(size - 1, dilation);
  return span ? checkedAdd(*span, 1) : std::nullopt;
}

std::optional<int64_t> numWindows(int64_t size, const WindowDim &window) {
  if (ShapedType::isDynamic(size) || ShapedType::isDynamic(window.size)) return ShapedType::kDynamic;
  std::optional<int64_t> padded = dilated(size, window.baseDilation);
  if (padded) padded = checkedAdd(*padded, window.padLow);
  if (padded) padded = checkedAdd(*padded, window.padHigh);
  std::optional<int64_t> span = dilated(window.size, window.windowDilation);
  if (!padded || !span) return std::nullopt;
  if (*padded <= 0 || *span > *padded) return 0;
  return (*padded - *span) / window.stride + 1;
}

LogicalResult checkSourceTargetPairs(Emit emit, DenseIntElementsAttr pairs) {
  ArrayRef<int64_t> shape = pairs.getType().getShape();
  if (shape.size() != 2 || shape[1] != 2)
    return emit() << "expects source_target_pairs of shape [?, 2], but got " << describe(shape);
  SmallVector<int64_t> sides[2];
  for (auto [i, device] : llvm::enumerate(pairs.getValues<int64_t>())) sides[i % 2].push_back(device);
  if (failed(checkAtLeast(emit, "devices", sides[0], 0)) || failed(checkAtLeast(emit, "devices", sides[1], 0)))
    return failure();
  if (failed(checkUnique(emit, "sources", sides[0]))) return failure();
  return checkUnique(emit, "targets", sides[1]);
}

ReturnOp bodyReturn(Region &region) {
  if (region.empty() || region.front().empty()) return {};
  return dyn_cast<ReturnOp>(region.front().back());
}

LogicalResult checkBody(Emit emit, StringRef name, Region &region, TypeRange arguments, TypeRange results) {
  if (failed(checkTypes(emit, (name + " argument").str(), region.getArgumentTypes(), arguments))) return failure();
  ReturnOp terminator = bodyReturn(region);
  if (!terminator) return emit() << "expects " << name << " to end in stablehlo.return";
  return checkTypes(emit, (name + " result").str(), terminator->getOperandTypes(), results);
}

std::optional<SmallVector<int64_t>> constantVector(Value value) {
  DenseIntElementsAttr constant;
  if (!matchPattern(value, m_Constant(&constant)) || constant.getType().getRank() != 1) return std::nullopt;
  SmallVector<int64_t> numbers;
  for (APInt number : constant.getValues<APInt>()) numbers.push_back(number.getSExtValue());
  return numbers;
}

LogicalResult checkReducer(Emit emit, StringRef name, Region &region, TypeRange inputs, SmallVectorImpl<Type> &types,
                           TypeRange inits) {
  size_t count = inputs.size();
  ReturnOp terminator = bodyReturn(region);
  if (!terminator) return emit() << "expects " << name << " to end in stablehlo.return";
  if (terminator.getNumOperands() != count)
    return emit() << "expects " << name << " to return " << count << " values, but got " << terminator.getNumOperands();
  if (region.getNumArguments() != 2 * count)
    return emit() << "expects " << name << " with " << 2 * count << " arguments, but got " << region.getNumArguments();
  for (auto [i, input] : llvm::enumerate(inputs)) {
    Type returned = terminator.getOperand(i).getType();
    auto scalar = dyn_cast<RankedTensorType>(returned);
    ArrayRef<int64_t> shape = inits.empty() ? ArrayRef<int64_t>() : cast<RankedTensorType>(inits[i]).getShape();
    if (!scalar || !sameShape(scalar.getShape(), shape))
      return emit() << "expects " << name << " to return tensors of shape " << describe(shape) << ", but got "
                    << returned;
    Type element = getElementTypeOrSelf(input);
    if (!isPromotable(element, scalar.getElementType()))
      return emit() << "expects " << name << " to return a type that " << element << " promotes to, but got "
                    << scalar.getElementType();
    for (size_t argument : {i, i + count})
      if (failed(checkType(emit, (name + " argument").str(), region.getArgument(argument).getType(), returned)))
        return failure();
    types.push_back(scalar.getElementType());
  }
  return success();
}

}  // namespace tpuc::stablehlo
