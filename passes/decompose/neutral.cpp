// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What reductions may start from.
#include "passes/decompose/neutral.h"

#include "dialects/stablehlo/stablehlo.h"

using namespace mlir;

namespace tpuc::decompose {

Attribute limitOf(Type t, bool largest) {
  Builder b(t.getContext());
  if (mlir::isa<FloatType>(t)) return b.getFloatAttr(t, largest ? INFINITY : -INFINITY);
  const unsigned width = t.getIntOrFloatBitWidth();
  if (t.isUnsignedInteger() || t.isInteger(1))
    return b.getIntegerAttr(t, largest ? APInt::getMaxValue(width) : APInt::getMinValue(width));
  return b.getIntegerAttr(t, largest ? APInt::getSignedMaxValue(width) : APInt::getSignedMinValue(width));
}

Attribute neutralOf(Operation *op, Type t) {
  Builder b(t.getContext());
  auto number = [&](double value) -> Attribute {
    if (auto complex = dyn_cast<ComplexType>(t))
      return b.getArrayAttr(
          {b.getFloatAttr(complex.getElementType(), value), b.getFloatAttr(complex.getElementType(), 0.0)});
    if (mlir::isa<FloatType>(t)) return b.getFloatAttr(t, value);
    return b.getIntegerAttr(t, APInt(t.getIntOrFloatBitWidth(), static_cast<uint64_t>(value)));
  };
  auto integer = [&](const APInt &value) -> Attribute { return b.getIntegerAttr(t, value); };
  unsigned width = t.isIntOrFloat() ? t.getIntOrFloatBitWidth() : 0;
  bool isFloat = mlir::isa<FloatType>(t);
  if (mlir::isa<stablehlo::AddOp>(op)) return number(isFloat ? -0.0 : 0.0);
  if (mlir::isa<stablehlo::MulOp>(op)) return number(1.0);
  if (mlir::isa<ComplexType>(t)) return {};
  if (mlir::isa<stablehlo::MaxOp, stablehlo::MinOp>(op)) return limitOf(t, mlir::isa<stablehlo::MinOp>(op));
  if (isFloat) return {};
  if (mlir::isa<stablehlo::AndOp>(op)) return integer(APInt::getAllOnes(width));
  if (mlir::isa<stablehlo::OrOp, stablehlo::XorOp>(op)) return integer(APInt::getZero(width));
  return {};
}

}  // namespace tpuc::decompose
