// Elementary functions of f64 on words: polynomials in 64-bit fixed point, the rest in soft_double's arithmetic.
#pragma once
#include "passes/expand/soft_double.h"

namespace tpuc::expand {

Pair doubleExp(Doubles &d, Pair x);
Pair doubleExpm1(Doubles &d, Pair x);
Pair doubleLog(Doubles &d, Pair x);
Pair doubleLog1p(Doubles &d, Pair x);
Pair doubleTanh(Doubles &d, Pair x);
Pair doubleLogistic(Doubles &d, Pair x);
Pair doubleCbrt(Doubles &d, Pair x);
// For |x| below 2^31; the argument of larger ones is reduced with what 94 bits of pi leave.
Pair doubleSine(Doubles &d, Pair x, bool cosine);
Pair doubleAtan2(Doubles &d, Pair y, Pair x);

}  // namespace tpuc::expand
