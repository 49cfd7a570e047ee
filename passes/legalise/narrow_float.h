// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats of 8 bits and less on 32-bit lanes: to f32, exactly, and from f32, rounded to nearest even.
#pragma once
#include "passes/builders/pair.h"

namespace tpuc::legalise {
using namespace builders;

// f8, f6 and f4 in all variants.
bool isNarrowFloat(mlir::Type element);
// `bits`: an array of unsigned integers of the type's width, or wider with zeros above.
mlir::Value narrowToFloat(Lanes &l, mlir::Value bits, mlir::FloatType type);
// Bits as ui32. Overflow and NaN become what the type has for them.
mlir::Value floatToNarrow(Lanes &l, mlir::Value x, mlir::FloatType type);

}  // namespace tpuc::legalise
