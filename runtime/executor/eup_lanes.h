// Lanes as numbers, for eup.h at one CPU level: included inside the level's namespace.
struct Numbers {
  using F = float;
  using I = int32_t;
  TPUC_INLINE float fma(float a, float b, float c) { return fma1(a, b, c); }
  template <typename V> TPUC_INLINE V select(bool m, V a, V b) { return m ? a : b; }
  TPUC_INLINE int32_t bits(float a) { return bitsAs<int32_t>(a); }
  TPUC_INLINE float asFloat(int32_t a) { return bitsAs<float>(a); }
  TPUC_INLINE int32_t toInt(float a) { return static_cast<int32_t>(a); }
  TPUC_INLINE float toFloat(int32_t a) { return static_cast<float>(a); }
  TPUC_INLINE float abs(float a) { return __builtin_fabsf(a); }
  TPUC_INLINE float copysign(float a, float sign) { return __builtin_copysignf(a, sign); }
};

#include "runtime/executor/eup.h"

TPUC_INLINE float exp2Lane(float a) { return exp2f1(Numbers(), a); }
TPUC_INLINE float log2Lane(float a) { return log2f1(Numbers(), a); }
TPUC_INLINE float tanhLane(float a) { return tanhf1(Numbers(), a); }
TPUC_INLINE float rcpLane(float a) { return rcpf1(Numbers(), a); }
TPUC_INLINE float rsqrtLane(float a) { return rsqrtf1(Numbers(), a); }
