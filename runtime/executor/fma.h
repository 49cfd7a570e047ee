// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// a * b + c rounded once, for one CPU level: included inside the level's namespace.
#if defined(__FMA__)
TPUC_INLINE float fma1(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
#else
// In double precision, where the product is exact: the sum is rounded to odd, so that rounding it once more to f32 is
// right (Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums", 2008).
TPUC_INLINE double sumToOdd(float a, float b, float c) {
  double product = static_cast<double>(a) * b, sum = product + c;
  double part = sum - product, error = (product - (sum - part)) + (c - part);
  int64_t bits = bitsAs<int64_t>(sum);
  int64_t step = (error > 0) == (sum > 0) ? 1 : -1;
  bool inexact = error == error && error != 0;  // it is a NaN when the sum is not finite
  return bitsAs<double>(inexact && (bits & 1) == 0 ? bits + step : bits);
}
TPUC_INLINE float fma1(float a, float b, float c) { return static_cast<float>(sumToOdd(a, b, c)); }
#endif
