// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a function on the machine over many arguments and finds where it is worst.
#pragma once
#include <cstdint>
#include <string>

#include "test/accuracy/references.h"

namespace tpuc::accuracy {

struct Worst {
  // From the exact value in the result's last places, infinite for a wrong NaN, infinity or sign of zero; and in
  // numbers of the type from the correctly rounded one.
  double ulps = 0, steps = 0;
  std::string where;
  uint64_t arguments = 0;
  std::string error;  // why nothing ran
};

// `density` random significands a sign and power of two, and as many in the other ranges.
Worst walk(const RealFunction &function, bool isDouble, int density);
// f32 only: every argument, or every `stride`-th.
Worst walkAll(const RealFunction &function, uint64_t stride = 1);
// Parts with powers of two in [-`exponents`, `exponents`]; errors in the last places of the larger part, `steps` of
// each part.
Worst walk(const ComplexFunction &function, bool isDouble, int count, int exponents);

// Every bf16 or f16: how many results are not f32's, rounded once.
Worst walkNarrow(const RealFunction &function, bool bfloat);

}  // namespace tpuc::accuracy
