// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementary and special functions to any precision, by MPFR and MPC: what the machine's results are measured against.
#pragma once
#include <mpc.h>
#include <mpfr.h>

#include <functional>
#include <string>
#include <vector>

namespace tpuc::accuracy {

// A number of MPFR that frees itself.
class Real {
 public:
  explicit Real(double value = 0, mpfr_prec_t precision = kPrecision) {
    mpfr_init2(value_, precision);
    mpfr_set_d(value_, value, MPFR_RNDN);
  }
  Real(const Real &) = delete;
  Real &operator=(const Real &) = delete;
  ~Real() { mpfr_clear(value_); }
  operator mpfr_ptr() { return value_; }
  operator mpfr_srcptr() const { return value_; }

  static constexpr mpfr_prec_t kPrecision = 160;

 private:
  mpfr_t value_;
};

// A value to twice a double's precision: the nearest double and the rest.
struct Exact {
  double high, low;
};
Exact exactOf(mpfr_srcptr value);

struct RealFunction {
  std::string name, op;  // "exp", "stablehlo.exponential"
  int arity;
  std::function<void(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y)> exact;
  // Neighbourhoods that are walked as well, and a range from which more points are drawn.
  std::vector<double> hard = {};
  double low = -20, high = 20;
  // Arguments for which the value is open, or outside of what is claimed (docs/rationale/numerics.md).
  std::function<bool(double x, double y, bool isDouble)> skip = {};
  // Results closer to zero are those of terms that cancel, in double's precision too (quick.h).
  double nearZero = 0;
};
const std::vector<RealFunction> &realFunctions();

struct ComplexFunction {
  std::string name, op;
  int arity;
  std::function<void(mpc_ptr result, mpc_srcptr x, mpc_srcptr y)> exact;
};
const std::vector<ComplexFunction> &complexFunctions();

// functions without a counterpart in MPFR
void erfInverse(mpfr_ptr result, mpfr_srcptr x);
void hurwitzZeta(mpfr_ptr result, mpfr_srcptr s, mpfr_srcptr q);
void polygamma(mpfr_ptr result, mpfr_srcptr n, mpfr_srcptr x);
void besselI1e(mpfr_ptr result, mpfr_srcptr x);

}  // namespace tpuc::accuracy
