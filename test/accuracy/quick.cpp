// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By the C library's functions, those on vectors where it has them (glibc's libmvec, from 2.35 on: within four last
// places of a double).
#include "test/accuracy/quick.h"

#include <cmath>
#include <limits>

#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && __GLIBC_PREREQ(2, 35)
extern "C" {
#define TPUC_SIMD(NAME) __attribute__((simd("notinbranch"), const, nothrow, leaf)) double NAME(double);
TPUC_SIMD(cbrt)
// clang-format off
TPUC_SIMD(exp) TPUC_SIMD(expm1) TPUC_SIMD(log) TPUC_SIMD(log1p) TPUC_SIMD(sin) TPUC_SIMD(cos)
TPUC_SIMD(tan) TPUC_SIMD(tanh) TPUC_SIMD(asin) TPUC_SIMD(acos) TPUC_SIMD(atan) TPUC_SIMD(sinh)
TPUC_SIMD(cosh) TPUC_SIMD(asinh) TPUC_SIMD(acosh) TPUC_SIMD(atanh) TPUC_SIMD(erf) TPUC_SIMD(erfc)
// clang-format on
#undef TPUC_SIMD
}
#endif

namespace tpuc::accuracy {
namespace {

constexpr double kPi = 3.141592653589793, kNan = std::numeric_limits<double>::quiet_NaN(),
                 kInfinity = std::numeric_limits<double>::infinity();

#define TPUC_QUICK(NAME, VALUE)                                                               \
  TPUC_VECTORS void NAME##All(const float *values, const float *, double *to, size_t count) { \
    for (size_t i = 0; i < count; ++i) {                                                      \
      const double x = values[i];                                                             \
      to[i] = VALUE;                                                                          \
    }                                                                                         \
  }
TPUC_QUICK(sqrt, __builtin_sqrt(x))
TPUC_QUICK(rsqrt, 1 / __builtin_sqrt(x))
TPUC_QUICK(cbrt, ::cbrt(x))
TPUC_QUICK(exp, ::exp(x))
TPUC_QUICK(expm1, ::expm1(x))
TPUC_QUICK(log, ::log(x))
TPUC_QUICK(log1p, ::log1p(x))
TPUC_QUICK(sine, ::sin(x))
TPUC_QUICK(cosine, ::cos(x))
TPUC_QUICK(tan, ::tan(x))
TPUC_QUICK(tanh, ::tanh(x))
TPUC_QUICK(logistic, 1 / (1 + ::exp(-x)))
TPUC_QUICK(floor, __builtin_floor(x))
TPUC_QUICK(ceil, __builtin_ceil(x))
TPUC_QUICK(roundEven, __builtin_nearbyint(x))
TPUC_QUICK(roundAway, __builtin_round(x))
TPUC_QUICK(asin, ::asin(x))
TPUC_QUICK(acos, ::acos(x))
TPUC_QUICK(atan, ::atan(x))
TPUC_QUICK(sinh, ::sinh(x))
TPUC_QUICK(cosh, ::cosh(x))
TPUC_QUICK(asinh, ::asinh(x))
TPUC_QUICK(acosh, ::acosh(x))
TPUC_QUICK(atanh, ::atanh(x))
TPUC_QUICK(erf, ::erf(x))
TPUC_QUICK(erfc, ::erfc(x))

void lgammaAll(const float *x, const float *, double *to, size_t count) {
  int sign;
  for (size_t i = 0; i < count; ++i) to[i] = ::lgamma_r(x[i], &sign);
}

// One step of Newton's method squares the error of what the machine found.
TPUC_VECTORS void erfInverseAll(const float *values, const float *got, double *to, size_t count) {
  constexpr double kSlope = 1.1283791670955126;  // 2 / sqrt(pi)
  for (size_t i = 0; i < count; ++i) {
    const double x = values[i], a = __builtin_fabs(x), y = __builtin_fabs(static_cast<double>(got[i]));
    const double above = a < 0.5 ? ::erf(y) - a : (1 - a) - ::erfc(y);
    double root = y - above * ::exp(y * y) / kSlope;
    root = a < 1e-6 ? a / kSlope : root;
    root = a < 1 ? root : a == 1 ? kInfinity : kNan;
    to[i] = __builtin_copysign(root, x);
  }
}

// By steps of one to 10 and more, Stirling's series, and the reflection.
TPUC_VECTORS void digammaAll(const float *values, const float *, double *to, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const double x = values[i];
    double a = x < 0 ? 1 - x : x, sum = 0;
    for (int k = 0; k < 10; ++k) {
      const bool low = a < 10;
      sum -= low ? 1 / a : 0;
      a += low ? 1 : 0;
    }
    const double r = 1 / a, s = r * r;
    const double series =
        s * (1.0 / 12 -
             s * (1.0 / 120 - s * (1.0 / 252 - s * (1.0 / 240 - s * (1.0 / 132 - s * (691.0 / 32760 - s / 12))))));
    double value = (::log(a) - r / 2 - series) + sum;
    const double fraction = x - __builtin_floor(x + 0.5);
    value = x < 0 ? value - kPi / ::tan(kPi * fraction) : value;
    to[i] = x <= 0 && fraction == 0 ? kNan : value;
  }
}

// exp(-a) I1(a): the power series up to 24, Hankel's beyond.
TPUC_VECTORS void besselAll(const float *values, const float *, double *to, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const double x = values[i], a = __builtin_fabs(x), h = a < 24 ? a / 2 : 12, z = h * h,
                 r = a < 24 ? 1.0 / 24 : 1 / a;
    double near = 0, far = 0;
    for (int k = 60; k > 0; --k) near = (near + 1) * (z / (k * (k + 1.0)));
    for (int k = 24; k > 0; --k) far = (far + 1) * (((2 * k - 1) * (2 * k - 1) - 4) * r / (8 * k));
    const double value = a < 24 ? (near + 1) * h * ::exp(-a) : (far + 1) * __builtin_sqrt(r / (2 * kPi));
    to[i] = __builtin_copysign(value, x);
  }
}

struct Named {
  const char *name;
  Quick quick;
};
constexpr Named kTable[] = {
    {"sqrt", sqrtAll},
    {"rsqrt", rsqrtAll},
    {"cbrt", cbrtAll},
    {"exp", expAll},
    {"expm1", expm1All},
    {"log", logAll},
    {"log1p", log1pAll},
    {"sine", sineAll},
    {"cosine", cosineAll},
    {"tan", tanAll},
    {"tanh", tanhAll},
    {"logistic", logisticAll},
    {"floor", floorAll},
    {"ceil", ceilAll},
    {"round_nearest_even", roundEvenAll},
    {"round_nearest_afz", roundAwayAll},
    {"asin", asinAll},
    {"acos", acosAll},
    {"atan", atanAll},
    {"sinh", sinhAll},
    {"cosh", coshAll},
    {"asinh", asinhAll},
    {"acosh", acoshAll},
    {"atanh", atanhAll},
    {"erf", erfAll},
    {"erfc", erfcAll},
    {"erf_inv", erfInverseAll},
    {"lgamma", lgammaAll},
    {"digamma", digammaAll},
    {"bessel_i1e", besselAll},
};

}  // namespace

Quick quickly(const std::string &name) {
  for (const Named &n : kTable)
    if (name == n.name) return n.quick;
  return nullptr;
}

}  // namespace tpuc::accuracy
