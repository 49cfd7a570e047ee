//===- formula.cpp - formulas on arrays of real numbers ---------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/simplify/formula.h"

using namespace mlir;

namespace tpuc::simplify {

namespace hlo = tpuc::stablehlo;

Num withSign(Num magnitude, Num of) {
  const Formula &f = *magnitude.f;
  unsigned width = f.element().getWidth();
  RankedTensorType type = f.type;
  auto bits = type.clone(IntegerType::get(type.getContext(), width));
  Value mask = makeSplat(f.builder, f.location, bits, APInt::getSignMask(width));
  Value sign = f.emit<hlo::AndOp>(f.emit<hlo::BitcastConvertOp>(bits, of.value), mask);
  Value both = f.emit<hlo::OrOp>(f.emit<hlo::BitcastConvertOp>(bits, magnitude.value), sign);
  return {&f, f.emit<hlo::BitcastConvertOp>(f.type, both)};
}

Num oddly(Num magnitude, Num x) { return select(x < 0.0, -magnitude, select(x == 0.0, x, magnitude)); }

Num polynomial(Num x, ArrayRef<double> coefficients) {
  Num result = number(*x.f, coefficients.front());
  for (double coefficient : coefficients.drop_front()) {
    Num product = result * x;
    result = product + coefficient;
  }
  return result;
}

Num polynomial(Num x, ArrayRef<double> narrow, ArrayRef<double> wide) {
  return polynomial(x, x.f->isDouble() ? wide : narrow);
}

Product exactProduct(Num a, Num b) {
  // Halves of the significand: 12 of 24 bits, 26 of 53.
  double splitter = a.f->isDouble() ? 134217729.0 : 4097.0;
  auto split = [&](Num x) -> Product {
    Num big = x * splitter;
    Num high = big - (big - x);
    return {high, x - high};
  };
  Num high = a * b;
  Product x = split(a), y = split(b);
  Num first = x.high * y.high - high, second = x.high * y.low, third = x.low * y.high, fourth = x.low * y.low;
  return {high, first + second + third + fourth};
}

Product exactSum(Num a, Num b) {
  Num sum = a + b, other = sum - a, left = a - (sum - other);
  return {sum, left + (b - other)};
}

// |a| >= |b|.
static Product normalise(Num a, Num b) {
  Num sum = a + b;
  return {sum, b - (sum - a)};
}

Product operator+(Product a, Product b) {
  Product high = exactSum(a.high, b.high), low = exactSum(a.low, b.low);
  Product first = normalise(high.high, high.low + low.high);
  return normalise(first.high, first.low + low.low);
}

Product operator*(Product a, Num b) {
  Product high = exactProduct(a.high, b);
  Num cross = a.low * b;
  return normalise(high.high, high.low + cross);
}

Product operator-(Product a) { return {-a.high, -a.low}; }

Product reciprocal(Product x) {
  Num first = 1.0 / x.high;
  Product back = exactProduct(first, x.high);
  Num low = first * x.low, rest = (1.0 - back.high) - back.low;
  return {first, first * (rest - low)};
}

Product pairedPolynomial(Num x, ArrayRef<double> coefficients, size_t paired) {
  Product result{polynomial(x, coefficients.drop_back(paired)), number(*x.f, 0)};
  for (double coefficient : coefficients.take_back(paired)) {
    double high = static_cast<float>(coefficient);
    Product scaled = result * x;
    result = scaled + Product{number(*x.f, high), number(*x.f, coefficient - high)};
  }
  return result;
}

} // namespace tpuc::simplify
