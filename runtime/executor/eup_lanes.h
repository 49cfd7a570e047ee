// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes as numbers, for eup.h at one CPU level: included inside the level's namespace.
// Modulo 2^32: lanes whose result is not used compute along.
struct Integer {
  int32_t v;
};
TPUC_INLINE Integer wrapped(uint32_t v) { return {static_cast<int32_t>(v)}; }
TPUC_INLINE Integer operator+(Integer a, int b) {
  return wrapped(static_cast<uint32_t>(a.v) + static_cast<uint32_t>(b));
}
TPUC_INLINE Integer operator-(Integer a, Integer b) {
  return wrapped(static_cast<uint32_t>(a.v) - static_cast<uint32_t>(b.v));
}
TPUC_INLINE Integer operator-(Integer a, int b) { return a - Integer{b}; }
TPUC_INLINE Integer operator-(int a, Integer b) { return Integer{a} - b; }
TPUC_INLINE Integer operator<<(Integer a, int by) { return wrapped(static_cast<uint32_t>(a.v) << by); }
TPUC_INLINE Integer operator>>(Integer a, int by) { return {a.v >> by}; }

struct Numbers {
  using F = float;
  using I = Integer;
  TPUC_INLINE float fma(float a, float b, float c) { return fma1(a, b, c); }
  TPUC_INLINE float select(bool m, float a, float b) { return m ? a : b; }
  TPUC_INLINE Integer select(bool m, int a, int b) { return {m ? a : b}; }
  TPUC_INLINE Integer bits(float a) { return {bitsAs<int32_t>(a)}; }
  TPUC_INLINE float asFloat(Integer a) { return bitsAs<float>(a.v); }
  TPUC_INLINE Integer toInt(float a) { return {static_cast<int32_t>(a)}; }
  TPUC_INLINE float toFloat(Integer a) { return static_cast<float>(a.v); }
  TPUC_INLINE float abs(float a) { return __builtin_fabsf(a); }
  TPUC_INLINE float copysign(float a, float sign) { return __builtin_copysignf(a, sign); }
};

#include "runtime/executor/eup.h"

TPUC_INLINE float exp2Lane(float a) { return exp2f1(Numbers(), a); }
TPUC_INLINE float log2Lane(float a) { return log2f1(Numbers(), a); }
TPUC_INLINE float tanhLane(float a) { return tanhf1(Numbers(), a); }
TPUC_INLINE float rcpLane(float a) { return rcpf1(Numbers(), a); }
TPUC_INLINE float rsqrtLane(float a) { return rsqrtf1(Numbers(), a); }
