//===- scalar.cpp - one element of an elementwise op, bit for bit ------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is evaluated here has one right answer: integer arithmetic, and what IEEE 754 rounds correctly. The rest is
// left to the machine: transcendental functions, operands or results that are NaN or denormal, and what the
// specification leaves open (integer division by zero, shifts by more than the width, conversions out of range).
//===-----------------------------------------------------------------------------===//
#include <cmath>

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/Matchers.h"
#include "passes/simplify/patterns.h"

using namespace mlir;

namespace tpuc::simplify {

using namespace tpuc::stablehlo;

//===-----------------------------------------------------------------------------===//
// Splats
//===-----------------------------------------------------------------------------===//

DenseElementsAttr splatConstant(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant || isQuantized(constant.getType())) return {};
  auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
  return elements && elements.isSplat() ? elements : DenseElementsAttr();
}

std::optional<Scalar> splatScalar(Value value) {
  DenseElementsAttr elements = splatConstant(value);
  if (!elements) return std::nullopt;
  if (isa<FloatType>(elements.getElementType())) return Scalar(elements.getSplatValue<APFloat>());
  if (isa<IntegerType>(elements.getElementType())) return Scalar(elements.getSplatValue<APInt>());
  return std::nullopt;
}

Value makeSplat(OpBuilder &builder, Location location, RankedTensorType type, const Scalar &scalar) {
  auto value = std::visit([&](const auto &element) { return DenseElementsAttr::get(type, element); }, scalar);
  return ConstantOp::create(builder, location, type, cast<ElementsAttr>(value));
}

Value uniformAs(Value operand, ArrayRef<int64_t> shape, OpBuilder &builder, Location location) {
  RankedTensorType type = tensorType(operand);
  if (type.getRank() == 0) return operand;
  std::optional<Scalar> scalar = splatScalar(operand);
  return scalar ? makeSplat(builder, location, type.clone(shape), *scalar) : Value();
}

static const APFloat *asFloat(const Scalar &scalar) { return std::get_if<APFloat>(&scalar); }
static const APInt *asInt(const Scalar &scalar) { return std::get_if<APInt>(&scalar); }

bool isZero(const Scalar &scalar) { return asFloat(scalar) ? asFloat(scalar)->isZero() : asInt(scalar)->isZero(); }
bool isNegativeZero(const Scalar &scalar) {
  return asFloat(scalar) ? asFloat(scalar)->isNegZero() : asInt(scalar)->isZero();
}
bool isPositiveZero(const Scalar &scalar) {
  return asFloat(scalar) ? asFloat(scalar)->isPosZero() : asInt(scalar)->isZero();
}
bool isOne(const Scalar &scalar) {
  return asFloat(scalar) ? asFloat(scalar)->isExactlyValue(1.0) : asInt(scalar)->isOne();
}
bool isAllOnes(const Scalar &scalar) { return asInt(scalar) && asInt(scalar)->isAllOnes(); }

bool isLeast(const Scalar &scalar, Type element) {
  if (const APFloat *number = asFloat(scalar)) return number->isInfinity() && number->isNegative();
  bool isSigned = elementKind(element) == kInt;
  return isSigned ? asInt(scalar)->isMinSignedValue() : asInt(scalar)->isMinValue();
}
bool isGreatest(const Scalar &scalar, Type element) {
  if (const APFloat *number = asFloat(scalar)) return number->isInfinity() && !number->isNegative();
  bool isSigned = elementKind(element) == kInt;
  return isSigned ? asInt(scalar)->isMaxSignedValue() : asInt(scalar)->isMaxValue();
}

//===-----------------------------------------------------------------------------===//
// Floating point
//===-----------------------------------------------------------------------------===//

