//===- special_error.cpp - erf, erfc and the inverse of erf --------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. Up to 1, erf(x) = x + x P(x^2); from 1 on, f32 takes 1 - exp(R(x)), whose exponent's rounding hardly shows in 1 -
//    0.16. A quotient of polynomials is enough for a bf16.
// 2. erfc(x) = exp(-x^2) Q(t) T with T = 1 / (x + k) and t = (x - k) T, where Q is nearly linear (Shepherd and
//    Laframboise 1981), for f64 from 1 on. What rounding took is put back where a bf16 would show it. Below 0 it is 2
//    less erfc(-x).
// 3. erf_inv(x) = x R(w) with w = -log(1 - x^2), from some w on a polynomial in its root (Giles 2010).
//===-----------------------------------------------------------------------------===//
#include "passes/simplify/special.h"

using namespace mlir;

namespace tpuc::simplify {
namespace {

// Near-minimax fits (Chebyshev interpolation in 60 digits), the highest power first; a table for f32 and one for f64.
constexpr double kErf32[] = {7.853854315053277e-05, -0.0008010191493324849, 0.005188327443012419, -0.026853811807506265,
                             0.11283585145558035,   -0.37612625823963697,   0.12837916572667152};
constexpr double kLogErfc32[] = {  // weighted by erfc(x) / erf(x), from 1 to 3.95
    0.00018638005246504028, -0.0029476664939464855, 0.02183809579350556,   -0.10310681898898687,
    -0.6381447608345824,    -1.1270892322193173,    -0.0003415129628336899};
constexpr double kErf64[] = {
    -1.746609279318069e-14,  4.117309460970657e-13,  -6.639294901316118e-12,  9.412558594992829e-11,
    -1.2289529419960295e-09, 1.4807117719731329e-08, -1.6365840648222765e-07, 1.6462114205798046e-06,
    -1.4925650353787866e-05, 0.00012055332981694495, -0.0008548327023449497,  0.005223977625442175,
    -0.026866170645131252,   0.11283791670955126,    -0.37612638903183754,    0.1283791670955126};
// P and Q of erf(x) = x P(x^2) / Q(x^2) up to 3.3.
constexpr double kErfShortP32[] = {0.0007454663781345144, 0.04313420694615238, 0.15457774737507557, 1.1283789347153994};
constexpr double kErfShortQ32[] = {0.009261136172016697, 0.09489686455705279, 0.47034518007079057, 1};
constexpr double kErfc32[] = {  // from 0 to 10.1
    -0.00013911722237247532, -0.00017075544939186682, 0.000734456510745973,  0.0018263468046293006,
    -0.000737912251935116,   -0.00947325599727481,    -0.008134638406507255, 0.04776965626941079,
    0.07562288538953385,     -0.5078500602295719,     0.9647562369629318};
constexpr double kErfcShort32[] = {  // P
    11.267158091847813, -22.790821272525744, 12.42694322267915, 0.6162237419308896,
    2.25016556929757,   1.1105023771939824,  0.5646565461031837};
// (exp(r) - 1 - r) / r^2 for |r| up to 0.36.
constexpr double kPower32[] = {0.0013955351589104823, 0.008371696144145199, 0.04166613025978351, 0.16666494596538958,
                               0.5000000119517156};
constexpr double kErfc64[] = {
    -2.1028340394984416e-09, 2.9610893405552885e-09, 1.8285051399841196e-08,  -5.7048338317795205e-08,
    -4.678550105229031e-08,  6.05267107019668e-07,   -1.125599937790082e-06,  -2.459278353194862e-06,
    1.9055991451331074e-05,  -4.417795207619102e-05, -2.4824400404933705e-05, 0.000620609751270066,
    -0.0029684069307174036,  0.009781836115168896,   -0.02599510096470849,    0.05906435124349267,
    -0.11819633842803913,    0.2120168921196492,     -0.3448138785668379,     0.5124334779626337,
    -0.6996919595788685,     0.8811773333024996,     -1.0262325991519448,     1.1070463773306862};
constexpr double kInverse32Near[] = {1.2346577114502573e-10, 4.340626803853993e-10, -1.0861761271594343e-08,
                                     1.650364404121373e-08,  4.786897084558858e-07, -3.426266209734268e-06,
                                     -4.996000110143956e-06, 0.0002182641252155226, -0.0012527079573557702,
                                     -0.004177325080457763,  0.24664027674858424,   1.5014093517481764};
constexpr double kInverse32Far[] = {-9.538409166451988e-07, -3.2930968143280535e-05, 8.594075640577632e-05,
                                    6.490841658910528e-06,  -0.00036610651089893177, 0.0009625818310294404,
                                    -0.0016849559899391594, 0.002489253221629526,    -0.003751625280651004,
                                    0.005371102105567224,   1.005258982124108,       3.0838856078929173};
constexpr double kInverse64Near[] = {
    -3.5932028927020693e-22, 3.194015548136271e-21,   1.999259988861535e-20,   -3.4734793888538036e-19,
    6.075050702072414e-19,   1.5510787009902526e-17,  -1.2215637192404172e-16, -3.94018812230432e-17,
    6.521333511502239e-15,   -4.0020031087558496e-14, -8.07192593899004e-14,   2.6305268312595183e-12,
    -1.2978805369932565e-11, -5.414303283919504e-11,  1.051223377050429e-09,   -4.1126604371632185e-09,
    -2.907039127564132e-08,  4.23478816822246e-07,    -1.3654691758785656e-06, -1.3882523393957483e-05,
    0.00018673420801981186,  -0.0007407025341546431,  -0.006033670871426851,   0.24015818242558834,
    1.6536545626831027};
constexpr double kInverse64Middle[] = {7.680200479077053e-09,  -1.5305397964152548e-08, -2.091453334773126e-08,
                                       1.3158663683192966e-07, -2.4549818963339823e-07, -2.761716223816241e-08,
                                       1.4815977874022539e-06, -3.985705945648173e-06,  2.93257845538535e-06,
                                       1.2465028224217455e-05, -4.732068066544697e-05,  6.828711739251955e-05,
                                       2.4031512865758357e-05, -0.0003550378137852452,  0.0009532893415794137,
                                       -0.0016882755354488555, 0.00249144209795696,     -0.0037512085082247342,
                                       0.005370914553555033,   1.0052589676941655,      3.0838856104922208};
constexpr double kInverse64Far[] = {
    -1.5439278197208357e-11, 4.2802433037309425e-11,  4.6977303445962895e-11, -4.3738896637340697e-10,
    1.3589365341577091e-09,  -3.471437933896719e-09,  7.777428539826636e-09,  -1.525516018129263e-08,
    2.9044909320789473e-08,  -6.75560303537366e-08,   2.2904362741369038e-07, -9.930294774982885e-07,
    4.526054328559671e-06,   -1.9681770676949253e-05, 7.59952779202494e-05,   -0.00021503011983024694,
    -0.000138719318373517,   1.0103004648645455,      4.849906401408584};

}  // namespace

Num expm1Near(Num r) { return fma(r * r, polynomial(r, kPower32), r); }

namespace {

// erfc(a) exp(a^2) for a of f64 from 1 on, and what it lost to rounding.
Product scaledErfc(Num a) {
  constexpr double k = 5;
  llvm::ArrayRef<double> coefficients = kErfc64;
  Num sum = a + k, t = (a - k) / sum, inverse = (1.0 - t) * (0.5 / k);
  Num lost = (a - (sum - k)) * inverse;  // by the sum, in units of the sum
  Num rest = t * polynomial(t, coefficients.drop_back());
  Num q = rest + coefficients.back(), low = rest - (q - coefficients.back());
  Num quotient = q / sum;
  Product back = exactProduct(quotient, sum);
  Num remainder = (q - back.high) - back.low;
  // The quotient by Q(t) / sum, where t Q'(t) is about `rest`.
  return {quotient, (remainder + (low - (q + rest) * lost)) * inverse};
}

// a from 1 on.
Num erfcOfLarge64(Num a) {
  a = min(a, 30.0);  // no number but 0 from there on
  Product scaled = scaledErfc(a), square = exactProduct(a, a);
  Num power = exp(-square.high);
  return power * scaled.high + power * (scaled.low - scaled.high * square.low);
}

// 2^y Q(t) T, and what y, the square, the quotient and the last steps of Q(t) T lost to rounding.
Num erfcOfPositive32(Num a) {
  constexpr double k = 1.5;
  constexpr double kSlope = 1.3;                                 // -d log(Q T) / d log(a + k) is from 1.1 to 1.7
  constexpr double kHigh = 0x1.62e43p-1, kLow = -0x1.05c61p-29;  // ln 2
  a = min(a, 11.0);                                              // no number but 0 from there on
  const Formula &f = *a.f;
  Num sum = a + k, inverse = 1.0 / sum;
  Num more = fma(inverse, a - (sum - k), fma(sum, inverse, number(f, -1)));  // (a + k) T - 1
  llvm::ArrayRef<double> coefficients = kErfc32;
  Num t = fma(inverse, number(f, -2 * k), number(f, 1));
  Num rest = polynomial(t, coefficients.drop_back()), constant = number(f, coefficients.back());
  Num q = fma(rest, t, constant), lost = fma(rest, t, constant - q);
  Num scaled = inverse * q, low = fma(inverse, q, -scaled);
  Num square = a * a, y = square * -1.4426950408889634, power = exp2(y);
  Num less = fma(y, number(f, kLow), fma(more, number(f, kSlope), fma(a, a, -square)));
  less = less + fma(y, number(f, kHigh), square) - lost;
  return fma(power, scaled, power * (low - scaled * less));
}

// Enough for a bf16: T P(T) 2^(-a^2 log2 e) with T = 1 / (a + 2).
Num erfcOfPositiveShort32(Num a) {
  Num t = 1.0 / (a + 2.0), power = exp2(a * a * -1.4426950408889634);
  return t * power * polynomial(t, kErfcShort32);
}

// Enough for a bf16, to which it rounds to 1 from 2.2 on.
Num erfShort32(Num x) {
  x = max(min(x, 3.3), -3.3);
  Num square = x * x;
  Num reciprocal = 1.0 / polynomial(square, kErfShortQ32);
  return x * polynomial(square, kErfShortP32) * reciprocal;
}

Num erf(Num x) {
  if (x.f->toBf16) return erfShort32(x);
  Num a = abs(x);
  Num near = x + x * polynomial(x * x, kErf32, kErf64);  // erf(x) / x - 1 by the table
  // From 4 on the nearest f32 is 1.
  Num rest = a.f->isDouble() ? erfcOfLarge64(a) : exp(polynomial(min(a, 4.0), kLogErfc32));
  Num far = oddly(1.0 - rest, x);
  return select(a > 1.0, far, near);
}

Num erfc(Num x) {
  Num a = abs(x);
  if (!x.f->isDouble()) {
    Num positive = x.f->toBf16 ? erfcOfPositiveShort32(a) : erfcOfPositive32(a);
    return select(x < 0.0, 2.0 - positive, positive);
  }
  Num far = erfcOfLarge64(a);
  Num near = (1.0 - x) - x * polynomial(x * x, kErf64);
  // Nearer to 1 the difference cancels.
  return select(x >= 1.0, far, select(x < -1.0, 2.0 - far, near));
}

Num erfInv(Num x) {
  Num w = -log((1.0 - x) * (x + 1.0));
  Num result = x;
  if (x.f->isDouble()) {
    Num root = sqrt(w);
    Bool near = w < 6.25, middle = root < 4.0;
    // One polynomial whose coefficients are chosen: a step of f64 is a hundred operations, a choice two.
    Num t = select(near, w - 3.125, select(middle, root - 3.25, root - 5.0));
    constexpr size_t longest =
        std::max({std::size(kInverse64Near), std::size(kInverse64Middle), std::size(kInverse64Far)});
    auto at = [&](llvm::ArrayRef<double> table, size_t i) {
      size_t missing = longest - table.size();  // of the highest powers
      return number(*x.f, i < missing ? 0 : table[i - missing]);
    };
    Num sum = number(*x.f, 0);
    for (size_t i = 0; i < longest; ++i) {
      Num coefficient =
          select(near, at(kInverse64Near, i), select(middle, at(kInverse64Middle, i), at(kInverse64Far, i)));
      sum = i == 0 ? coefficient : fma(sum, t, coefficient);
    }
    result = x * sum;
  } else {
    Num far = polynomial(sqrt(w) - 3.25, kInverse32Far);
    // The constant term in two parts: its rounding is half an ulp of the result.
    constexpr size_t count = std::size(kInverse32Near);
    const double constant = kInverse32Near[count - 1], high = static_cast<float>(constant);
    Num t = w - 2.5, rest = t * polynomial(t, llvm::ArrayRef(kInverse32Near).drop_back()) + (constant - high);
    result = x * select(w < 5.0, rest + high, far);
  }
  return select(abs(x) == 1.0, x * INFINITY, result);
}

}  // namespace

void populateErrorFunctions(RewritePatternSet &patterns) {
  patterns.add<LowerReal<chlo::ErfOp, erf>, LowerReal<chlo::ErfcOp, erfc>, LowerReal<chlo::ErfInvOp, erfInv>>(
      patterns.getContext());
}

}  // namespace tpuc::simplify
