// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/builders/pair.h"

using namespace mlir;

namespace tpuc::builders {

Value Lanes::splat(Attribute value, Type element) {
  auto type = typed(element);
  return stablehlo::ConstantOp::create(b, loc, type,
                                       cast<ElementsAttr>(Attribute(DenseElementsAttr::get(type, value))));
}

Pair Lanes::add(Pair x, Pair y) {
  V lo = add(x.lo, y.lo);
  return {lo, add(add(x.hi, y.hi), toU(lt(lo, x.lo)))};
}

Pair Lanes::add(Pair x, V y) {
  V lo = add(x.lo, y);
  return {lo, add(x.hi, toU(lt(lo, y)))};
}

Pair Lanes::sub(Pair x, Pair y) { return {sub(x.lo, y.lo), sub(sub(x.hi, y.hi), toU(lt(x.lo, y.lo)))}; }

Pair Lanes::mul(Pair x, Pair y) {
  return {mul(x.lo, y.lo), add(mulh(x.lo, y.lo), add(mul(x.lo, y.hi), mul(x.hi, y.lo)))};
}

std::optional<uint32_t> Lanes::shortAmount(V n) {
  auto constant = n.getDefiningOp<stablehlo::ConstantOp>();
  auto elements = constant ? dyn_cast<DenseElementsAttr>(Attribute(constant.getValue())) : DenseElementsAttr();
  if (!elements || !elements.isSplat()) return std::nullopt;
  uint64_t amount = elements.getSplatValue<APInt>().getZExtValue();
  return amount && amount < 32 ? std::optional<uint32_t>(amount) : std::nullopt;
}

// A 32-bit shift by 32 or more, as unsigned, gives zero: each term is there exactly when its amount is.
Pair Lanes::shl(Pair x, V n) {
  if (auto by = shortAmount(n)) return {shl(x.lo, n), bor(shl(x.hi, n), shr(x.lo, 32 - *by))};
  V from = bor(shr(x.lo, sub(u(32), n)), shl(x.lo, sub(n, u(32))));
  return {shl(x.lo, n), bor(shl(x.hi, n), from)};
}

Pair Lanes::shr(Pair x, V n) {
  if (auto by = shortAmount(n)) return {bor(shr(x.lo, n), shl(x.hi, 32 - *by)), shr(x.hi, n)};
  V from = bor(shl(x.hi, sub(u(32), n)), shr(x.hi, sub(n, u(32))));
  return {bor(shr(x.lo, n), from), shr(x.hi, n)};
}

Pair Lanes::sar(Pair x, V n) {
  V low = bor(shr(x.lo, n), shl(x.hi, sub(u(32), n)));
  return {select(lt(n, u(32)), low, sar(x.hi, sub(n, u(32)))), sar(x.hi, n)};
}

Pair Lanes::shrSticky(Pair x, V n) {
  Pair r = shr(x, n);
  if (auto by = shortAmount(n)) return {bor(r.lo, toU(ne(shl(x.lo, 32 - *by), u(0)))), r.hi};
  // The bits that leave at the bottom of each element are those that a shift to the left by the rest keeps. From 32 on
  // all of the low element leaves.
  V low = shl(x.lo, sub(u(32), op<stablehlo::MinOp>(n, u(32)))), high = shl(x.hi, sub(u(64), n));
  return {bor(r.lo, toU(ne(bor(low, high), u(0)))), r.hi};
}

Value Lanes::clz(Pair x) { return select(isZero(x.hi), add(clz(x.lo), u(32)), clz(x.hi)); }

Value Lanes::lt(Pair x, Pair y, bool isSigned) {
  V high = isSigned ? lt(asSigned(x.hi), asSigned(y.hi)) : lt(x.hi, y.hi);
  return bor(high, band(eq(x.hi, y.hi), lt(x.lo, y.lo)));
}

// Four estimates of 20 bits from the remainder's f32 value times a reciprocal that is low by more than all roundings:
// the quotient never passes the true one. Then what is left.
void Lanes::divRem(Pair n, Pair d, Pair &quotient, Pair &remainder) {
  V divisor = toFloat(d, false);
  V reciprocal = op<stablehlo::DivOp>(f(0x1.fffff0p-1f), divisor);
  Pair q = pair(0), r = n;
  for (int i = 0; i < 4; ++i) {
    Pair e = fromFloat(mul(toFloat(r, false), reciprocal), false);
    q = add(q, e);
    r = sub(r, mul(e, d));
  }
  for (int i = 0; i < 2; ++i) {
    V more = le(d, r);
    q = select(more, add(q, pair(1)), q);
    r = select(more, sub(r, d), r);
  }
  V byZero = isZero(d);
  quotient = select(byZero, pair(~0ull), q);
  remainder = select(byZero, n, r);
}

// Normalised to the top, the low half is one sticky bit: the conversion of 32 bits rounds as that of 64 would.
Value Lanes::toFloat(Pair x, bool isSigned) {
  Pair a = isSigned ? abs(x) : x;
  V zeros = clz(a);
  Pair top = shl(a, zeros);
  V head = bor(top.hi, toU(bnot(isZero(top.lo))));
  V value = convert(head, b.getF32Type());
  // 2^(32 - zeros), by its bits.
  V scale = bits(shl(sub(u(127 + 32), zeros), 23), b.getF32Type());
  V result = select(isZero(a), f(0), mul(value, scale));
  if (!isSigned) return result;
  return select(isNegative(x), op<stablehlo::NegOp>(result), result);
}

Pair Lanes::fromFloat(V x, bool isSigned) {
  V raw = asUnsigned(x);
  V exponent = band(shr(raw, 23), u(255));
  V fraction = bor(band(raw, u(0x7fffff)), u(0x800000));
  Pair whole{fraction, u(0)};
  // 2^(exponent - 150) times the fraction.
  V left = sub(exponent, u(150)), right = sub(u(150), exponent);
  Pair magnitude = select(le(u(150), exponent), shl(whole, left), shr(whole, right));
  V negative = ne(shr(raw, 31), u(0)), nan = ne(x, x);
  magnitude = select(lt(exponent, u(127)), pair(0), magnitude);
  Pair result;
  if (isSigned) {
    V tooLarge = le(u(127 + 63), exponent);
    result = select(negative, neg(magnitude), magnitude);
    result = select(tooLarge, select(negative, pair(1ull << 63), pair(~0ull >> 1)), result);
  } else {
    V tooLarge = le(u(127 + 64), exponent);
    result = select(tooLarge, pair(~0ull), magnitude);
    result = select(negative, pair(0), result);
  }
  return select(nan, pair(0), result);
}

}  // namespace tpuc::builders