// Formats whose arithmetic is IEEE 754's; the small ones lack infinities, zeros or signs.
static bool isIeee(const APFloat &x) {
  const llvm::fltSemantics *semantics = &x.getSemantics();
  return semantics == &APFloat::IEEEhalf() || semantics == &APFloat::BFloat() || semantics == &APFloat::IEEEsingle() ||
         semantics == &APFloat::IEEEdouble();
}
static bool isPlain(const APFloat &x) { return isIeee(x) && !x.isNaN() && !x.isDenormal(); }

static std::optional<APFloat> evaluateFloat(Operation *op, ArrayRef<APFloat> x) {
  constexpr auto nearest = APFloat::rmNearestTiesToEven;
  auto binary = [&](APFloat::opStatus (APFloat::*function)(const APFloat &, APFloat::roundingMode)) {
    APFloat result = x[0];
    (result.*function)(x[1], nearest);
    return std::optional<APFloat>(result);
  };
  auto rounded = [&](APFloat::roundingMode mode) {
    APFloat result = x[0];
    result.roundToIntegral(mode);
    return std::optional<APFloat>(result);
  };
  return TypeSwitch<Operation *, std::optional<APFloat>>(op)
      .Case<AddOp>([&](auto) { return binary(&APFloat::add); })
      .Case<SubtractOp>([&](auto) { return binary(&APFloat::subtract); })
      .Case<MulOp>([&](auto) { return binary(&APFloat::multiply); })
      .Case<DivOp>([&](auto) { return binary(&APFloat::divide); })
      .Case<MaxOp>([&](auto) { return maximum(x[0], x[1]); })
      .Case<MinOp>([&](auto) { return minimum(x[0], x[1]); })
      .Case<NegOp>([&](auto) { return neg(x[0]); })
      .Case<AbsOp>([&](auto) { return abs(x[0]); })
      .Case<FloorOp>([&](auto) { return rounded(APFloat::rmTowardNegative); })
      .Case<CeilOp>([&](auto) { return rounded(APFloat::rmTowardPositive); })
      .Case<RoundNearestEvenOp>([&](auto) { return rounded(nearest); })
      .Case<RoundNearestAfzOp>([&](auto) { return rounded(APFloat::rmNearestTiesToAway); })
      .Case<ClampOp>([&](auto) { return minimum(maximum(x[1], x[0]), x[2]); })
      .Case<SignOp>([&](auto) {
        if (x[0].isZero()) return std::optional<APFloat>(x[0]);
        return std::optional<APFloat>(APFloat::getOne(x[0].getSemantics(), x[0].isNegative()));
      })
      .Default([](auto) { return std::nullopt; });
}

static std::optional<bool> compareFloats(ComparisonDirection direction, const APFloat &a, const APFloat &b) {
  APFloat::cmpResult order = a.compare(b);
  bool less = order == APFloat::cmpLessThan, equal = order == APFloat::cmpEqual,
       greater = order == APFloat::cmpGreaterThan;
  switch (direction) {
    case ComparisonDirection::EQ:
      return equal;
    case ComparisonDirection::NE:
      return !equal;
    case ComparisonDirection::GE:
      return greater || equal;
    case ComparisonDirection::GT:
      return greater;
    case ComparisonDirection::LE:
      return less || equal;
    case ComparisonDirection::LT:
      return less;
  }
  return std::nullopt;
}

//===-----------------------------------------------------------------------------===//
// Integers
//===-----------------------------------------------------------------------------===//

