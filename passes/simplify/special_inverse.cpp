//===- special_inverse.cpp - inverse and hyperbolic functions of real numbers --------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Around zero each is x + x z P(z) with z = x^2, so that the rounding of P hardly counts. Elsewhere a formula whose
// terms do not cancel, constants as a sum of two.
//===-----------------------------------------------------------------------------===//
#include "passes/simplify/special.h"

using namespace mlir;

namespace tpuc::simplify {
namespace {

// Near-minimax fits (Chebyshev interpolation in 60 digits), the highest power first; a table for f32 and one for f64.
constexpr double kAsin32[] = {0.030974540371355073, 0.010574415516912909, 0.023611817008891752, 0.030269138728589183,
                              0.04464766388813485,  0.07499992404401838,  0.16666666686085643};
constexpr double kAsin64[] = {0.03207412686712179,  -0.029288652492291928, 0.026492027340877928, -0.0027168811083041495,
                              0.00874110307727393,  0.006869444870499221,  0.008452406065746546, 0.009755275316163535,
                              0.011552268573915126, 0.013964819214172544,  0.017352765309284954, 0.022372159069960183,
                              0.03038194444474315,  0.04464285714285491,   0.07500000000000001,  0.16666666666666666};
constexpr double kAtan32[] = {0.050481385120797445, -0.08624676145249494, 0.11071365021884794,
                              -0.14284151193628614, 0.19999977258688387,  -0.333333332792548};
constexpr double kAtan64[] = {-0.010324989864592826, 0.0243764527468894,
                              -0.03394188289926891,  0.03934238417380301,
                              -0.043378578577287524, 0.04760810854977868,
                              -0.052630706812495244, 0.05882347923411834,
                              -0.0666666646195965,   0.07692307686566288,
                              -0.09090909090803775,  0.11111111111109946,
                              -0.1428571428571428,   0.2,
                              -0.3333333333333333};
constexpr double kSinh32[] = {2.545670657152382e-08, 2.755377026364149e-06, 0.0001984128253011599, 0.008333333317464362,
                              0.16666666666698407};
constexpr double kSinh64[] = {
    1.9767279197401816e-20, 8.22022162534532e-18,   2.811457741336026e-15, 7.647163728356056e-13, 1.605904383683686e-10,
    2.5052108385441677e-08, 2.7557319223985893e-06, 0.0001984126984126984, 0.008333333333333333,  0.16666666666666666};

// A constant and what its rounding to f32, or f64, leaves.
struct Split {
  double narrow, narrowLow, wide, wideLow;
};
constexpr Split kHalfPi = {1.5707963705062866, -4.371139000186241e-08, 1.5707963267948966, 6.123233995736766e-17};
constexpr Split kQuarterPi = {0.7853981852531433, -2.1855695000931206e-08, 0.7853981633974483, 3.061616997868383e-17};
constexpr Split kPi = {3.1415927410125732, -8.742278000372483e-08, 3.141592653589793, 1.2246467991473532e-16};
// 64 log 2 for f32, 512 log 2 for f64.
constexpr Split kShift = {44.361419677734375, -1.2189787519729714e-07, 354.891356446692, 1.1873519686893054e-14};
constexpr double kLog2 = 0.6931471805599453;

double high(Num x, const Split &c) { return x.f->isDouble() ? c.wide : c.narrow; }
double low(Num x, const Split &c) { return x.f->isDouble() ? c.wideLow : c.narrowLow; }

// asin(s) - s for s^2 = z up to a quarter.
Num asinTail(Num s, Num z) { return s * (z * polynomial(z, kAsin32, kAsin64)); }

// From a half on by asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)).
Num asin(Num x) {
  Num a = abs(x);
  Bool large = a > 0.5;
  Num z = select(large, (1.0 - a) * 0.5, a * a);
  Num s = select(large, sqrt(z), a);
  Num tail = asinTail(s, z);
  Num twice = s + s, rest = tail + tail;
  Num far = (high(x, kHalfPi) - twice) - (rest - low(x, kHalfPi));
  return oddly(select(large, far, s + tail), x);
}

Num acos(Num x) {
  Num a = abs(x);
  Bool large = a > 0.5, negative = x < 0.0;
  Num z = select(large, (1.0 - a) * 0.5, a * a);
  Num s = select(large, sqrt(z), x);
  Num tail = asinTail(s, z);
  Num near = high(x, kHalfPi) - (s - (low(x, kHalfPi) - tail));
  Num twice = (s + tail) * 2.0;
  Num left = high(x, kPi) - (twice - low(x, kPi));
  return select(large, select(negative, left, twice), near);
}

// Up to tan(pi/8) directly, up to its inverse around pi/4, beyond around pi/2.
Num atan(Num x) {
  Num a = abs(x);
  Bool middle = a > 0.41421356237309503, far = a > 2.414213562373095;
  Num quotient = select(far, -1.0, a - 1.0) / select(far, a, a + 1.0);
  Num s = select(middle, quotient, a);
  Num z = s * s;
  Num tail = s * (z * polynomial(z, kAtan32, kAtan64));
  Num base = select(far, high(x, kHalfPi), high(x, kQuarterPi)),
      rest = select(far, low(x, kHalfPi), low(x, kQuarterPi));
  return oddly(select(middle, base + ((tail + rest) + s), s + tail), x);
}

// exp(a) / 2 for a from 0 on, without overflow before its time: a - shift is exact from the shift to beyond twice of
// it.
Num halfExp(Num a) {
  a = min(a, a.f->isDouble() ? 1000.0 : 120.0);  // else infinite corrections
  Bool far = a > high(a, kShift);
  Num e = exp(select(far, a - high(a, kShift), a));
  Num scaled = (e - e * low(a, kShift)) * (a.f->isDouble() ? 0x1p511 : 0x1p63);
  return select(far, scaled, e * 0.5);
}

}  // namespace

Num sinh(Num x) {
  Num a = abs(x), z = a * a, h = halfExp(a);
  Num near = a + a * (z * polynomial(z, kSinh32, kSinh64));
  return oddly(select(a < 1.0, near, h - 0.25 / h), x);
}

Num cosh(Num x) {
  Num h = halfExp(abs(x));
  return h + 0.25 / h;
}

namespace {

// Where 1 + x^2 is x^2.
double beyondSquares(Num x) { return x.f->isDouble() ? 0x1p28 : 0x1p13; }

Num asinh(Num x) {
  Num a = abs(x), square = a * a;
  Num near = log1p(a + square / (1.0 + sqrt(square + 1.0)));
  return oddly(select(a > beyondSquares(x), log(a) + kLog2, near), x);
}

Num acosh(Num x) {
  Num t = x - 1.0;
  Num near = log1p(t + sqrt(t * 2.0 + t * t));
  Num middle = log(x * 2.0 - 1.0 / (x + sqrt(x * x - 1.0)));
  Num far = log(x) + kLog2;
  Num result = select(x < 2.0, near, select(x > beyondSquares(x), far, middle));
  return select(x < 1.0, std::nan(""), result);
}

Num atanh(Num x) {
  Num a = abs(x), twice = a + a, rest = 1.0 - a;
  Num argument = select(a < 0.5, twice + twice * a / rest, twice / rest);
  return oddly(log1p(argument) * 0.5, x);
}

}  // namespace

void populateInverse(RewritePatternSet &patterns) {
  patterns.add<LowerReal<chlo::AsinOp, asin>, LowerReal<chlo::AcosOp, acos>, LowerReal<chlo::AtanOp, atan>,
               LowerReal<chlo::SinhOp, sinh>, LowerReal<chlo::CoshOp, cosh>, LowerReal<chlo::AsinhOp, asinh>,
               LowerReal<chlo::AcoshOp, acosh>, LowerReal<chlo::AtanhOp, atanh>>(patterns.getContext());
}

}  // namespace tpuc::simplify
