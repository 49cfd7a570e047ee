//===- special_gamma.cpp - the logarithm of the gamma function and its derivative ----------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// lgamma: its zeros at 1 and 2 are factors of the polynomials around them; products down to [2, 3) up to 8, Stirling's
// series beyond, and the reflection for negative numbers. digamma: its zero is a factor of the polynomial on [1, 2];
// sums down to it up to 8, the asymptotic series beyond.
// Both have zeros between negative whole numbers, which pairs of numbers meet. lgamma comes up to [2, 3) from -16 on
// by a product, whose logarithm near 1 is that of its difference from 1; lower zeros are closer to a whole number than
// any f32. digamma comes up by a sum from -8 on, and is reflected below. f64's stay ops of chlo until words replace its
// numbers.
//===-----------------------------------------------------------------------------===//
#include "passes/simplify/special.h"

using namespace mlir;

namespace tpuc::simplify {
namespace {

// Near-minimax fits (Chebyshev interpolation in 60 digits), the highest power first.
constexpr double kOneToTwo[] = {-0.0005920239037255214, 0.0009585090935483713,  -0.0011184132096307986,
                                0.0018491879253835115,  -0.0032182068080868612, 0.005456284864522071,
                                -0.009425257787561038,  0.016796514370089517,   -0.03130849537087994,
                                0.06291141368299658,    -0.1459598958869427,    0.48312895049714205};
constexpr double kBelowOne[] = {2.7082179299702123, -2.2110191060912836, 1.311863582602702,  -1.097730091819956,
                                0.9668819787641382, -0.8333063755526079, 0.7347093764959822, -0.6729672166767101,
                                0.6552245081187569, -0.7199662221812709, 1.09094829612462,   -0.8131238056279863};
constexpr double kTwoToThree[] = {1.4429808109684018e-05, -4.0515774966775235e-05, 0.00010684324552222685,
                                  -0.0003143552925547462, 0.0009611210544659452,   -0.0030952456402680846,
                                  0.010877000788915825,   -0.0448058407107913,     0.2675817994024386,
                                  0.5693657409358986};
constexpr double kStirling[] = {-0.0005701470164647203, 0.0007934093294071784, -0.0027777770275731234,
                                0.08333333333296741};
constexpr double kDigamma[] = {-0.007476843099039942, 0.01122315637643749, -0.011247037333869003, 0.016915223738038547,
                               -0.027064258800657295, 0.0408935606644924,  -0.06191686333003683,  0.09498081754904339,
                               -0.14840503688922396,  0.240542655036541,   -0.42362742088558825,  0.9510558754378758};
constexpr double kDigammaFar[] = {-0.003943137111647384, 0.00396610969887244, -0.00833332667975135,
                                  0.08333333333008877};

constexpr double kGammaTwoToThree[] = {
    -5.008955373846521e-07,  1.271269310791077e-06, -2.5285791451582807e-06, 7.174629490612281e-06,
    -1.2808454039024475e-05, 6.134699571644569e-05, 3.942589297602582e-06,   0.0007544721170375782,
    0.0016074004334655921,   0.010392403554594401,  0.028360780596451887,    0.10967323399812624,
    0.2538712468411236,      0.6545585779813848,    0.9347345216260856,      1.329340388179137};
constexpr double kDigammaTwoToThree[] = {
    5.07437714381011e-07,  -1.2708146124321844e-06, 2.6774546052897752e-06, -6.719304465924711e-06,
    1.70960005910189e-05,  -4.306978734061125e-05,  0.00010882503441047577, -0.0002764372333275973,
    0.0007073882168462133, -0.001830564167535746,   0.004821409819773723,   -0.013073166642061552,
    0.03731764146956132,   -0.11810202582091202,    0.49035775610023485,    0.7031566406452433};

// (pi cot(pi f) - 1 / f) / f as a polynomial in f^2, which is at most a quarter.
constexpr double kCotangent[] = {-13.937292745877583, 10.452969524418483,  -8.601922980317118,  0.16332717285215234,
                                 -2.4730972633528725, -1.9286243259066214, -2.0075347895586977, -1.9995769729712818,
                                 -2.000518936603734,  -2.0019883034248793, -2.008154728387878,  -2.0346861238117984,
                                 -2.1646464674228825, -3.2898681336964524};

constexpr double kPi = 3.141592653589793;
// From here on up, steps of one to [2, 3).
constexpr int kLowestProduct = -16, kLowestSum = -8;

// On [1/2, 3].
Num lgammaNear(Num y) {
  Num below = polynomial(y - 0.75, kBelowOne) * (y - 1.0);
  Num middle = 0.0 - polynomial(y - 1.5, kOneToTwo) * ((y - 1.0) * (2.0 - y));  // +0 at both ends
  Num above = polynomial(y - 2.5, kTwoToThree) * (y - 2.0);
  return select(y < 1.0, below, select(y < 2.0, middle, above));
}

Num stirling(Num x) {
  constexpr double kConstant = 0.4189385332046727;  // log(2 pi) / 2 - 1 / 2
  Num r = 1.0 / x, half = x - 0.5;
  Num tail = fma(polynomial(r * r, kStirling), r, number(*x.f, kConstant));
  // The whole powers of two in the logarithm times the first bits of ln 2 are exact.
  Scaled scaled = scaledToOne(x);
  Num low = fma(scaled.exponent, number(*x.f, -0x1.bd0106p-13), log(scaled.significand));
  Num high = scaled.exponent * 0.693359375 - 1.0;
  Product most = exactProduct(half, high);
  // The first product may overflow alone.
  return select(most.high < INFINITY, most.high + fma(half, low, most.low + tail), half * (high + low));
}

// |sin(pi a)|, from the distance to the nearest whole number.
Num sineOfPi(Num a) {
  Num fraction = a - floor(a);
  return sin(min(fraction, 1.0 - fraction) * kPi);
}

// gamma(x) = gamma(y) / (x (x + 1) ... (y - 1)) for y in [2, 3), x in [kLowestProduct, -1): the factors are exact.
// Above -1, where there are no zeros, nearly so.
Num lgammaBelow(Num x) {
  Product top = pairedPolynomial(x - floor(x) - 0.5, kGammaTwoToThree, 11);
  Product bottom{abs(x), number(*x.f, 0)};
  for (int i = 1; i < 2 - kLowestProduct; ++i) {
    Num factor = x + double(i);
    bottom = bottom * abs(select(factor < 2.0, factor, 1.0));
  }
  Product rest = top + -bottom;
  Num difference = rest.high / bottom.high, quotient = top.high / bottom.high;
  Bool near = (quotient > 0.75) & (quotient < 1.4);
  // What the quotient lost to rounding, over what the logarithm is of: left / bottom / (top / bottom).
  Num rounded = select(near, difference, quotient);
  Num left = select(near, rest.high, top.high), low = select(near, rest.low, top.low);
  Num lost = fma(-rounded, bottom.low, fma(-rounded, bottom.high, left) + low);
  return select(near, log1p(difference), log(quotient)) + lost / top.high;
}

// digamma(x) = digamma(y) - 1/x - 1/(x + 1) - ... - 1/(y - 1), for x from kLowestSum on.
Num digammaBelow(Num x) {
  // The distance from the middle, of which 1 + x would lose bits above -1/2, close to a zero.
  Product sum = pairedPolynomial((x + 0.5) - (floor(x) + 1.0), kDigammaTwoToThree, 11);
  for (int i = 0; i < 2 - kLowestSum; ++i) {
    Product term = exactSum(x, number(*x.f, i));
    Product inverse = reciprocal(term);
    Bool counts = term.high < 2.0;
    sum = sum + Product{select(counts, -inverse.high, 0.0), select(counts, -inverse.low, 0.0)};
  }
  return sum.high + sum.low;
}

// pi cot(pi f) of f32, for f from -1/2 to 1/2 without 0.
Product cotangent(Num f) {
  Num inverse = 1.0 / f;
  Product pole{inverse, inverse * fma(-inverse, f, number(*f.f, 1))};
  return pole + pairedPolynomial(exactProduct(f, f), kCotangent, 6) * f;
}

// digamma(1 + a) = log a + 1 / (2 a) - 1 / (12 a^2) + ... of f32, for a from -kLowestSum on.
Product digammaFar(Num a) {
  constexpr double kRest[] = {0.4432598039215686,   -0.08333333333333333,  0.021092796092796094, -0.007575757575757576,
                              0.004166666666666667, -0.003968253968253968, 0.008333333333333333};
  Num r = 1.0 / a;
  Product inverse{r, r * fma(-r, a, number(*a.f, 1))};
  Product square = inverse * inverse;
  Product twelfth = square * splitNumber(*a.f, -1.0 / 12);
  twelfth.low = fma(square.high * square.high, polynomial(square.high, kRest), twelfth.low);
  Product logarithm = pairedLog(a);
  return logarithm + (Product{inverse.high * 0.5, inverse.low * 0.5} + twelfth);
}

}  // namespace

Num lgamma(Num x) {
  if (x.f->isDouble()) return {x.f, x.f->emit<chlo::LgammaOp>(x.value)};
  Num a = abs(x);
  Bool small = a < 0.5, product = (a >= 3.0) & (a < 8.0);
  // [3, 8) comes down to [2, 3).
  Num steps = floor(a) - 2.0;
  Num y = select(small, x + 1.0, select(product, a - steps, a));
  Num factor = a;
  factor = select(product, a - 1.0, factor);
  for (int i = 2; i <= 5; ++i) factor = select(product & (steps >= i), factor * (a - double(i)), factor);
  Num logarithm = log(factor), near = lgammaNear(y);
  Num positive = select(a < 8.0, select(product, near + logarithm, near), stirling(a));
  Num reflected = log(kPi / (a * sineOfPi(a))) - positive;
  reflected = select((x > kLowestProduct) & (x < -0.5), lgammaBelow(select(x > kLowestProduct, x, -3.0)), reflected);
  Num result = select(small, near - logarithm, select(x < 0.0, reflected, positive));
  return select((a == INFINITY) | ((x < 0.0) & (x == floor(x))), INFINITY, result);
}

// For negative f32.
Num digammaNegative(Num x) {
  Num below = min(x, double(kLowestSum));
  Num fraction = below - floor(below + 0.5);
  Product far = digammaFar(-below) + -cotangent(fraction);
  Num near = digammaBelow(min(max(x, double(kLowestSum)), -0x1p-20));
  Num pole = -1.0 / x - 0.5772156649015329;
  return select(x > -0x1p-20, pole, select(x < double(kLowestSum), far.high + far.low, near));
}

Num digamma(Num x) {
  if (x.f->isDouble()) return {x.f, x.f->emit<chlo::DigammaOp>(x.value)};
  constexpr double kRoot = 1.4616321325302124, kRootLow = 1.2438149938918909e-08;
  Num a = abs(x);
  Num steps = floor(min(a, 8.0)) - 1.0;  // -1 below 1
  Num y = select(a < 8.0, a - steps, 1.5);
  Num root = (y - kRoot) - kRootLow;
  Num sum = select(a < 1.0, -1.0 / a, 0.0), lost = number(*x.f, 0);
  for (int i = 6; i >= 1; --i) {
    Product next = normalise(sum, select(steps >= double(i), 1.0 / (a - double(i)), 0.0));
    sum = next.high;
    lost = lost + next.low;
  }
  Num near = fma(polynomial(y - 1.5, kDigamma), root, sum) + select(a < 1.0, 0.0, lost);
  Num r = 1.0 / a, square = r * r;
  Num far = log(a) - (r * 0.5 + polynomial(square, kDigammaFar) * square);
  Num positive = select(a < 8.0, near, far);
  Bool pole = (x <= 0.0) & (x == floor(x));
  return select(pole, std::nan(""), select(x < 0.0, digammaNegative(x), positive));
}

void populateGamma(RewritePatternSet &patterns) {
  patterns.add<LowerReal<chlo::LgammaOp, lgamma, false>, LowerReal<chlo::DigammaOp, digamma, false>>(
      patterns.getContext());
}

}  // namespace tpuc::simplify
