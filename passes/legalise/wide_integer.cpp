// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 64-bit integers on pairs.
#include "llvm/ADT/StringSwitch.h"
#include "passes/legalise/wide.h"

using namespace mlir;

namespace tpuc::legalise {
namespace {

using Direction = stablehlo::ComparisonDirection;

Value compare(Lanes &l, Direction d, Pair x, Pair y, bool isSigned) {
  switch (d) {
    case Direction::EQ:
      return l.eq(x, y);
    case Direction::NE:
      return l.bnot(l.eq(x, y));
    case Direction::LT:
      return l.lt(x, y, isSigned);
    case Direction::LE:
      return l.le(x, y, isSigned);
    case Direction::GT:
      return l.lt(y, x, isSigned);
    case Direction::GE:
      return l.le(y, x, isSigned);
  }
  return {};
}

// Amounts of 64 and more, and those that the high word makes huge, are all the same.
Value shiftAmount(Lanes &l, Pair n) { return l.select(l.band(l.isZero(n.hi), l.lt(n.lo, l.u(64))), n.lo, l.u(64)); }

// Quotient towards zero and the dividend's sign on the remainder.
void divideSigned(Lanes &l, Pair x, Pair y, Pair &q, Pair &r) {
  l.divRem(l.abs(x), l.abs(y), q, r);
  Value differ = l.bxor(l.isNegative(x), l.isNegative(y));
  Value byZero = l.isZero(y);
  q = l.select(byZero, l.pair(~0ull), l.select(differ, l.neg(q), q));
  r = l.select(byZero, x, l.select(l.isNegative(x), l.neg(r), r));
}

// Powers by squaring. A negative exponent leaves 1 / x, which is 0, 1 or -1.
Pair power(Lanes &l, Pair x, Pair n, bool isSigned) {
  Pair result = l.pair(1), base = x;
  for (int bit = 0; bit < 64; ++bit) {
    Value set = l.ne(l.band(bit < 32 ? n.lo : n.hi, l.u(1u << (bit % 32))), l.u(0));
    result = l.select(set, l.mul(result, base), result);
    if (bit < 63) base = l.mul(base, base);
  }
  if (!isSigned) return result;
  Value one = l.eq(x, l.pair(1)), minusOne = l.eq(x, l.pair(~0ull)), odd = l.ne(l.band(n.lo, l.u(1)), l.u(0));
  Pair inverse = l.select(one, l.pair(1), l.select(minusOne, l.select(odd, l.pair(~0ull), l.pair(1)), l.pair(0)));
  return l.select(l.isNegative(n), inverse, result);
}

Value popcount(Lanes &l, Value x) { return l.op<stablehlo::PopulationCountOp>(x); }

}  // namespace

Planes expandWideInteger(Lanes &l, Operation *op, ArrayRef<Planes> v) {
  Type element = typeOf(op->getOperand(0)).getElementType();
  if (mlir::isa<stablehlo::SelectOp, stablehlo::ClampOp>(op)) element = typeOf(op->getOperand(1)).getElementType();
  bool isSigned = !element.isUnsignedInteger();
  auto operand = [&](unsigned i) { return pairOf(v[i]); };
  if (auto cmp = dyn_cast<stablehlo::CompareOp>(op))
    return {compare(l, cmp.getComparisonDirection(), operand(0), operand(1), isSigned)};
  Pair x = operand(0), y = v.size() > 1 ? operand(1) : Pair{}, q, r;
  auto less = [&](Pair a, Pair b) { return l.lt(a, b, isSigned); };
  StringRef name = op->getName().getStringRef();
  if (name == "stablehlo.add") return planesOf(l.add(x, y));
  if (name == "stablehlo.subtract") return planesOf(l.sub(x, y));
  if (name == "stablehlo.multiply") return planesOf(l.mul(x, y));
  if (name == "stablehlo.negate") return planesOf(l.neg(x));
  if (name == "stablehlo.and") return planesOf(l.band(x, y));
  if (name == "stablehlo.or") return planesOf(l.bor(x, y));
  if (name == "stablehlo.xor") return planesOf(l.bxor(x, y));
  if (name == "stablehlo.not") return planesOf(l.bnot(x));
  if (name == "stablehlo.maximum") return planesOf(l.select(less(x, y), y, x));
  if (name == "stablehlo.minimum") return planesOf(l.select(less(y, x), y, x));
  if (name == "stablehlo.shift_left") return planesOf(l.shl(x, shiftAmount(l, y)));
  if (name == "stablehlo.shift_right_logical") return planesOf(l.shr(x, shiftAmount(l, y)));
  if (name == "stablehlo.shift_right_arithmetic") return planesOf(l.sar(x, shiftAmount(l, y)));
  if (name == "stablehlo.abs") return planesOf(isSigned ? l.abs(x) : x);
  if (name == "stablehlo.popcnt") return planesOf(Pair{l.add(popcount(l, x.lo), popcount(l, x.hi)), l.u(0)});
  if (name == "stablehlo.count_leading_zeros") return planesOf(Pair{l.clz(x), l.u(0)});
  if (name == "stablehlo.power") return planesOf(power(l, x, y, isSigned));
  if (name == "stablehlo.sign") {
    Pair one = l.select(l.isZero(x), l.pair(0), l.pair(1));
    return planesOf(isSigned ? l.select(l.isNegative(x), l.pair(~0ull), one) : one);
  }
  if (name == "stablehlo.divide" || name == "stablehlo.remainder") {
    if (isSigned)
      divideSigned(l, x, y, q, r);
    else
      l.divRem(x, y, q, r);
    return planesOf(name == "stablehlo.divide" ? q : r);
  }
  if (name == "stablehlo.clamp") {
    Pair low = x, value = y, high = operand(2);
    value = l.select(less(value, low), low, value);
    return planesOf(l.select(less(high, value), high, value));
  }
  return {};
}

}  // namespace tpuc::legalise
