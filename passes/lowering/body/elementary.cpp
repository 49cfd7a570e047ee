// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of floats on f32 lanes, from the transcendental unit's results and refinements, and the table of them.
// Error bounds are those that test/accuracy measures.
#include <cmath>

#include "llvm/ADT/StringMap.h"
#include "passes/lowering/body/vector_ops.h"

using namespace mlir;

namespace tpuc::lowering {
namespace {

// Short forms; every one is one instruction.
struct F {
  Code &c;
  Value k(float x) { return c.splatF(x); }
  Value bits(uint32_t x) { return c.splatBits(x); }
  Value add(Value a, Value b) { return c.inst("v.add.f32", {a, b}); }
  Value sub(Value a, Value b) { return c.inst("v.sub.f32", {a, b}); }
  Value mul(Value a, Value b) { return c.inst("v.mul.f32", {a, b}); }
  Value fma(Value a, Value b, Value d) { return c.inst("v.fma.f32", {a, b, d}); }
  Value min(Value a, Value b) { return c.inst("v.min.f32", {a, b}); }
  Value max(Value a, Value b) { return c.inst("v.max.f32", {a, b}); }
  Value neg(Value a) { return c.inst("v.xor", {a, bits(0x80000000)}); }
  Value abs(Value a) { return c.inst("v.and", {a, bits(0x7fffffff)}); }
  Value lt(Value a, Value b) { return c.inst("v.lt.f32", {a, b}); }
  Value le(Value a, Value b) { return c.inst("v.le.f32", {a, b}); }
  Value eq(Value a, Value b) { return c.inst("v.eq.f32", {a, b}); }
  Value ne(Value a, Value b) { return c.inst("v.ne.f32", {a, b}); }
  Value sel(Value m, Value a, Value b) { return c.inst("v.sel", {m, a, b}); }
  Value sign(Value magnitude, Value of) {
    return c.inst("v.or", {abs(magnitude), c.inst("v.and", {of, bits(0x80000000)})});
  }
  // Horner: coefficients from the highest power.
  Value poly(Value x, ArrayRef<float> coefficients) {
    Value r = k(coefficients[0]);
    for (float f : coefficients.drop_front()) r = fma(r, x, k(f));
    return r;
  }
};

// Exact two-term results (Dekker, Knuth), with an fma.
struct Pair {
  Value hi, lo;
};
Pair twoProduct(F &f, Value a, Value b) {
  Value hi = f.mul(a, b);
  return {hi, f.fma(a, b, f.neg(hi))};
}
Pair fastTwoSum(F &f, Value a, Value b) {  // |a| >= |b|
  Value hi = f.add(a, b);
  return {hi, f.sub(b, f.sub(hi, a))};
}
Pair twoSum(F &f, Value a, Value b) {
  Value hi = f.add(a, b);
  Value bb = f.sub(hi, a);
  return {hi, f.add(f.sub(a, f.sub(hi, bb)), f.sub(b, bb))};
}

}  // namespace

// Correctly rounded where the residual does not underflow, for quotients of 2^-100 and more; within one ulp below. The
// unit's reciprocal is correctly rounded, so one residual step is enough (Markstein 1990, theorem 8).
// Both sides are scaled by the power of two that brings b into [0.5, 1): neither overflows unless the quotient does.
// Not where b is near 1 anyway.
Value emitDivide(Code &c, Value a, Value b, DivideHints hints) {
  F f{c};
  if (!hints.byNearOne) {
    Value exponent = c.inst("v.and", {b, f.bits(0x7f800000)});
    Value scale = c.inst("v.max.i32", {c.inst("v.sub.i32", {f.bits(0x7e800000), exponent}), f.bits(0x00800000)});
    b = f.mul(b, scale);
    a = f.mul(a, scale);
  }
  Value y = c.inst("e.rcp", {b});
  Value q0 = f.mul(a, y);
  // Within 1.5 last places, of which eight bits are right: a quotient of two such numbers is 2^-17 or more from where
  // rounding to them changes.
  if (hints.toBf16) return q0;
  Value q = f.fma(f.fma(f.neg(b), q0, a), y, q0);
  // Zeros keep their sign; infinities and what divides by zero have no residual.
  return f.sel(f.lt(f.k(0.0f), f.abs(q)), q, q0);
}

static Value emitSqrt(Code &c, Value x) {
  F f{c};
  Value tiny = f.lt(x, f.k(0x1p-100f));
  Value xs = f.sel(tiny, f.mul(x, f.k(0x1p48f)), x);
  Value y = c.inst("e.rsqrt", {xs});
  Value g = f.mul(xs, y), h = f.mul(y, f.k(0.5f));
  Value r0 = f.fma(f.neg(h), g, f.k(0.5f));
  g = f.fma(g, r0, g);
  h = f.fma(h, r0, h);
  Value d = f.fma(f.neg(g), g, xs);
  g = f.fma(d, h, g);
  Value s = f.sel(tiny, f.mul(g, f.k(0x1p-24f)), g);
  // 0, -0 and infinity are their own roots.
  Value same = c.inst("m.or", {f.eq(x, f.k(0.0f)), f.eq(x, f.k(INFINITY))});
  return f.sel(same, x, s);
}

// 2^y with y = x log2 e rounded, and what that rounding left of x. y stays below 128, so that the power is finite: the
// correction is what overflows. `atMostZero`: x is.
static Pair powerAndRest(F &f, Value x, bool atMostZero) {
  Value xc = f.max(x, f.k(-104.0f));
  Value y = f.mul(xc, f.k(0x1.715476p+0f));
  if (!atMostZero) y = f.min(y, f.k(0x1.fffffep+6f));
  Value rest = f.fma(y, f.k(0x1.05c610p-29f), f.fma(y, f.k(-0x1.62e430p-1f), xc));  // x - y ln 2
  return {f.c.inst("e.exp2", {y}), rest};
}

Value emitExp(Code &c, Value x, bool atMostZero) {
  F f{c};
  auto [e, rest] = powerAndRest(f, x, atMostZero);
  return f.fma(e, rest, e);
}

static Value emitLog(Code &c, Value x) {
  F f{c};
  Value l = c.inst("e.log2", {x});
  Value r = f.fma(l, f.k(0x1.62e430p-1f), f.mul(l, f.k(-0x1.05c610p-29f)));
  return f.sel(f.eq(f.abs(l), f.k(INFINITY)), l, r);
}

// log(u) + (x - (u - 1)) / u, with u = 1 + x rounded; x itself near zero.
static Value emitLog1p(Code &c, Value x) {
  F f{c};
  Value u = f.add(x, f.k(1.0f));
  Value lost = f.mul(f.sub(x, f.sub(u, f.k(1.0f))), c.inst("e.rcp", {u}));
  Value l = c.inst("e.log2", {u});
  Value r = f.fma(l, f.k(0x1.62e430p-1f), f.fma(l, f.k(-0x1.05c610p-29f), lost));
  r = f.sel(f.eq(f.abs(l), f.k(INFINITY)), l, r);
  return f.sel(f.lt(f.abs(x), f.k(0x1p-23f)), x, r);
}

// A polynomial near zero, exp - 1 elsewhere.
static Value emitExpm1(Code &c, Value x) {
  F f{c};
  // Taylor on |x| <= 0.5: x + x^2 (1/2 + x/6 + ...).
  Value p = f.poly(x, {1.0f / 40320, 1.0f / 5040, 1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f});
  Value small = c.inst("v.or", {f.fma(f.mul(x, x), p, x), c.inst("v.and", {x, f.bits(0x80000000)})});  // of -0 too
  auto [e, rest] = powerAndRest(f, x, false);
  Value large = f.fma(e, rest, f.sub(e, f.k(1.0f)));
  return f.sel(f.le(f.abs(x), f.k(0.5f)), small, large);
}

// 1 / (1 + exp(-x)), or e / (1 + e) of e = exp(-|x|) so that neither end overflows. The quotient's residual takes up
// what e and 1 + e lost to rounding.
static Value emitLogistic(Code &c, Value x) {
  F f{c};
  auto [power, rest] = powerAndRest(f, c.inst("v.or", {x, f.bits(0x80000000)}), true);
  Value e = f.fma(power, rest, power), den = f.add(e, f.k(1.0f));
  Value gained = f.sub(f.sub(den, f.k(1.0f)), e);  // den less 1 + e
  Value negative = f.lt(x, f.k(0.0f));
  Value num = f.sel(negative, power, f.k(1.0f));
  Value y = c.inst("e.rcp", {den}), q = f.mul(num, y);
  Value left = f.fma(gained, q, f.fma(f.neg(den), q, num));
  left = f.fma(num, f.sel(negative, rest, f.k(0.0f)), left);
  return f.fma(left, y, q);
}

// log2 |x| as a pair: m 2^e with m in [sqrt 1/2, sqrt 2), s = (m - 1) / (m + 1), then 2/ln 2 (s + s^3/3 + ...).
static Pair log2Pair(F &f, Value x) {
  Code &c = f.c;
  Value denormal = f.lt(x, f.k(0x1p-126f));
  Value xs = f.sel(denormal, f.mul(x, f.k(0x1p24f)), x);
  Value shifted = c.inst("v.sub.i32", {xs, f.bits(0x3f3504f3)});
  Value e = c.inst("v.shr.s32", {shifted, f.bits(23)});
  Value m = c.inst("v.sub.i32", {xs, c.inst("v.shl", {e, f.bits(23)})});
  Value ef = c.inst("v.cvt.s32.f32", {e});
  ef = f.sub(ef, f.sel(denormal, f.k(24.0f), f.k(0.0f)));
  Value num = f.sub(m, f.k(1.0f));  // exact
  Pair den = fastTwoSum(f, f.k(1.0f), m);
  den = twoSum(f, m, f.k(1.0f));
  Value rcp = c.inst("e.rcp", {den.hi});
  Value s = f.mul(num, rcp);
  Value rem = f.fma(f.neg(s), den.hi, num);  // num - s den
  rem = f.fma(f.neg(s), den.lo, rem);
  Value sl = f.mul(rem, rcp);
  Pair sp = fastTwoSum(f, s, sl);
  Value s2 = f.mul(sp.hi, sp.hi);
  // (s^3/3 + s^5/5 + ...) / s as a correction, |s| <= 0.1716.
  Value p = f.poly(s2, {1.0f / 13, 1.0f / 11, 1.0f / 9, 1.0f / 7, 1.0f / 5});
  // s + s^3/3 + s^5 p, with the s^3/3 term as a pair.
  Pair sq = twoProduct(f, sp.hi, sp.hi);
  sq.lo = f.fma(f.mul(sp.hi, f.k(2.0f)), sp.lo, sq.lo);
  Pair cube = twoProduct(f, sq.hi, sp.hi);
  cube.lo = f.add(cube.lo, f.fma(sq.lo, sp.hi, f.mul(sq.hi, sp.lo)));
  Value third = f.k(0x1.555556p-2f), thirdLo = f.k(-0x1.555556p-27f);
  Pair t = twoProduct(f, cube.hi, third);
  t.lo = f.add(t.lo, f.fma(cube.lo, third, f.mul(cube.hi, thirdLo)));
  t.lo = f.fma(f.mul(f.mul(sq.hi, cube.hi), f.k(1.0f)), p, t.lo);
  Pair sum = fastTwoSum(f, sp.hi, t.hi);
  sum.lo = f.add(sum.lo, f.add(sp.lo, t.lo));
  // times 2 / ln 2 = 2.885390081777927
  Value kHi = f.k(0x1.715476p+1f), kLo = f.k(0x1.4ae0bep-25f);
  Pair r = twoProduct(f, sum.hi, kHi);
  r.lo = f.add(r.lo, f.fma(sum.lo, kHi, f.mul(sum.hi, kLo)));
  Pair out = twoSum(f, ef, r.hi);
  out.lo = f.add(out.lo, r.lo);
  return fastTwoSum(f, out.hi, out.lo);
}

// |x|^y = 2^(y log2 |x|) with the exponent as a pair; the special cases of IEEE 754 pow.
static Value emitPower(Code &c, Value x, Value y) {
  F f{c};
  Value zero = f.k(0.0f), one = f.k(1.0f), inf = f.k(INFINITY);
  Value ax = f.abs(x);
  Pair l = log2Pair(f, ax);
  Pair e = twoProduct(f, y, l.hi);
  e.lo = f.fma(y, l.lo, e.lo);
  Value hi = f.max(f.min(e.hi, f.k(300.0f)), f.k(-300.0f));
  Value clipped = f.ne(hi, e.hi);
  Value lo = f.sel(clipped, zero, e.lo);
  // 128 may be what a smaller exponent rounds to: its power is doubled after the correction.
  Value end = f.eq(hi, f.k(128.0f));
  Value power = c.inst("e.exp2", {f.sel(end, f.k(127.0f), hi)});
  Value r = f.mul(f.mul(power, f.fma(lo, f.k(0x1.62e430p-1f), one)), f.sel(end, f.k(2.0f), one));
  // |x| 0, infinity; y infinite.
  Value yNeg = f.lt(y, zero);
  Value axZero = f.eq(ax, zero), axInf = f.eq(ax, inf);
  r = f.sel(axZero, f.sel(yNeg, inf, zero), r);
  r = f.sel(axInf, f.sel(yNeg, zero, inf), r);
  Value yInf = f.eq(f.abs(y), inf);
  Value grows = c.inst("m.xor", {f.lt(ax, one), yNeg});
  grows = c.inst("m.xor", {grows, c.inst("m.li", {}, {{"imm", 1}})});
  Value atInf = f.sel(f.lt(one, ax), f.sel(yNeg, zero, inf), f.sel(yNeg, inf, zero));
  r = f.sel(yInf, f.sel(f.eq(ax, one), one, atInf), r);
  (void)grows;
  // Sign: odd integer y keeps x's sign; a non-integer y of a negative finite x is NaN.
  Value yFloor = c.inst("v.round.f32", {y}, {{"mode", 1}});
  Value yInt = f.eq(yFloor, y);
  Value half = f.mul(y, f.k(0.5f));
  Value odd = c.inst("m.and", {yInt, f.ne(c.inst("v.round.f32", {half}, {{"mode", 1}}), half)});
  Value signBit = c.inst("v.and", {x, f.bits(0x80000000)});
  Value withSign = c.inst("v.or", {r, signBit});
  Value signed_ = f.sel(odd, withSign, r);
  Value xNegFinite = c.inst("m.and", {f.lt(x, zero), f.lt(ax, inf)});
  Value notInt = c.inst("m.xor", {yInt, c.inst("m.li", {}, {{"imm", 1}})});
  signed_ = f.sel(c.inst("m.and", {xNegFinite, notInt}), f.bits(0x7fc00000), signed_);
  Value nan = c.inst("m.or", {f.ne(x, x), f.ne(y, y)});
  signed_ = f.sel(nan, f.bits(0x7fc00000), signed_);
  signed_ = f.sel(c.inst("m.or", {f.eq(y, zero), f.eq(x, one)}), one, signed_);
  return signed_;
}

// Newton from 2^(log2|x| / 3), twice in extended residuals.
static Value emitCbrt(Code &c, Value x) {
  F f{c};
  Value ax = f.abs(x);
  Value tiny = f.lt(ax, f.k(0x1p-100f));
  Value xs = f.sel(tiny, f.mul(ax, f.k(0x1p72f)), ax);
  Value r = c.inst("e.exp2", {f.mul(c.inst("e.log2", {xs}), f.k(0x1.555556p-2f))});
  for (int i = 0; i < 2; ++i) {
    Pair r2 = twoProduct(f, r, r);
    Value rem = f.fma(f.neg(r2.hi), r, xs);
    rem = f.fma(f.neg(r2.lo), r, rem);
    Value inv = c.inst("e.rcp", {f.mul(r2.hi, f.k(3.0f))});
    r = f.fma(rem, inv, r);
  }
  r = f.sel(tiny, f.mul(r, f.k(0x1p-24f)), r);
  Value same = c.inst("m.or", {f.eq(ax, f.k(0.0f)), f.eq(ax, f.k(INFINITY))});
  return f.sel(c.inst("m.or", {same, f.ne(x, x)}), x, f.sign(r, x));
}

static Value emitTan(Code &c, Value x) { return emitDivide(c, c.inst("e.sin", {x}), c.inst("e.cos", {x})); }

// The angle of the smaller magnitude over the larger one, then by octants. Above tan(pi/8) the argument is that of the
// sum formula at pi/4; the polynomial is Cephes' for [0, tan(pi/8)].
static Value emitAtan2(Code &c, Value y, Value x) {
  Value magnitude = c.splatBits(0x7fffffff);
  Value ax = c.inst("v.and", {x, magnitude}), ay = c.inst("v.and", {y, magnitude});
  Value small = c.inst("v.min.f32", {ax, ay}), large = c.inst("v.max.f32", {ax, ay});
  // inf / inf is 1 here, 0 / 0 is 0.
  Value inf = c.splatF(INFINITY), zero = c.splatF(0.0f), one = c.splatF(1.0f);
  Value infinite = c.inst("v.eq.f32", {small, inf});
  small = c.inst("v.sel", {infinite, one, small});
  large = c.inst("v.sel", {infinite, one, large});
  large = c.inst("v.sel", {c.inst("v.eq.f32", {large, zero}), one, large});
  // Halves and products below keep all bits of denormals.
  Value scale = c.inst("v.sel", {c.inst("v.lt.f32", {large, c.splatF(0x1p-60f)}), c.splatF(0x1p60f), one});
  small = c.inst("v.mul.f32", {small, scale});
  large = c.inst("v.mul.f32", {large, scale});
  // small > tan(pi/8) large, without overflow of what follows.
  Value upper = c.inst("v.lt.f32", {c.inst("v.mul.f32", {large, c.splatF(0x1.a8279ap-2f)}), small});
  Value half = c.splatF(0.5f);
  Value hs = c.inst("v.mul.f32", {small, half}), hl = c.inst("v.mul.f32", {large, half});
  Value above = c.inst("v.sub.f32", {hs, hl}), below = c.inst("v.add.f32", {hs, hl});
  Value t = emitDivide(c, c.inst("v.sel", {upper, above, small}), c.inst("v.sel", {upper, below, large}));
  Value z = c.inst("v.mul.f32", {t, t});
  Value p = c.splatF(8.05374449538e-2f);
  for (float k : {-1.38776856032e-1f, 1.99777106478e-1f, -3.33329491539e-1f})
    p = c.inst("v.fma.f32", {p, z, c.splatF(k)});
  Value r = c.inst("v.fma.f32", {c.inst("v.mul.f32", {p, z}), t, t});
  r = c.inst("v.sel", {upper, c.inst("v.add.f32", {r, c.splatF(0x1.921fb6p-1f)}), r});
  auto from = [&](float high, float low, Value v) {
    return c.inst("v.add.f32", {c.inst("v.sub.f32", {c.splatF(high), v}), c.splatF(low)});
  };
  r = c.inst("v.sel", {c.inst("v.lt.f32", {ax, ay}), from(0x1.921fb6p0f, -0x1.777a5cp-25f, r), r});
  Value left = c.inst("v.lt.s32", {x, c.splatI(0)});
  r = c.inst("v.sel", {left, from(0x1.921fb6p1f, -0x1.777a5cp-24f, r), r});
  Value sign = c.inst("v.and", {y, c.splatBits(0x80000000)});
  r = c.inst("v.or", {r, sign});
  Value unordered = c.inst("m.or", {c.inst("v.ne.f32", {x, x}), c.inst("v.ne.f32", {y, y})});
  return c.inst("v.sel", {unordered, c.splatBits(0x7fc00000), r});
}

static FloatFunction one(const char *mnemonic) {
  return [=](Code &c, ValueRange v) { return c.inst(mnemonic, {v[0]}); };
}
static FloatFunction rounding(int mode) {
  return [=](Code &c, ValueRange v) { return c.inst("v.round.f32", {v[0]}, {{"mode", mode}}); };
}
static FloatFunction unary(Value (*emit)(Code &, Value)) {
  return [=](Code &c, ValueRange v) { return emit(c, v[0]); };
}
static FloatFunction binary(Value (*emit)(Code &, Value, Value)) {
  return [=](Code &c, ValueRange v) { return emit(c, v[0], v[1]); };
}

const FloatFunction *floatFunction(StringRef name) {
  static const llvm::StringMap<FloatFunction> table = {
      {"stablehlo.exponential", [](Code &c, ValueRange v) { return emitExp(c, v[0]); }},
      {"stablehlo.exponential_minus_one", unary(emitExpm1)},
      {"stablehlo.log", unary(emitLog)},
      {"stablehlo.log_plus_one", unary(emitLog1p)},
      {"stablehlo.logistic", unary(emitLogistic)},
      {"stablehlo.tanh", one("e.tanh")},
      {"kernel.exp2", one("e.exp2")},
      {"stablehlo.sine", one("e.sin")},
      {"stablehlo.cosine", one("e.cos")},
      {"stablehlo.tan", unary(emitTan)},
      {"stablehlo.rsqrt", one("e.rsqrt")},
      {"stablehlo.sqrt", unary(emitSqrt)},
      {"stablehlo.cbrt", unary(emitCbrt)},
      {"stablehlo.floor", rounding(1)},
      {"stablehlo.ceil", rounding(2)},
      {"stablehlo.round_nearest_even", rounding(0)},
      {"stablehlo.round_nearest_afz", rounding(4)},
      {"stablehlo.power", binary(emitPower)},
      {"stablehlo.atan2", binary(emitAtan2)},
  };
  auto it = table.find(name);
  return it == table.end() ? nullptr : &it->second;
}

}  // namespace tpuc::lowering
