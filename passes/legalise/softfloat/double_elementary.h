// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementary functions of f64 on words: polynomials in 64-bit fixed point, the rest in soft_double's arithmetic.
#pragma once
#include "passes/legalise/softfloat/soft_double.h"

namespace tpuc::legalise {

Pair doubleExp(Doubles &d, Pair x);
Pair doubleExpm1(Doubles &d, Pair x);
Pair doubleLog(Doubles &d, Pair x);
Pair doubleLog1p(Doubles &d, Pair x);
Pair doublePower(Doubles &d, Pair x, Pair y);
// Exact, with the sign of x.
Pair doubleRemainder(Doubles &d, Pair x, Pair y);
Pair doubleTanh(Doubles &d, Pair x);
Pair doubleLogistic(Doubles &d, Pair x);
Pair doubleCbrt(Doubles &d, Pair x);
// double_gamma.cpp
Pair doubleLgamma(Doubles &d, Pair x);
Pair doubleDigamma(Doubles &d, Pair x);
// double_sine.cpp
Pair doubleSine(Doubles &d, Pair x);
Pair doubleCosine(Doubles &d, Pair x);
Pair doubleTan(Doubles &d, Pair x);
Pair doubleAtan2(Doubles &d, Pair y, Pair x);

// ---- shared by the functions' files ---------------------------------------------------------------------------------

// sum of coefficients[i] z^i for z in [0, 1) of scale 2^64; coefficients and result of scale 2^62, alternating in sign
// if asked.
Pair polynomial(Doubles &d, Pair z, llvm::ArrayRef<long double> coefficients, bool alternating = false);
// A fixed-point number of scale 2^62 as a double; `sign` is 0 or 1.
Pair fromFixed(Doubles &d, Pair p, mlir::Value sign);
// |x| 2^`scale` modulo 2^64, for |x| < 2^11.
Pair toFixed(Doubles &d, Pair x, uint32_t scale);
// x = 2^e (1 + f) for finite x > 0, 1 + f in [sqrt(1/2), sqrt(2)].
void splitPower(Doubles &d, Pair x, mlir::Value &e, Pair &f);

}  // namespace tpuc::legalise
