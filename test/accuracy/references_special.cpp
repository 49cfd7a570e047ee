// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that MPFR does not have.
#include <cmath>

#include "test/accuracy/references.h"

namespace tpuc::accuracy {

// Newton's method on erf, or on erfc where erf is near one.
void erfInverse(mpfr_ptr result, mpfr_srcptr x) {
  if (mpfr_nan_p(x) || mpfr_cmpabs_ui(x, 1) > 0) return mpfr_set_nan(result);
  if (mpfr_zero_p(x)) return void(mpfr_set(result, x, MPFR_RNDN));
  if (mpfr_cmpabs_ui(x, 1) == 0) return mpfr_set_inf(result, mpfr_sgn(x));
  constexpr mpfr_prec_t kPrecision = 256;
  Real a(0, kPrecision), y(0, kPrecision), f(0, kPrecision), slope(0, kPrecision), twoOverRootPi(0, kPrecision);
  mpfr_const_pi(twoOverRootPi, MPFR_RNDN);
  mpfr_rec_sqrt(twoOverRootPi, twoOverRootPi, MPFR_RNDN);
  mpfr_mul_2ui(twoOverRootPi, twoOverRootPi, 1, MPFR_RNDN);
  mpfr_abs(a, x, MPFR_RNDN);
  if (mpfr_get_exp(a) < -100) {  // the next term is a^3
    mpfr_div(y, a, twoOverRootPi, MPFR_RNDN);
    return void(mpfr_copysign(result, y, x, MPFR_RNDN));
  }
  // Winitzki's approximation to begin with.
  Real rest(0, kPrecision);
  mpfr_ui_sub(rest, 1, a, MPFR_RNDN);
  mpfr_log(f, rest, MPFR_RNDN);
  double logarithm = mpfr_get_d(f, MPFR_RNDN) + std::log1p(mpfr_get_d(a, MPFR_RNDN));
  double t = 2 / (3.141592653589793 * 0.147) + logarithm / 2;
  double start = std::sqrt(std::max(0.0, std::sqrt(t * t - logarithm / 0.147) - t));
  if (mpfr_cmp_d(a, 1e-4) < 0) start = mpfr_get_d(a, MPFR_RNDN) * 0.8862269254527579;
  mpfr_set_d(y, start, MPFR_RNDN);
  for (int i = 0; i < 12; ++i) {
    mpfr_erfc(f, y, MPFR_RNDN);  // (erfc y - (1 - a)) over its slope
    mpfr_sub(f, f, rest, MPFR_RNDN);
    mpfr_sqr(slope, y, MPFR_RNDN);
    mpfr_exp(slope, slope, MPFR_RNDN);
    mpfr_div(slope, slope, twoOverRootPi, MPFR_RNDN);
    mpfr_mul(f, f, slope, MPFR_RNDN);
    mpfr_add(y, y, f, MPFR_RNDN);
    if (mpfr_zero_p(f) || mpfr_get_exp(f) < mpfr_get_exp(y) - 120) break;
  }
  mpfr_copysign(result, y, x, MPFR_RNDN);
}

// Twenty-four terms, then Euler and Maclaurin's series with the Bernoulli numbers from the zeta function of even
// numbers.
void hurwitzZeta(mpfr_ptr result, mpfr_srcptr s, mpfr_srcptr q) {
  if (mpfr_nan_p(s) || mpfr_nan_p(q) || mpfr_cmp_ui(s, 1) < 0) return mpfr_set_nan(result);
  if (mpfr_cmp_ui(s, 1) == 0 || mpfr_zero_p(q)) return mpfr_set_inf(result, 1);
  if (mpfr_inf_p(s) || mpfr_inf_p(q)) return mpfr_set_nan(result);
  constexpr mpfr_prec_t kPrecision = 224;
  constexpr int kDirect = 24, kTerms = 30;
  Real sum(0, kPrecision), term(0, kPrecision), a(0, kPrecision), minus(0, kPrecision), factor(0, kPrecision),
      b(0, kPrecision);
  mpfr_neg(minus, s, MPFR_RNDN);
  for (int k = 0; k < kDirect; ++k) {
    mpfr_add_ui(a, q, k, MPFR_RNDN);
    mpfr_pow(term, a, minus, MPFR_RNDN);
    mpfr_add(sum, sum, term, MPFR_RNDN);
  }
  mpfr_add_ui(a, q, kDirect, MPFR_RNDN);
  mpfr_pow(term, a, minus, MPFR_RNDN);  // a^-s
  mpfr_div_2ui(factor, term, 1, MPFR_RNDN);
  mpfr_add(sum, sum, factor, MPFR_RNDN);
  mpfr_sub_ui(factor, s, 1, MPFR_RNDN);
  mpfr_div(factor, a, factor, MPFR_RNDN);
  mpfr_mul(factor, factor, term, MPFR_RNDN);
  mpfr_add(sum, sum, factor, MPFR_RNDN);
  // a^-s sum B(2k)/(2k)! s (s + 1) ... (s + 2k - 2) / a^(2k - 1), and B(2k)/(2k)! = (-1)^(k+1) 2 zeta(2k) / (2 pi)^(2k)
  Real rising(0, kPrecision), twoPi(0, kPrecision);
  mpfr_const_pi(twoPi, MPFR_RNDN);
  mpfr_mul_2ui(twoPi, twoPi, 1, MPFR_RNDN);
  mpfr_mul(rising, term, s, MPFR_RNDN);
  mpfr_div(rising, rising, a, MPFR_RNDN);
  for (int k = 1; k <= kTerms; ++k) {
    mpfr_zeta_ui(b, 2 * k, MPFR_RNDN);
    mpfr_mul_2ui(b, b, 1, MPFR_RNDN);
    mpfr_pow_ui(factor, twoPi, 2 * k, MPFR_RNDN);
    mpfr_div(b, b, factor, MPFR_RNDN);
    mpfr_mul(b, b, rising, MPFR_RNDN);
    k % 2 ? mpfr_add(sum, sum, b, MPFR_RNDN) : mpfr_sub(sum, sum, b, MPFR_RNDN);
    for (int i = 2 * k - 1; i <= 2 * k; ++i) {
      mpfr_add_ui(factor, s, i, MPFR_RNDN);
      mpfr_mul(rising, rising, factor, MPFR_RNDN);
      mpfr_div(rising, rising, a, MPFR_RNDN);
    }
  }
  mpfr_set(result, sum, MPFR_RNDN);
}

// (-1)^(n + 1) n! zeta(n + 1, x)
void polygamma(mpfr_ptr result, mpfr_srcptr n, mpfr_srcptr x) {
  if (mpfr_nan_p(n) || mpfr_nan_p(x) || !mpfr_integer_p(n) || mpfr_sgn(n) < 0) return mpfr_set_nan(result);
  if (mpfr_zero_p(n)) {
    if (mpfr_zero_p(x)) return mpfr_set_nan(result);
    return void(mpfr_digamma(result, x, MPFR_RNDN));
  }
  Real next(0, 224), factorial(0, 224), value(0, 224);
  mpfr_add_ui(next, n, 1, MPFR_RNDN);
  hurwitzZeta(value, next, x);
  mpfr_gamma(factorial, next, MPFR_RNDN);
  mpfr_mul(value, value, factorial, MPFR_RNDN);
  Real half(0, 224);
  mpfr_div_2ui(half, n, 1, MPFR_RNDN);
  if (mpfr_integer_p(half)) mpfr_neg(value, value, MPFR_RNDN);
  mpfr_set(result, value, MPFR_RNDN);
}

// exp(-|x|) I1(x): the power series up to 200, Hankel's beyond.
void besselI1e(mpfr_ptr result, mpfr_srcptr x) {
  if (mpfr_nan_p(x)) return mpfr_set_nan(result);
  if (mpfr_inf_p(x) || mpfr_zero_p(x)) return void(mpfr_set_zero(result, mpfr_signbit(x) ? -1 : 1));
  constexpr mpfr_prec_t kPrecision = 256;
  Real a(0, kPrecision), sum(1, kPrecision), term(1, kPrecision), square(0, kPrecision), scale(0, kPrecision);
  mpfr_abs(a, x, MPFR_RNDN);
  const bool near = mpfr_cmp_ui(a, 200) < 0;
  if (near) {  // a/2 sum (a^2/4)^k / (k! (k + 1)!)
    mpfr_div_2ui(square, a, 1, MPFR_RNDN);
    mpfr_sqr(square, square, MPFR_RNDN);
    for (unsigned k = 1; k < 1000 && mpfr_get_exp(term) > mpfr_get_exp(sum) - 200; ++k) {
      mpfr_mul(term, term, square, MPFR_RNDN);
      mpfr_div_ui(term, term, k * (k + 1), MPFR_RNDN);
      mpfr_add(sum, sum, term, MPFR_RNDN);
    }
    mpfr_neg(scale, a, MPFR_RNDN);
    mpfr_exp(scale, scale, MPFR_RNDN);
    mpfr_mul(scale, scale, a, MPFR_RNDN);
    mpfr_div_2ui(scale, scale, 1, MPFR_RNDN);
  } else {  // sum (-1)^k (4 - 1^2)(4 - 3^2) ... / (k! (8 a)^k) over sqrt(2 pi a)
    for (int k = 1; k < 60 && !mpfr_zero_p(term); ++k) {
      mpfr_mul_si(term, term, (2 * k - 1) * (2 * k - 1) - 4, MPFR_RNDN);
      mpfr_div_ui(term, term, 8 * k, MPFR_RNDN);
      mpfr_div(term, term, a, MPFR_RNDN);
      mpfr_add(sum, sum, term, MPFR_RNDN);
    }
    mpfr_const_pi(scale, MPFR_RNDN);
    mpfr_mul(scale, scale, a, MPFR_RNDN);
    mpfr_mul_2ui(scale, scale, 1, MPFR_RNDN);
    mpfr_rec_sqrt(scale, scale, MPFR_RNDN);
  }
  mpfr_mul(sum, sum, scale, MPFR_RNDN);
  mpfr_copysign(result, sum, x, MPFR_RNDN);
}

}  // namespace tpuc::accuracy
