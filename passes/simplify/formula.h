//===- formula.h - formulas on arrays of real numbers, written as on paper ----------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Num and Bool stand for arrays of one shape; an operator makes an op of stablehlo. Doubles become splats, rounded to
// the element type.
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_PASSES_SIMPLIFY_FORMULA_H
#define TPUC_PASSES_SIMPLIFY_FORMULA_H

#include <cmath>

#include "passes/simplify/patterns.h"

namespace tpuc::simplify {

struct Formula {
  mlir::OpBuilder &builder;
  mlir::Location location;
  mlir::RankedTensorType type;  // of floats
  bool toBf16 = false;          // the result is rounded to bf16 next

  mlir::FloatType element() const { return mlir::cast<mlir::FloatType>(type.getElementType()); }
  bool isDouble() const { return element().isF64(); }
  mlir::Value splat(double value) const {
    llvm::APFloat number(value);
    bool lost;
    number.convert(element().getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &lost);
    return makeSplat(builder, location, type, number);
  }
  template <typename OpT, typename... Operands>
  mlir::Value emit(Operands... operands) const {
    return OpT::create(builder, location, operands...);
  }
};

struct Bool {
  const Formula *f;
  mlir::Value value;
};

struct Num {
  const Formula *f;
  mlir::Value value;

  Num operator-() const { return {f, f->emit<stablehlo::NegOp>(value)}; }
};

inline Num number(const Formula &f, double value) { return {&f, f.splat(value)}; }

#define TPUC_ARITHMETIC(OP, OPCLASS)                                                                      \
  inline Num operator OP(Num a, Num b) { return {a.f, a.f->emit<stablehlo::OPCLASS>(a.value, b.value)}; } \
  inline Num operator OP(Num a, double b) { return a OP number(*a.f, b); }                                \
  inline Num operator OP(double a, Num b) { return number(*b.f, a) OP b; }
TPUC_ARITHMETIC(+, AddOp)
TPUC_ARITHMETIC(-, SubtractOp)
TPUC_ARITHMETIC(*, MulOp)
TPUC_ARITHMETIC(/, DivOp)
#undef TPUC_ARITHMETIC

#define TPUC_COMPARISON(OP, DIRECTION)                                                                          \
  inline Bool operator OP(Num a, Num b) {                                                                       \
    return {a.f, a.f->emit<stablehlo::CompareOp>(a.value, b.value, stablehlo::ComparisonDirection::DIRECTION)}; \
  }                                                                                                             \
  inline Bool operator OP(Num a, double b) { return a OP number(*a.f, b); }
TPUC_COMPARISON(<, LT)
TPUC_COMPARISON(<=, LE)
TPUC_COMPARISON(>, GT)
TPUC_COMPARISON(>=, GE)
TPUC_COMPARISON(==, EQ)
TPUC_COMPARISON(!=, NE)
#undef TPUC_COMPARISON

inline Bool operator&(Bool a, Bool b) { return {a.f, a.f->emit<stablehlo::AndOp>(a.value, b.value)}; }
inline Bool operator|(Bool a, Bool b) { return {a.f, a.f->emit<stablehlo::OrOp>(a.value, b.value)}; }

inline Num select(Bool p, Num a, Num b) { return {a.f, a.f->emit<stablehlo::SelectOp>(p.value, a.value, b.value)}; }
inline Num select(Bool p, double a, Num b) { return select(p, number(*b.f, a), b); }
inline Num select(Bool p, Num a, double b) { return select(p, a, number(*a.f, b)); }
inline Num select(Bool p, double a, double b) { return select(p, number(*p.f, a), number(*p.f, b)); }

#define TPUC_FUNCTION(NAME, OPCLASS) \
  inline Num NAME(Num x) { return {x.f, x.f->emit<stablehlo::OPCLASS>(x.value)}; }
TPUC_FUNCTION(abs, AbsOp)
TPUC_FUNCTION(exp, ExpOp)
TPUC_FUNCTION(expm1, Expm1Op)
TPUC_FUNCTION(log, LogOp)
TPUC_FUNCTION(log1p, Log1pOp)
TPUC_FUNCTION(sqrt, SqrtOp)
TPUC_FUNCTION(sin, SineOp)
TPUC_FUNCTION(cos, CosineOp)
TPUC_FUNCTION(tan, TanOp)
TPUC_FUNCTION(floor, FloorOp)
TPUC_FUNCTION(round, RoundNearestEvenOp)
#undef TPUC_FUNCTION

inline Num max(Num a, Num b) { return {a.f, a.f->emit<stablehlo::MaxOp>(a.value, b.value)}; }
inline Num min(Num a, Num b) { return {a.f, a.f->emit<stablehlo::MinOp>(a.value, b.value)}; }
inline Num max(Num a, double b) { return max(a, number(*a.f, b)); }
inline Num min(Num a, double b) { return min(a, number(*a.f, b)); }
// a b + c, for f32 rounded once.
Num fma(Num a, Num b, Num c);
// 2^a of f32 within 0.89 last places, exactly for whole a.
Num exp2(Num a);
inline Num power(Num a, Num b) { return {a.f, a.f->emit<stablehlo::PowOp>(a.value, b.value)}; }
inline Num atan2(Num y, Num x) { return {y.f, y.f->emit<stablehlo::Atan2Op>(y.value, x.value)}; }

inline Bool isNan(Num x) { return x != x; }
// The magnitude, which is not negative, with the sign of `of`, which may be that of a zero.
Num withSign(Num magnitude, Num of);
// An odd function's value at x from its value at |x|; it keeps zeros.
Num oddly(Num magnitude, Num x);

// Horner's rule, the highest power first.
Num polynomial(Num x, llvm::ArrayRef<double> coefficients);
// Coefficients for f32 and for f64.
Num polynomial(Num x, llvm::ArrayRef<double> narrow, llvm::ArrayRef<double> wide);

// A product and its rounding error (of f64: Dekker 1971); factors above 2^100 may overflow.
struct Product {
  Num high, low;
};
Product exactProduct(Num a, Num b);
// A sum and its rounding error (Knuth), and arithmetic on such pairs: about twice the type's precision.
Product exactSum(Num a, Num b);
// The sum and its error where a's power of two is not below b's (Dekker's Fast2Sum): fewer operations.
Product normalise(Num a, Num b);
Product operator+(Product a, Product b);
Product operator*(Product a, Num b);
Product operator*(Product a, Product b);
Product operator-(Product a);
Product reciprocal(Product x);
Product splitNumber(const Formula &f, double value);  // to f32's precision twice
// Horner's rule; only the last `paired` steps on pairs. f32 only: the coefficients are doubles.
Product pairedPolynomial(Num x, llvm::ArrayRef<double> coefficients, size_t paired);
Product pairedPolynomial(Product x, llvm::ArrayRef<double> coefficients, size_t paired);

// a = significand 2^exponent for normal positive f32, the significand between the roots of 1/2 and 2.
struct Scaled {
  Num significand, exponent;
};
Scaled scaledToOne(Num a);
// 2^n of f32 for whole n from -126 to 127.
Num powerOfTwo(Num n);
// log a for f32 from 1 to 2^24, within 2^-45.
Product pairedLog(Num a);
// log (a 2^n) for normal positive a and whole n, |n| up to 256.
Product pairedLog(Product a, Num n);

}  // namespace tpuc::simplify

#endif  // TPUC_PASSES_SIMPLIFY_FORMULA_H