static std::optional<APInt> evaluateInt(Operation *op, ArrayRef<APInt> x, bool isSigned, bool isBool) {
  using Result = std::optional<APInt>;
  auto divides = [&] { return !x[1].isZero() && !(isSigned && x[0].isMinSignedValue() && x[1].isAllOnes()); };
  auto shifts = [&] { return x[1].ult(x[1].getBitWidth()); };
  auto bigger = [&](const APInt &a, const APInt &b) { return (isSigned ? a.sgt(b) : a.ugt(b)) ? a : b; };
  auto smaller = [&](const APInt &a, const APInt &b) { return (isSigned ? a.slt(b) : a.ult(b)) ? a : b; };
  return TypeSwitch<Operation *, Result>(op)
      // On booleans, add is or and multiply is and.
      .Case<AddOp>([&](auto) -> Result { return isBool ? x[0] | x[1] : x[0] + x[1]; })
      .Case<SubtractOp>([&](auto) -> Result { return x[0] - x[1]; })
      .Case<MulOp>([&](auto) -> Result { return x[0] * x[1]; })
      .Case<DivOp>([&](auto) -> Result {
        return divides() ? Result(isSigned ? x[0].sdiv(x[1]) : x[0].udiv(x[1])) : std::nullopt;
      })
      .Case<RemOp>([&](auto) -> Result {
        return divides() ? Result(isSigned ? x[0].srem(x[1]) : x[0].urem(x[1])) : std::nullopt;
      })
      .Case<MaxOp>([&](auto) -> Result { return bigger(x[0], x[1]); })
      .Case<MinOp>([&](auto) -> Result { return smaller(x[0], x[1]); })
      .Case<AndOp>([&](auto) -> Result { return x[0] & x[1]; })
      .Case<OrOp>([&](auto) -> Result { return x[0] | x[1]; })
      .Case<XorOp>([&](auto) -> Result { return x[0] ^ x[1]; })
      .Case<NotOp>([&](auto) -> Result { return ~x[0]; })
      .Case<NegOp>([&](auto) -> Result { return -x[0]; })
      .Case<AbsOp>([&](auto) -> Result { return isSigned ? x[0].abs() : x[0]; })
      .Case<SignOp>([&](auto) -> Result {
        APInt one(x[0].getBitWidth(), 1);
        return x[0].isZero() ? x[0] : isSigned && x[0].isNegative() ? -one : one;
      })
      .Case<ShiftLeftOp>([&](auto) -> Result { return shifts() ? Result(x[0].shl(x[1])) : std::nullopt; })
      .Case<ShiftRightLogicalOp>([&](auto) -> Result { return shifts() ? Result(x[0].lshr(x[1])) : std::nullopt; })
      .Case<ShiftRightArithmeticOp>([&](auto) -> Result { return shifts() ? Result(x[0].ashr(x[1])) : std::nullopt; })
      .Case<ClzOp>([&](auto) -> Result { return APInt(x[0].getBitWidth(), x[0].countl_zero(), false, true); })
      .Case<PopulationCountOp>([&](auto) -> Result { return APInt(x[0].getBitWidth(), x[0].popcount(), false, true); })
      .Case<ClampOp>([&](auto) -> Result { return smaller(bigger(x[1], x[0]), x[2]); })
      .Default([](auto) { return std::nullopt; });
}

static bool compareInts(ComparisonDirection direction, const APInt &a, const APInt &b, bool isSigned) {
  switch (direction) {
    case ComparisonDirection::EQ:
      return a == b;
    case ComparisonDirection::NE:
      return a != b;
    case ComparisonDirection::GE:
      return isSigned ? a.sge(b) : a.uge(b);
    case ComparisonDirection::GT:
      return isSigned ? a.sgt(b) : a.ugt(b);
    case ComparisonDirection::LE:
      return isSigned ? a.sle(b) : a.ule(b);
    case ComparisonDirection::LT:
      return isSigned ? a.slt(b) : a.ult(b);
  }
  return false;
}

//===-----------------------------------------------------------------------------===//
// Conversions
//===-----------------------------------------------------------------------------===//

