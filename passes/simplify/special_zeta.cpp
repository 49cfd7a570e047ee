//===- special_zeta.cpp - the zeta function of Hurwitz and the polygamma functions ---------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/simplify/special.h"

using namespace mlir;

namespace tpuc::simplify {
namespace {

// (q + k)^-x, with what was lost of q + k put back by the derivative.
Num powerOf(Num q, double k, Num minusX) {
  if (k == 0) return power(q, minusX);
  Product a = exactSum(number(*q.f, k), q);
  Num value = power(a.high, minusX);
  return value + value * (minusX * (a.low / a.high));
}

// The rest of the sum from a = q + k on, by Euler and Maclaurin: a^-x (a / (x - 1) + 1 / 2 + a s).
Num tailOf(Num x, Num q, double k) {
  // B(2k) / (2k)! for k = 12 .. 1
  constexpr double kTerms[] = {-1.3954464685812522e-19, 5.5090028283602295e-18,  -2.174868698558062e-16,
                               8.586062056277845e-15,   -3.3896802963225827e-13, 1.3382536530684679e-11,
                               -5.284190138687493e-10,  2.08767569878681e-08,    -8.267195767195768e-07,
                               3.306878306878307e-05,   -0.001388888888888889,   0.08333333333333333};
  Num minusX = -x, a = q + k, last = powerOf(q, k, minusX), square = a * a;
  Num series = number(*x.f, 0);
  for (int i = 0; i < 12; ++i) {
    double at = 2.0 * (11 - i);  // of the product x (x + 1) ... the last two factors
    Num rising = i == 11 ? x : (x + (at - 1)) * (x + at);
    series = (series + kTerms[i]) * rising / square;
  }
  Num rest = a / (x - 1.0) + 0.5 + a * series;
  // Where the power alone leaves the range, its root is multiplied twice.
  Num root = power(a, minusX * 0.5), far = select(root == 0.0, 0.0, root * (root * rest));
  return select(last < (x.f->isDouble() ? 0x1p-1000 : 0x1p-120), far, last * rest);
}

// The sum of (q + k)^-x over k: nine terms and the rest, the smallest first.
Num zeta(Num x, Num q) {
  constexpr int kDirect = 9;
  Num minusX = -x, sum = tailOf(x, q, kDirect), lost = number(*x.f, 0);
  for (int k = kDirect - 1; k >= 0; --k) {
    Product next = exactSum(sum, powerOf(q, k, minusX));
    sum = next.high;
    lost = lost + next.low;
  }
  sum = sum + select(abs(lost) < INFINITY, lost, 0.0);

  // A pole at x = 1, nothing to the left of it; poles at q = 0, -1, ..., of one sign for even x only.
  double nan = std::nan("");
  Bool pole = (q <= 0.0) & (q == floor(q)), even = floor(x * 0.5) * 2.0 == x;
  Bool undefined = (x < 1.0) | ((q <= 0.0) & (x != floor(x)));
  Num result = select(pole, select(even, INFINITY, nan), sum);
  result = select(undefined, nan, result);
  return select(x == 1.0, INFINITY, select(isNan(x) | isNan(q), nan, result));
}

// (-1)^(n + 1) n! zeta(n + 1, x)
Num polygamma(Num n, Num x) {
  Num next = n + 1.0;
  constexpr int kExact = 18;  // the last one that a double holds
  Num product = number(*n.f, 1);
  for (int k = 2; k <= kExact; ++k) product = select(n >= k, product * double(k), product);
  Num factorial = select(n <= kExact, product, exp(lgamma(next)));
  Num value = factorial * zeta(next, x);
  Bool even = floor(n * 0.5) * 2.0 == n;
  Num result = select(n == 0.0, digamma(x), select(even, -value, value));
  return select((n < 0.0) | (n != floor(n)), std::nan(""), result);
}

}  // namespace

void populateZeta(RewritePatternSet &patterns) {
  patterns.add<LowerReal<chlo::ZetaOp, zeta>, LowerReal<chlo::PolygammaOp, polygamma>>(patterns.getContext());
}

}  // namespace tpuc::simplify
