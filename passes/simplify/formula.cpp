//===- formula.cpp - formulas on arrays of real numbers ---------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/simplify/formula.h"

#include "dialects/kernel/kernel.h"

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

Num fma(Num a, Num b, Num c) {
  if (a.f->element().isF32())
    return {a.f, kernel::FmaOp::create(a.f->builder, a.f->location, a.f->type, a.value, b.value, c.value)};
  Num product = a * b;
  return product + c;
}

Num exp2(Num a) {
  assert(a.f->element().isF32() && "the instruction set has no other");
  return {a.f, kernel::Exp2Op::create(a.f->builder, a.f->location, a.f->type, a.value)};
}

Num polynomial(Num x, ArrayRef<double> coefficients) {
  Num result = number(*x.f, coefficients.front());
  for (double coefficient : coefficients.drop_front()) result = fma(result, x, number(*x.f, coefficient));
  return result;
}

Num polynomial(Num x, ArrayRef<double> narrow, ArrayRef<double> wide) {
  return polynomial(x, x.f->isDouble() ? wide : narrow);
}

Product exactProduct(Num a, Num b) {
  Num high = a * b;
  if (a.f->element().isF32()) return {high, fma(a, b, -high)};
  constexpr double kSplitter = 134217729.0;  // halves of the significand: 26 of 53 bits
  auto split = [&](Num x) -> Product {
    Num big = x * kSplitter;
    Num high = big - (big - x);
    return {high, x - high};
  };
  Product x = split(a), y = split(b);
  Num first = x.high * y.high - high, second = x.high * y.low, third = x.low * y.high, fourth = x.low * y.low;
  return {high, first + second + third + fourth};
}

Product exactSum(Num a, Num b) {
  Num sum = a + b, other = sum - a, left = a - (sum - other);
  return {sum, left + (b - other)};
}

Product normalise(Num a, Num b) {
  Num sum = a + b;
  return {sum, b - (sum - a)};
}

Product operator+(Product a, Product b) {
  Product high = exactSum(a.high, b.high);
  Num low = a.low + b.low;
  return normalise(high.high, high.low + low);
}

Product operator*(Product a, Num b) {
  Product high = exactProduct(a.high, b);
  return normalise(high.high, fma(a.low, b, high.low));
}

Product operator*(Product a, Product b) {
  Product high = exactProduct(a.high, b.high);
  return normalise(high.high, fma(a.low, b.high, fma(a.high, b.low, high.low)));
}

Product operator-(Product a) { return {-a.high, -a.low}; }

Product reciprocal(Product x) {
  Num first = 1.0 / x.high;
  Product back = exactProduct(first, x.high);
  Num low = first * x.low, rest = (1.0 - back.high) - back.low;
  return {first, first * (rest - low)};
}

Product splitNumber(const Formula &f, double value) {
  double high = static_cast<float>(value);
  return {number(f, high), number(f, value - high)};
}

template <typename T>
static Product paired(T x, Num like, ArrayRef<double> coefficients, size_t paired) {
  Product result{polynomial(like, coefficients.drop_back(paired)), number(*like.f, 0)};
  for (double coefficient : coefficients.take_back(paired)) {
    Product scaled = result * x;
    result = scaled + splitNumber(*like.f, coefficient);
  }
  return result;
}

Product pairedPolynomial(Num x, ArrayRef<double> coefficients, size_t steps) {
  return paired(x, x, coefficients, steps);
}
Product pairedPolynomial(Product x, ArrayRef<double> coefficients, size_t steps) {
  return paired(x, x.high, coefficients, steps);
}

Scaled scaledToOne(Num a) {
  const Formula &f = *a.f;
  RankedTensorType type = f.type, words = type.clone(IntegerType::get(type.getContext(), 32));
  auto splat = [&](int64_t v) { return makeSplat(f.builder, f.location, words, APInt(32, v)); };
  Value bits = f.emit<hlo::BitcastConvertOp>(words, a.value), mantissa = splat(23);
  Value rootOfHalf = splat(0x3f3504f3);  // as bits
  Value exponent = f.emit<hlo::ShiftRightArithmeticOp>(f.emit<hlo::SubtractOp>(bits, rootOfHalf), mantissa);
  Value significand = f.emit<hlo::SubtractOp>(bits, f.emit<hlo::ShiftLeftOp>(exponent, mantissa));
  return {{&f, f.emit<hlo::BitcastConvertOp>(f.type, significand)}, {&f, f.emit<hlo::ConvertOp>(f.type, exponent)}};
}

Num powerOfTwo(Num n) {
  const Formula &f = *n.f;
  RankedTensorType type = f.type, words = type.clone(IntegerType::get(type.getContext(), 32));
  auto splat = [&](int64_t v) { return makeSplat(f.builder, f.location, words, APInt(32, v)); };
  Value biased = f.emit<hlo::AddOp>(f.emit<hlo::ConvertOp>(words, n.value), splat(127));
  return {&f, f.emit<hlo::BitcastConvertOp>(f.type, f.emit<hlo::ShiftLeftOp>(biased, splat(23)))};
}

// With s = (m - 1) / (m + 1), log m = 2 (s + s^3/3 + s^5/5 + ...).
static Product pairedLogOf(Product top, Product bottom, Num exponent) {
  constexpr double kSeries[] = {1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3};
  Num inverse = 1.0 / bottom.high, quotient = top.high * inverse;
  Num rest = fma(-quotient, bottom.low, fma(-quotient, bottom.high, top.high) + top.low);
  Product s = normalise(quotient, rest * inverse), square = s * s;
  Product odd = s * (square * pairedPolynomial(square, kSeries, 3));
  Product significand = Product{s.high * 2.0, s.low * 2.0} + Product{odd.high * 2.0, odd.low * 2.0};
  // Products of the exponent with the first two parts of ln 2 are exact.
  Product power = normalise(exponent * 0x1.62e4p-1, exponent * 0x1.7f7cp-20);
  power.low = fma(exponent, number(*exponent.f, 0x1.1cf79abc9e3b4p-36), power.low);
  return power + significand;
}

Product pairedLog(Num a) {
  const Formula &f = *a.f;
  Scaled scaled = scaledToOne(a);
  return pairedLogOf({scaled.significand - 1.0, number(f, 0)}, normalise(number(f, 1), scaled.significand),
                     scaled.exponent);
}

Product pairedLog(Product a, Num n) {
  Scaled scaled = scaledToOne(a.high);
  Num down = powerOfTwo(-scaled.exponent), low = a.low * down;
  Product top = normalise(scaled.significand - 1.0, low), bottom = normalise(number(*n.f, 1), scaled.significand);
  bottom.low = bottom.low + low;
  return pairedLogOf(top, bottom, n + scaled.exponent);
}

}  // namespace tpuc::simplify
