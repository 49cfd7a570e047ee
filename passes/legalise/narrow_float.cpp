// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An element of a format is sign, exponent and mantissa as in f32, only shorter and with another bias. To f32: the bits
// below the sign moved up to f32's place are the value but for a power of two, denormals included. From f32: normal
// values are rounded in their bits; below the smallest normal, adding the power of two whose last place is the format's
// smallest step rounds to that step.
#include "passes/legalise/narrow_float.h"

#include <cmath>

#include "llvm/ADT/bit.h"

using namespace mlir;
using llvm::APFloat;

namespace tpuc::legalise {
namespace {

struct Format {
  explicit Format(FloatType type) : semantics(type.getFloatSemantics()), width(type.getWidth()) {
    isSigned = APFloat::semanticsHasSignedRepr(semantics);
    mantissa = static_cast<int>(APFloat::semanticsPrecision(semantics)) - 1;
    least = APFloat::semanticsMinExponent(semantics);
    largest = bits(APFloat::getLargest(semantics));
    hasInf = APFloat::semanticsHasInf(semantics);
    hasNaN = APFloat::semanticsHasNaN(semantics);
    if (hasNaN) nan = bits(APFloat::getNaN(semantics));
    // Formats without -0 have their only NaN in its place.
    nanIsNegativeZero = hasNaN && isSigned && nan == uint32_t{1} << (width - 1);
  }
  static uint32_t bits(const APFloat &value) { return static_cast<uint32_t>(value.bitcastToAPInt().getZExtValue()); }

  const llvm::fltSemantics &semantics;
  unsigned width;
  bool isSigned, hasInf, hasNaN, nanIsNegativeZero;
  int mantissa, least;  // stored bits; the exponent of the smallest normal value
  uint32_t largest, nan = 0;
};

float power(int exponent) { return std::ldexp(1.0f, exponent); }

}  // namespace

bool isNarrowFloat(Type element) { return mlir::isa<FloatType>(element) && element.getIntOrFloatBitWidth() <= 8; }

Value narrowToFloat(Lanes &l, Value held, FloatType type) {
  Format f(type);
  Value x = l.convert(held, l.u32()), nan = l.u(0x7fc00000);
  Type f32 = l.b.getF32Type();
  if (!f.isSigned) {
    // f8E8M0FNU is f32's exponent; its 0 is f32's denormal 2^-127.
    Value value = l.select(l.isZero(x), l.u(0x00400000), l.shl(x, 23));
    return l.bits(l.select(l.eq(x, l.u(f.nan)), nan, value), f32);
  }
  uint32_t signBit = 1u << (f.width - 1);
  Value sign = l.shl(l.band(x, l.u(signBit)), 32 - f.width), magnitude = l.band(x, l.u(signBit - 1));
  Value scaled = l.mul(l.bits(l.shl(magnitude, 23 - f.mantissa), f32), l.f(power(126 + f.least)));
  Value value = l.bits(scaled, l.u32());
  if (f.hasInf) value = l.select(l.lt(l.u(f.largest), magnitude), l.u(0x7f800000), value);
  if (f.nanIsNegativeZero)
    value = l.select(l.eq(x, l.u(f.nan)), nan, value);
  else if (f.hasNaN)
    value = l.select(l.lt(l.u(f.hasInf ? f.largest + 1 : f.largest), magnitude), nan, value);
  return l.bits(l.bor(value, sign), f32);
}

// Nearest power of two, the larger one of two as near; no sign and no zero.
static Value floatToExponent(Lanes &l, Value x, const Format &f) {
  Value bits = l.bits(x, l.u32());
  // From half of the mantissa on, up. f32's denormals are near 2^-127, which is 0, or 2^-126.
  Value code = l.shr(l.add(bits, l.u(0x00400000)), 23);
  code = l.select(l.lt(bits, l.u(0x00800000)), l.toU(l.le(l.u(0x00600000), bits)), code);
  Value none = l.bor(l.lt(l.u(f.largest), code), l.lt(l.u(0x7f7fffff), bits));
  return l.select(l.bor(none, l.isZero(bits)), l.u(f.nan), code);
}

Value floatToNarrow(Lanes &l, Value x, FloatType type) {
  Format f(type);
  if (!f.isSigned) return floatToExponent(l, x, f);
  Value bits = l.bits(x, l.u32()), magnitude = l.band(bits, l.u(0x7fffffff));
  Type f32 = l.b.getF32Type();
  int drop = 23 - f.mantissa;
  Value last = l.band(l.shr(magnitude, drop), l.u(1));
  Value rounded = l.shr(l.add(l.add(magnitude, l.u((1u << (drop - 1)) - 1)), last), drop);
  Value normal = l.sub(rounded, l.u(static_cast<uint32_t>(126 + f.least) << f.mantissa));
  float step = power(f.least - f.mantissa + 23);
  Value small = l.sub(l.bits(l.add(l.bits(magnitude, f32), l.f(step)), l.u32()), l.u(llvm::bit_cast<uint32_t>(step)));
  Value code = l.select(l.lt(magnitude, l.u(llvm::bit_cast<uint32_t>(power(f.least)))), small, normal);
  uint32_t signBit = 1u << (f.width - 1);
  uint32_t overflow = f.hasInf ? f.largest + 1 : f.hasNaN ? f.nan & (signBit | (signBit - 1)) : f.largest;
  Value isNaN = l.lt(l.u(0x7f800000), magnitude), tooLarge = l.lt(l.u(f.largest), code);
  Value sign = l.band(l.shr(bits, 32 - f.width), l.u(signBit));
  if (f.nanIsNegativeZero) {
    code = l.select(l.isZero(code), code, l.bor(code, sign));
    return l.select(l.bor(isNaN, tooLarge), l.u(f.nan), code);
  }
  code = l.select(tooLarge, l.u(overflow), code);
  if (f.hasNaN) return l.bor(l.select(isNaN, l.u(f.nan), code), sign);
  // A type without a NaN has -0 for it, as in XLA.
  return l.select(isNaN, l.u(signBit), l.bor(code, sign));
}

}  // namespace tpuc::legalise
