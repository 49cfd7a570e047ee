// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables of functions.
#include "test/accuracy/references.h"

#include <cmath>

namespace tpuc::accuracy {
namespace {

using Unary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
using Binary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
using ComplexUnary = int (*)(mpc_ptr, mpc_srcptr, mpc_rnd_t);

auto by(Unary f) {
  return [f](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr) { f(r, x, MPFR_RNDN); };
}
auto by(Binary f) {
  return [f](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y) { f(r, x, y, MPFR_RNDN); };
}

void logistic(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr) {
  mpfr_neg(r, x, MPFR_RNDN);
  mpfr_exp(r, r, MPFR_RNDN);
  mpfr_add_ui(r, r, 1, MPFR_RNDN);
  mpfr_ui_div(r, 1, r, MPFR_RNDN);
}

void logGamma(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr) {
  int sign;
  mpfr_lgamma(r, &sign, x, MPFR_RNDN);
}

// IEEE 754's: the sign of a zero shows.
void reciprocalRoot(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr) {
  mpfr_rec_sqrt(r, x, MPFR_RNDN);
  if (mpfr_zero_p(x)) mpfr_setsign(r, r, mpfr_signbit(x), MPFR_RNDN);
}

// MPFR's gives signed infinities at some of the poles.
void digamma(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr) {
  if (mpfr_cmp_ui(x, 0) <= 0 && mpfr_integer_p(x)) return mpfr_set_nan(r);
  // -1/x and what does not count; MPFR takes long there.
  if (mpfr_cmpabs_ui(x, 1) < 0 && mpfr_get_exp(x) < -Real::kPrecision) {
    mpfr_ui_div(r, 1, x, MPFR_RNDN);
    mpfr_neg(r, r, MPFR_RNDN);
    return;
  }
  mpfr_digamma(r, x, MPFR_RNDN);
}

void roundAway(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr) { mpfr_round(r, x); }
void floorOf(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr) { mpfr_floor(r, x); }
void ceilOf(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr) { mpfr_ceil(r, x); }
void roundEven(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr) { mpfr_rint(r, x, MPFR_RNDN); }

std::vector<double> multiples(double step, int count) {
  std::vector<double> result;
  for (int i = -count; i <= count; ++i) result.push_back(i * step);
  return result;
}

// Halves and the zeros of lgamma and digamma, where what is left of their terms is least.
std::vector<double> halvesAnd(std::vector<double> zeros) {
  std::vector<double> result = multiples(0.5, 40);
  result.insert(result.end(), zeros.begin(), zeros.end());
  return result;
}
bool outside(double x, double y, bool) { return !(x >= 0 && y > 0) || std::isinf(x) || std::isinf(y); }

void complexOne(mpc_ptr r, mpc_srcptr x, int sign) {
  mpc_set_ui(r, 1, MPC_RNDNN);
  sign > 0 ? mpc_add(r, r, x, MPC_RNDNN) : mpc_sub(r, r, x, MPC_RNDNN);
}

auto by(ComplexUnary f) {
  return [f](mpc_ptr r, mpc_srcptr x, mpc_srcptr) { f(r, x, MPC_RNDNN); };
}

void complexLog1p(mpc_ptr r, mpc_srcptr x, mpc_srcptr) {
  complexOne(r, x, 1);
  mpc_log(r, r, MPC_RNDNN);
}
void complexExpm1(mpc_ptr r, mpc_srcptr x, mpc_srcptr) {
  mpc_exp(r, x, MPC_RNDNN);
  mpfr_sub_ui(mpc_realref(r), mpc_realref(r), 1, MPFR_RNDN);
}
void complexRsqrt(mpc_ptr r, mpc_srcptr x, mpc_srcptr) {
  mpc_sqrt(r, x, MPC_RNDNN);
  mpc_ui_div(r, 1, r, MPC_RNDNN);
}
void complexLogistic(mpc_ptr r, mpc_srcptr x, mpc_srcptr) {
  mpc_neg(r, x, MPC_RNDNN);
  mpc_exp(r, r, MPC_RNDNN);
  mpfr_add_ui(mpc_realref(r), mpc_realref(r), 1, MPFR_RNDN);
  mpc_ui_div(r, 1, r, MPC_RNDNN);
}
void complexCbrt(mpc_ptr r, mpc_srcptr x, mpc_srcptr) {
  mpc_log(r, x, MPC_RNDNN);
  mpc_div_ui(r, r, 3, MPC_RNDNN);
  mpc_exp(r, r, MPC_RNDNN);
}

}  // namespace

Exact exactOf(mpfr_srcptr value) {
  double high = mpfr_get_d(value, MPFR_RNDN);
  if (!std::isfinite(high) || high == 0) return {high, 0};
  Real rest(0, mpfr_get_prec(value) + 64);
  mpfr_sub_d(rest, value, high, MPFR_RNDN);
  return {high, mpfr_get_d(rest, MPFR_RNDN)};
}

const std::vector<RealFunction> &realFunctions() {
  const double pi = 3.141592653589793;
  static const std::vector<RealFunction> table = {
      {"divide", "stablehlo.divide", 2, by(mpfr_div)},
      {"remainder", "stablehlo.remainder", 2, by(mpfr_fmod)},
      {"power", "stablehlo.power", 2, by(mpfr_pow)},
      {"atan2", "stablehlo.atan2", 2, by(mpfr_atan2)},
      {"sqrt", "stablehlo.sqrt", 1, by(mpfr_sqrt)},
      {"rsqrt", "stablehlo.rsqrt", 1, reciprocalRoot},
      {"cbrt", "stablehlo.cbrt", 1, by(mpfr_cbrt)},
      {"exp", "stablehlo.exponential", 1, by(mpfr_exp), {}, -110, 90},
      {"expm1", "stablehlo.exponential_minus_one", 1, by(mpfr_expm1), {-0.5, 0.5}, -20, 90},
      {"log", "stablehlo.log", 1, by(mpfr_log), {1}, 0.5, 2},
      {"log1p", "stablehlo.log_plus_one", 1, by(mpfr_log1p), {-1}, -1, 2},
      {"sine", "stablehlo.sine", 1, by(mpfr_sin), multiples(pi / 2, 40), -300, 300},
      {"cosine", "stablehlo.cosine", 1, by(mpfr_cos), multiples(pi / 2, 40), -300, 300},
      {"tan", "stablehlo.tan", 1, by(mpfr_tan), multiples(pi / 4, 80), -300, 300},
      {"tanh", "stablehlo.tanh", 1, by(mpfr_tanh), {-0.625, 0.625}, -20, 20},
      {"logistic", "stablehlo.logistic", 1, logistic, {}, -110, 40},
      {"floor", "stablehlo.floor", 1, floorOf, multiples(1, 20), -40, 40},
      {"ceil", "stablehlo.ceil", 1, ceilOf, multiples(1, 20), -40, 40},
      {"round_nearest_even", "stablehlo.round_nearest_even", 1, roundEven, multiples(0.5, 40)},
      {"round_nearest_afz", "stablehlo.round_nearest_afz", 1, roundAway, multiples(0.5, 40)},
      {"asin", "chlo.asin", 1, by(mpfr_asin), {-1, -0.5, 0.5, 1}, -1, 1},
      {"acos", "chlo.acos", 1, by(mpfr_acos), {-1, -0.5, 0.5, 1}, -1, 1},
      {"atan", "chlo.atan", 1, by(mpfr_atan), {-1, 1}, -5, 5},
      {"sinh", "chlo.sinh", 1, by(mpfr_sinh), {-1, 1}, -90, 90},
      {"cosh", "chlo.cosh", 1, by(mpfr_cosh), {-1, 1}, -90, 90},
      {"asinh", "chlo.asinh", 1, by(mpfr_asinh), {-1, 1}, -5, 5},
      {"acosh", "chlo.acosh", 1, by(mpfr_acosh), {1, 2}, 1, 5},
      {"atanh", "chlo.atanh", 1, by(mpfr_atanh), {-1, -0.5, 0.5, 1}, -1, 1},
      {"erf", "chlo.erf", 1, by(mpfr_erf), {-1, 1}, -6, 6},
      {"erfc", "chlo.erfc", 1, by(mpfr_erfc), {-1, 1}, -6, 28},
      {"erf_inv", "chlo.erf_inv", 1, [](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr) { erfInverse(r, x); }, {-1, 1}, -1, 1},
      {"lgamma", "chlo.lgamma", 1, logGamma,
       halvesAnd({-2.4570247382208006, -2.7476826467274127, -3.14358088834998, -3.955294284858598, -4.039361839740537,
                  -4.991544640560048, -5.0082181683225935}),
       -30, 30},
      {"digamma",
       "chlo.digamma",
       1,
       digamma,
       halvesAnd({1.4616321449683622, -0.5040830082644554, -1.5734984731623904, -2.6107208684441447, -3.635293366436901,
                  -10.708740838254144, -15.730988906332882, -100.80985503764677, -1000000.9288278671}),
       -30,
       30,
       {},
       0x1p-8},
      {"bessel_i1e",
       "chlo.bessel_i1e",
       1,
       [](mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr) { besselI1e(r, x); },
       {2, 4, 8},
       -20,
       20},
      {"zeta",
       "chlo.zeta",
       2,
       hurwitzZeta,
       {},
       1,
       40,
       [](double x, double q, bool w) { return outside(x, q, w) || x > 40 || q > 1000 || x * std::log2(q) > 120; }},
      {"polygamma",
       "chlo.polygamma",
       2,
       polygamma,
       {},
       0,
       11,
       [](double n, double x, bool w) { return outside(n, x, w) || n > 10 || x > 1000; }},
  };
  return table;
}

const std::vector<ComplexFunction> &complexFunctions() {
  static const std::vector<ComplexFunction> table = {
      {"multiply", "stablehlo.multiply", 2, [](mpc_ptr r, mpc_srcptr x, mpc_srcptr y) { mpc_mul(r, x, y, MPC_RNDNN); }},
      {"divide", "stablehlo.divide", 2, [](mpc_ptr r, mpc_srcptr x, mpc_srcptr y) { mpc_div(r, x, y, MPC_RNDNN); }},
      {"power", "stablehlo.power", 2, [](mpc_ptr r, mpc_srcptr x, mpc_srcptr y) { mpc_pow(r, x, y, MPC_RNDNN); }},
      {"sqrt", "stablehlo.sqrt", 1, by(mpc_sqrt)},
      {"rsqrt", "stablehlo.rsqrt", 1, complexRsqrt},
      {"cbrt", "stablehlo.cbrt", 1, complexCbrt},
      {"exp", "stablehlo.exponential", 1, by(mpc_exp)},
      {"expm1", "stablehlo.exponential_minus_one", 1, complexExpm1},
      {"log", "stablehlo.log", 1, by(mpc_log)},
      {"log1p", "stablehlo.log_plus_one", 1, complexLog1p},
      {"sine", "stablehlo.sine", 1, by(mpc_sin)},
      {"cosine", "stablehlo.cosine", 1, by(mpc_cos)},
      {"tan", "stablehlo.tan", 1, by(mpc_tan)},
      {"tanh", "stablehlo.tanh", 1, by(mpc_tanh)},
      {"logistic", "stablehlo.logistic", 1, complexLogistic},
      {"asin", "chlo.asin", 1, by(mpc_asin)},
      {"acos", "chlo.acos", 1, by(mpc_acos)},
      {"atan", "chlo.atan", 1, by(mpc_atan)},
      {"sinh", "chlo.sinh", 1, by(mpc_sinh)},
      {"cosh", "chlo.cosh", 1, by(mpc_cosh)},
      {"asinh", "chlo.asinh", 1, by(mpc_asinh)},
      {"acosh", "chlo.acosh", 1, by(mpc_acosh)},
      {"atanh", "chlo.atanh", 1, by(mpc_atanh)},
  };
  return table;
}

}  // namespace tpuc::accuracy
