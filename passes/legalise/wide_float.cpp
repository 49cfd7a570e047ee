// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f64 on pairs, and conversions between wide and narrow types.
#include "passes/legalise/softfloat/double_elementary.h"
#include "passes/legalise/wide.h"

using namespace mlir;

namespace tpuc::legalise {

Planes expandConvert(Lanes &l, Type from, Type to, const Planes &v) {
  Doubles d(l);
  Type f32 = l.b.getF32Type();
  auto isWide = [](Type t) { return isWideInteger(t) || t.isF64(); };
  bool fromSigned = !from.isUnsignedInteger() && !from.isInteger(1), toSigned = !to.isUnsignedInteger();
  if (isWide(from)) {
    Pair x = pairOf(v);
    if (to.isInteger(1)) return {l.bnot(from.isF64() ? d.isZero(x) : l.isZero(x))};
    if (from.isF64()) {
      if (to.isF64()) return v;
      if (isWideInteger(to)) return planesOf(d.toInteger(x, toSigned));
      if (mlir::isa<FloatType>(to)) return {l.convert(d.toFloat(x, !to.isF32()), to)};
      // Through 64 bits, saturating at the narrower type's own range.
      unsigned width = to.getIntOrFloatBitWidth();
      Pair whole = d.toInteger(x, true);
      Pair low = l.pair(toSigned ? static_cast<uint64_t>(-(int64_t{1} << (width - 1))) : 0);
      Pair high = l.pair(toSigned ? (uint64_t{1} << (width - 1)) - 1 : (uint64_t{1} << width) - 1);
      whole = l.select(l.lt(whole, low, true), low, l.select(l.lt(high, whole, true), high, whole));
      return {l.convert(toSigned ? l.asSigned(whole.lo) : whole.lo, to)};
    }
    if (isWideInteger(to)) return v;
    if (to.isF64()) return planesOf(d.fromInteger(x, fromSigned));
    if (mlir::isa<FloatType>(to)) return {l.convert(l.toFloat(x, fromSigned), to)};
    return {l.convert(x.lo, to)};
  }
  Value x = v[0];
  if (from.isInteger()) {
    Value word =
        from.isInteger(1) || !fromSigned ? l.convert(x, l.u32()) : l.asUnsigned(l.convert(x, l.b.getI32Type()));
    Pair whole{word, fromSigned ? l.sar(word, l.u(31)) : l.u(0)};
    return planesOf(to.isF64() ? d.fromInteger(whole, true) : whole);
  }
  if (to.isF64()) return planesOf(d.fromFloat(l.convert(x, f32)));
  return planesOf(l.fromFloat(l.convert(x, f32), toSigned));
}

Planes expandWideFloat(Lanes &l, Operation *op, ArrayRef<Planes> v) {
  Doubles d(l);
  auto operand = [&](unsigned i) { return pairOf(v[i]); };
  if (auto cmp = dyn_cast<stablehlo::CompareOp>(op)) {
    auto kind = cmp.getCompareType();
    return {d.compare(cmp.getComparisonDirection(), operand(0), operand(1),
                      kind && *kind == stablehlo::ComparisonType::TOTALORDER)};
  }
  Pair x = operand(0), y = v.size() > 1 ? operand(1) : Pair{};
  StringRef name = op->getName().getStringRef();
  using R = Doubles::Rounding;
  if (name == "stablehlo.add") return planesOf(d.add(x, y));
  if (name == "stablehlo.subtract") return planesOf(d.sub(x, y));
  if (name == "stablehlo.multiply") return planesOf(d.mul(x, y));
  if (name == "stablehlo.divide") return planesOf(d.div(x, y));
  if (name == "stablehlo.maximum") return planesOf(d.max(x, y));
  if (name == "stablehlo.minimum") return planesOf(d.min(x, y));
  if (name == "stablehlo.negate") return planesOf(d.neg(x));
  if (name == "stablehlo.abs") return planesOf(d.abs(x));
  if (name == "stablehlo.sqrt") return planesOf(d.sqrt(x));
  if (name == "stablehlo.rsqrt")
    return planesOf(l.select(d.isZero(x), d.div(d.constant(1.0), x), d.div(d.constant(1.0), d.sqrt(x))));
  if (name == "stablehlo.exponential") return planesOf(doubleExp(d, x));
  if (name == "stablehlo.exponential_minus_one") return planesOf(doubleExpm1(d, x));
  if (name == "stablehlo.log") return planesOf(doubleLog(d, x));
  if (name == "stablehlo.log_plus_one") return planesOf(doubleLog1p(d, x));
  if (name == "stablehlo.remainder") return planesOf(doubleRemainder(d, x, y));
  if (name == "stablehlo.power") return planesOf(doublePower(d, x, y));
  if (name == "stablehlo.tanh") return planesOf(doubleTanh(d, x));
  if (name == "stablehlo.logistic") return planesOf(doubleLogistic(d, x));
  if (name == "stablehlo.cbrt") return planesOf(doubleCbrt(d, x));
  if (name == "stablehlo.sine") return planesOf(doubleSine(d, x));
  if (name == "stablehlo.cosine") return planesOf(doubleCosine(d, x));
  if (name == "stablehlo.tan") return planesOf(doubleTan(d, x));
  if (name == "stablehlo.atan2") return planesOf(doubleAtan2(d, x, y));
  if (name == "chlo.lgamma") return planesOf(doubleLgamma(d, x));
  if (name == "chlo.digamma") return planesOf(doubleDigamma(d, x));
  if (name == "stablehlo.real") return v[0];
  if (name == "stablehlo.imag") return planesOf(l.pair(0));
  if (name == "stablehlo.floor") return planesOf(d.round(x, R::Down));
  if (name == "stablehlo.ceil") return planesOf(d.round(x, R::Up));
  if (name == "stablehlo.round_nearest_even") return planesOf(d.round(x, R::NearestEven));
  if (name == "stablehlo.round_nearest_afz") return planesOf(d.round(x, R::NearestAway));
  if (name == "stablehlo.is_finite") return {d.isFinite(x)};
  if (name == "stablehlo.sign")
    return planesOf(l.select(l.bor(d.isNan(x), d.isZero(x)), x, d.copySign(d.constant(1.0), x)));
  if (name == "stablehlo.clamp") return planesOf(d.min(d.max(x, y), operand(2)));
  return {};
}

}  // namespace tpuc::legalise