static std::optional<Scalar> convertTo(const Scalar &scalar, Type from, Type to) {
  bool fromSigned = elementKind(from) == kInt;
  unsigned kind = elementKind(to);
  if (kind == kFloat) {
    const llvm::fltSemantics &semantics = cast<FloatType>(to).getFloatSemantics();
    if (const APInt *integer = asInt(scalar)) {
      APFloat result(semantics);
      result.convertFromAPInt(*integer, fromSigned, APFloat::rmNearestTiesToEven);
      return Scalar(result);
    }
    bool losesInfo;
    APFloat result = *asFloat(scalar);
    result.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
    return isPlain(result) ? std::optional<Scalar>(result) : std::nullopt;
  }
  if (kind != kInt && kind != kUInt && kind != kBool) return std::nullopt;
  unsigned width = cast<IntegerType>(to).getWidth();
  if (kind == kBool) return Scalar(APInt(1, !isZero(scalar)));
  if (const APInt *integer = asInt(scalar))
    return Scalar(fromSigned ? integer->sextOrTrunc(width) : integer->zextOrTrunc(width));
  llvm::APSInt result(width, /*isUnsigned=*/kind == kUInt);
  bool exact;
  if (asFloat(scalar)->convertToInteger(result, APFloat::rmTowardZero, &exact) & APFloat::opInvalidOp)
    return std::nullopt;
  return Scalar(APInt(result));
}

static std::optional<Scalar> bitcastTo(const Scalar &scalar, Type to) {
  APInt bits = asFloat(scalar) ? asFloat(scalar)->bitcastToAPInt() : *asInt(scalar);
  if (elementBits(to) != bits.getBitWidth()) return std::nullopt;
  if (auto type = dyn_cast<FloatType>(to)) {
    APFloat result(type.getFloatSemantics(), bits);
    return isPlain(result) ? std::optional<Scalar>(result) : std::nullopt;
  }
  return isa<IntegerType>(to) ? std::optional<Scalar>(bits) : std::nullopt;
}

//===-----------------------------------------------------------------------------===//
// Everything
//===-----------------------------------------------------------------------------===//

static std::optional<Scalar> evaluateCompare(CompareOp compare, ArrayRef<Scalar> x) {
  Type element = compare.getLhs().getType().getElementType();
  std::optional<bool> result;
  if (asInt(x[0]))
    result = compareInts(compare.getComparisonDirection(), *asInt(x[0]), *asInt(x[1]), elementKind(element) == kInt);
  else if (compare.getCompareType() != ComparisonType::TOTALORDER)
    result = compareFloats(compare.getComparisonDirection(), *asFloat(x[0]), *asFloat(x[1]));
  return result ? std::optional<Scalar>(APInt(1, *result)) : std::nullopt;
}

std::optional<Scalar> evaluate(Operation *op, ArrayRef<Scalar> x) {
  auto resultType = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!resultType) return std::nullopt;
  for (const Scalar &scalar : x)
    if (asFloat(scalar) && !isPlain(*asFloat(scalar))) return std::nullopt;
  Type from = getElementTypeOrSelf(op->getOperand(0).getType()), to = resultType.getElementType();

  if (isa<ConvertOp>(op)) return convertTo(x[0], from, to);
  if (isa<BitcastConvertOp>(op)) return bitcastTo(x[0], to);
  if (auto compare = dyn_cast<CompareOp>(op)) return evaluateCompare(compare, x);
  if (isa<SelectOp>(op)) return asInt(x[0])->isZero() ? x[2] : x[1];
  if (isa<IsFiniteOp>(op)) return Scalar(APInt(1, asFloat(x[0])->isFinite()));

  if (llvm::all_of(x, [](const Scalar &s) { return asInt(s) != nullptr; })) {
    SmallVector<APInt> integers = llvm::map_to_vector(x, [](const Scalar &s) { return *asInt(s); });
    unsigned kind = elementKind(from);
    std::optional<APInt> result = evaluateInt(op, integers, kind == kInt, kind == kBool);
    return result ? std::optional<Scalar>(*result) : std::nullopt;
  }
  if (!llvm::all_of(x, [](const Scalar &s) { return asFloat(s) != nullptr; })) return std::nullopt;
  SmallVector<APFloat> floats = llvm::map_to_vector(x, [](const Scalar &s) { return *asFloat(s); });
  std::optional<APFloat> result = evaluateFloat(op, floats);
  return result && isPlain(*result) ? std::optional<Scalar>(*result) : std::nullopt;
}

}  // namespace tpuc::simplify
