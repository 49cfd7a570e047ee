// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complex numbers on their parts, written in ops on the parts' type; those of f64 are expanded in their turn.
#include "passes/legalise/wide.h"

using namespace mlir;

namespace tpuc::legalise {
namespace {

struct Complex {
  Value re, im;
};

// Functions of a complex argument by functions of its parts (Kahan, "Branch cuts for complex elementary functions",
// 1987, for where the cuts lie and what signs of zero do).
class Functions {
 public:
  Functions(Lanes &l, Type part) : l(l), part_(part) {}
  Lanes &l;

  using Direction = stablehlo::ComparisonDirection;
  Value number(double v) { return l.splat(l.b.getFloatAttr(part_, v), part_); }
  template <typename Op>
  Value f(Value x) {
    return Op::create(l.b, l.loc, x.getType(), x, stablehlo::ResultAccuracyAttr());
  }
  Value exp(Value x) { return f<stablehlo::ExpOp>(x); }
  Value expm1(Value x) { return f<stablehlo::Expm1Op>(x); }
  Value log(Value x) { return f<stablehlo::LogOp>(x); }
  Value log1p(Value x) { return f<stablehlo::Log1pOp>(x); }
  Value sin(Value x) { return f<stablehlo::SineOp>(x); }
  Value cos(Value x) { return f<stablehlo::CosineOp>(x); }
  Value sqrt(Value x) { return f<stablehlo::SqrtOp>(x); }
  Value neg(Value x) { return l.op<stablehlo::NegOp>(x); }
  Value abs(Value x) { return l.op<stablehlo::AbsOp>(x); }
  Value div(Value x, Value y) { return l.op<stablehlo::DivOp>(x, y); }
  Value atan2(Value y, Value x) { return l.op<stablehlo::Atan2Op>(y, x); }
  Value max(Value x, Value y) { return l.op<stablehlo::MaxOp>(x, y); }
  Value min(Value x, Value y) { return l.op<stablehlo::MinOp>(x, y); }
  Value isZero(Value x) { return l.eq(x, number(0)); }
  Value half(Value x) { return l.mul(x, number(0.5)); }

  // a b + c d of f32: within 1.5 ulp, whatever cancels, by the rounding error of c d (Kahan; Jeannerod, Louvet, Muller
  // 2013).
  Value products(Value a, Value b, Value c, Value d) {
    Value second = l.mul(c, d);
    if (!part_.isF32()) return l.add(l.mul(a, b), second);
    Value gained = l.fma(neg(c), d, second);  // +0 where exact, and x - 0 keeps the sign of a zero
    Value finite = l.lt(abs(second), number(INFINITY));
    return l.sub(l.fma(a, b, second), l.select(finite, gained, number(0)));
  }
  // Two fused operations a part, as XLA makes them: the larger part is right, one that cancels has the larger's error.
  Complex mul(Complex a, Complex b) {
    Value crossed = l.mul(a.im, b.im), turned = l.mul(a.re, b.im);
    if (!part_.isF32()) return {l.sub(l.mul(a.re, b.re), crossed), l.add(turned, l.mul(a.im, b.re))};
    return {l.fma(a.re, b.re, neg(crossed)), l.fma(a.im, b.re, turned)};
  }
  Complex mulClosely(Complex a, Complex b) {
    return {products(a.re, b.re, neg(a.im), b.im), products(a.re, b.im, a.im, b.re)};
  }

  // x^2 + y^2 + z of f32, rounded hardly more than once: each rounding error is known (Dekker 1971).
  Value squaresPlus(Value x, Value y, Value z) {
    Value xx = l.mul(x, x), yy = l.mul(y, y);
    Value left = l.add(l.fma(x, x, neg(xx)), l.fma(y, y, neg(yy)));
    for (Value term : {xx, yy}) {
      Value sum = l.add(z, term), back = l.sub(sum, z);
      left = l.add(left, l.add(l.sub(z, l.sub(sum, back)), l.sub(term, back)));
      z = sum;
    }
    return l.add(z, left);
  }

  Complex divide(Complex a, Complex b) { return part_.isF32() ? divideClosely(a, b) : divideBySmith(a, b); }

  // Divides by the larger part of the divisor (Smith 1962). Infinite by finite is infinite, finite by infinite zero
  // (C99, annex G).
  Complex divideBySmith(Complex a, Complex b) {
    Value infinite = hasInfinity(a), vanishes = hasInfinity(b);
    Complex x = boxed(a, infinite), y = boxed(b, vanishes);
    Value wide = l.le(abs(y.im), abs(y.re));
    Value large = l.select(wide, y.re, y.im), small = l.select(wide, y.im, y.re);
    Value none = l.band(isZero(large), isZero(small)), ratio = l.select(none, number(0), div(small, large));
    Value scale = l.select(none, large, l.add(large, l.mul(small, ratio)));  // -0 + 0 has no sign
    Value p = l.select(wide, x.re, x.im), q = l.select(wide, x.im, x.re);
    // A division by zero gives infinities of the divisor's sign, for an infinite part too.
    Value re = div(l.select(none, a.re, l.add(p, l.mul(q, ratio))), scale);
    Value part = l.mul(p, ratio);
    Value im = div(l.select(none, a.im, l.sub(l.select(wide, q, part), l.select(wide, part, q))), scale);
    Value factor =
        l.select(vanishes, l.select(infinite, number(NAN), number(0)), l.select(infinite, number(INFINITY), number(1)));
    return {l.mul(re, factor), l.mul(im, factor)};
  }

  Value isInfinite(Value x) { return l.eq(abs(x), number(INFINITY)); }
  Value hasInfinity(Complex a) { return l.bor(isInfinite(a.re), isInfinite(a.im)); }
  // 1 for an infinite part and 0 for another, of the same sign, where `chosen`.
  Complex boxed(Complex a, Value chosen) {
    auto box = [&](Value v) { return l.select(chosen, turned(l.select(isInfinite(v), number(1), number(0)), v), v); };
    return {box(a.re), box(a.im)};
  }

  // a conj(b) / |b|^2 of f32, each part right also where its products cancel; zeros have the signs that Smith's
  // quotients have. Both sides have their powers of two taken out, so that no product leaves the range.
  Complex divideClosely(Complex a, Complex b) {
    Scaled x = scaled(a), y = scaled(b);
    Value wide = l.le(abs(y.z.im), abs(y.z.re));
    Value large = l.select(wide, y.z.re, y.z.im), small = turned(l.select(wide, y.z.im, y.z.re), large);
    Value p = l.select(wide, x.z.re, x.z.im), q = l.select(wide, x.z.im, x.z.re);
    Value below = turned(products(large, large, small, small), large), none = isZero(below);
    Value re = products(p, abs(large), q, small);
    Value im = products(l.select(wide, q, p), l.select(wide, abs(large), small), neg(l.select(wide, p, q)),
                        l.select(wide, small, abs(large)));
    // A division by zero gives infinities of the divisor's sign, for an infinite part too.
    re = div(l.select(none, a.re, re), below), im = div(l.select(none, a.im, im), below);
    // Two steps: the difference of the powers may be out of range, beyond 2^252 the quotient is. Infinite by finite is
    // infinite, finite by infinite zero.
    Value power = l.op<stablehlo::SubtractOp>(x.power, y.power);
    power = l.op<stablehlo::MaxOp>(l.op<stablehlo::MinOp>(power, word(252)), word(-252));
    Value half = l.sar(power, word(1));
    auto factor = [&](Value n) { return l.bits(l.op<stablehlo::ShiftLeftOp>(l.add(n, word(127)), word(23)), part_); };
    Value first = factor(half), second = factor(l.sub(power, half));
    second = l.select(x.infinite, number(INFINITY), second);
    second = l.mul(second, l.select(y.infinite, number(0), number(1)));
    return {l.mul(l.mul(re, first), second), l.mul(l.mul(im, first), second)};
  }

  // x, with its sign changed where `by` has one.
  Value turned(Value x, Value by) {
    Type bits = l.b.getIntegerType(part_.getIntOrFloatBitWidth());
    Value sign = l.splat(l.b.getIntegerAttr(bits, APInt::getSignMask(part_.getIntOrFloatBitWidth())), bits);
    return l.bits(l.bxor(l.bits(x, bits), l.band(l.bits(by, bits), sign)), part_);
  }
  // z 2^power, the larger part between 1 and 4; where a part is infinite, it is 1 and the others 0.
  struct Scaled {
    Complex z;
    Value power, infinite;
  };
  Value word(int32_t n) { return l.splat(l.b.getI32IntegerAttr(n), l.b.getI32Type()); }
  Scaled scaled(Complex a) {
    Value most = max(abs(a.re), abs(a.im)), infinite = hasInfinity(a);
    Value tiny = l.lt(most, number(0x1p-100)), up = l.select(tiny, number(0x1p100), number(1));
    Value exponent = l.sub(l.shr(l.bits(l.mul(most, up), l.b.getI32Type()), word(23)), word(127));
    exponent = l.op<stablehlo::MinOp>(exponent, word(126));  // 2^-127 is no normal number
    Value down = l.bits(l.op<stablehlo::ShiftLeftOp>(l.sub(word(127), exponent), word(23)), part_);
    Complex boxes = boxed(a, infinite);
    auto part = [&](Value v, Value box) { return l.select(infinite, box, l.mul(l.mul(v, up), down)); };
    Value power = l.sub(exponent, l.select(tiny, word(100), word(0)));
    return {{part(a.re, boxes.re), part(a.im, boxes.im)}, l.select(infinite, word(0), power), infinite};
  }

  Value magnitude(Complex a) {
    Value x = abs(a.re), y = abs(a.im), large = max(x, y), small = min(x, y), inf = number(INFINITY);
    Value ratio = div(small, large);
    Value result = l.mul(large, sqrt(l.add(l.mul(ratio, ratio), number(1))));
    result = l.select(isZero(large), number(0), result);
    return l.select(l.bor(l.eq(x, inf), l.eq(y, inf)), inf, result);
  }

  // The magnitude of f32 parts whose squares are normal numbers, or zero.
  Value magnitudeInRange(Complex a) {
    Value infinite = l.bor(l.eq(abs(a.re), number(INFINITY)), l.eq(abs(a.im), number(INFINITY)));
    return l.select(infinite, number(INFINITY), sqrt(products(a.re, a.re, a.im, a.im)));
  }

  Complex exp(Complex a) {
    // In two factors where the power alone is too large.
    Value big = l.lt(number(part_.isF32() ? 80 : 700), a.re), real = isZero(a.im);
    Value e = exp(l.select(big, half(a.re), a.re)), again = l.select(big, e, number(1));
    auto times = [&](Value v) { return l.mul(l.mul(e, v), again); };
    return {l.select(real, l.mul(e, again), times(cos(a.im))), l.select(real, a.im, times(sin(a.im)))};
  }

  // (e^x - 1) cos y + (cos y - 1), and cos y - 1 = -2 sin(y / 2)^2
  Complex expm1(Complex a) {
    Value e = expm1(a.re), s = sin(half(a.im)), turn = l.mul(number(-2), l.mul(s, s));
    Value im =
        l.select(isZero(a.im), a.im, l.mul(exp(a.re), sin(a.im)));  // real on the real axis, also where it is infinite
    return {l.add(l.mul(e, cos(a.im)), turn), im};
  }

  // log |a| = log m + log(1 + (n / m)^2) / 2; near 1 by (m - 1) (m + 1) + n^2.
  Complex log(Complex a) {
    Value x = abs(a.re), y = abs(a.im), m = max(x, y), n = min(x, y), one = number(1);
    Value ratio = l.select(l.bor(isZero(n), l.eq(m, number(INFINITY))), number(0), div(n, m));
    Value far = l.add(log(m), half(log1p(l.mul(ratio, ratio))));
    Value less =
        part_.isF32() ? squaresPlus(m, n, number(-1)) : l.add(l.mul(l.sub(m, one), l.add(m, one)), l.mul(n, n));
    Value near = half(log1p(less));
    Value close = l.band(l.lt(number(0.5), m), l.lt(m, number(3)));
    return {l.select(close, near, far), atan2(a.im, a.re)};
  }

  // |1 + a|^2 = 1 + x (x + 2) + y^2
  Complex log1p(Complex a) {
    Value square = part_.isF32() ? squaresPlus(a.re, a.im, l.mul(a.re, number(2)))
                                 : l.add(l.mul(a.re, l.add(a.re, number(2))), l.mul(a.im, a.im));
    Complex whole = log({l.add(a.re, number(1)), a.im});
    Value small = l.band(l.lt(abs(a.re), number(1)), l.lt(abs(a.im), number(1)));
    if (!part_.isF32()) small = l.band(l.lt(abs(a.re), number(0.5)), l.lt(abs(a.im), number(0.5)));
    small = l.band(small, l.lt(number(-0.5), square));  // else 1 + square loses what 1 + x keeps
    return {l.select(small, half(log1p(square)), whole.re), whole.im};
  }

  // sqrt((|x| + |a|) / 2) is one part, y over twice it the other; with the parts away from the ends of the range.
  Complex sqrt(Complex a) {
    bool single = part_.isF32();
    Value most = max(abs(a.re), abs(a.im));
    Value large = l.lt(number(single ? 0x1p60 : 0x1p1000), most),
          small = l.lt(most, number(single ? 0x1p-60 : 0x1p-900));
    auto choose = [&](double ifLarge, double ifSmall) {
      return l.select(large, number(ifLarge), l.select(small, number(ifSmall), number(1)));
    };
    Value scale = single ? choose(0x1p-66, 0x1p100) : choose(0x1p-4, 0x1p108),
          back = single ? choose(0x1p33, 0x1p-50) : choose(0x1p2, 0x1p-54);
    a = {l.mul(a.re, scale), l.mul(a.im, scale)};
    Value m = single ? magnitudeInRange(a) : magnitude(a), t = sqrt(half(l.add(m, abs(a.re))));
    Value other = l.select(isZero(t), number(0), div(abs(a.im), l.mul(number(2), t)));
    Value right = l.le(number(0), a.re), up = l.le(number(0), a.im);
    Value re = l.mul(l.select(right, t, other), back), im = l.mul(l.select(right, other, t), back);
    Value end = l.eq(abs(a.im), number(INFINITY));  // whatever the other part is
    return {l.select(end, number(INFINITY), re), l.select(end, a.im, l.select(up, im, neg(im)))};
  }

  // The root of the magnitude, at a third of the angle.
  Complex cbrt(Complex a) {
    Value r = f<stablehlo::CbrtOp>(magnitude(a)), angle = div(atan2(a.im, a.re), number(3));
    return {l.mul(r, cos(angle)), l.mul(r, sin(angle))};
  }

  // -i log((x + i y) / sqrt(x^2 + y^2))
  Complex atan2(Complex y, Complex x) {
    Complex xx = mulClosely(x, x), yy = mulClosely(y, y), sum{l.sub(x.re, y.im), l.add(x.im, y.re)};
    Complex result = log(divide(sum, sqrt(Complex{l.add(xx.re, yy.re), l.add(xx.im, yy.im)})));
    return {result.im, neg(result.re)};
  }

  Complex sine(Complex a) {  // sin x cosh y + i cos x sinh y
    return {l.mul(sin(a.re), cosh(a.im)), l.mul(cos(a.re), sinh(a.im))};
  }
  Complex cosine(Complex a) { return {l.mul(cos(a.re), cosh(a.im)), neg(l.mul(sin(a.re), sinh(a.im)))}; }
  Value cosh(Value y) {
    Value e = exp(y), r = exp(neg(y));
    return half(l.add(e, r));
  }
  Value sinh(Value y) {  // (t + t / (t + 1)) / 2 of t = e^|y| - 1
    Value t = expm1(abs(y)),
          s = half(l.add(t, l.select(l.eq(t, number(INFINITY)), number(1), div(t, l.add(t, number(1))))));
    return l.select(l.lt(y, number(0)), neg(s), l.select(isZero(y), y, s));
  }

  // With q = e^-2|x| and p = 1 - q: (p (2 - p) + 4 q sin y cos y i) / (p^2 + 4 q cos^2 y); no term cancels.
  Complex tanh(Complex a) {
    Value twice = l.mul(number(-2), abs(a.re)), q = l.mul(number(4), exp(twice)), p = neg(expm1(twice));
    Value s = sin(a.im), c = cos(a.im), below = products(p, p, l.mul(q, c), c);
    Value re = div(l.mul(p, l.sub(number(2), p)), below), im = div(l.mul(l.mul(q, s), c), below);
    re = l.select(l.lt(number(20), abs(a.re)), number(1), re);
    re = l.select(l.lt(a.re, number(0)), neg(re), l.select(isZero(a.re), a.re, re));
    // Real on the real axis, and infinitely far from the other one where that has no angle.
    Value end = l.eq(abs(a.re), number(INFINITY)), finite = l.lt(abs(a.im), number(INFINITY));
    re = l.select(l.bor(end, finite), re, s);  // and NaN where there is no angle
    return {re, l.select(isZero(a.im), a.im, l.select(end, l.select(finite, im, number(0)), im))};
  }

  // With q = e^-|x|, p = 1 - q, s and c of y / 2: |1 + e^-z|^2 is p^2 + 4 q c^2, and over it stand p + 2 q c^2, or q (2
  // c^2 - p) where x < 0, and 2 q s c i. What cancels near the poles cancels exactly in p and c.
  Complex logistic(Complex a) {
    Value less = neg(abs(a.re)), q = exp(less), p = neg(expm1(less)), s = sin(half(a.im)), c = cos(half(a.im));
    Value four = l.mul(number(4), q), below = products(p, p, l.mul(four, c), c), square = l.mul(number(2), l.mul(c, c));
    Value above = l.select(l.lt(a.re, number(0)), l.mul(q, l.sub(square, p)), l.add(p, l.mul(q, square)));
    return {div(above, below), div(l.mul(l.mul(l.mul(number(2), q), s), c), below)};
  }

 private:
  Type part_;
};

}  // namespace

Planes expandComplex(Lanes &l, Operation *op, ArrayRef<Planes> v) {
  using namespace stablehlo;
  StringRef name = op->getName().getStringRef();
  auto result = [](Complex c) { return Planes{c.re, c.im}; };
  if (name == "stablehlo.complex") return {v[0][0], v[1][0]};
  Complex x{v[0][0], v[0].back()}, y = v.size() > 1 ? Complex{v[1][0], v[1].back()} : Complex{};
  if (name == "stablehlo.real") return {x.re};
  if (name == "stablehlo.imag") return {x.im};
  if (auto cmp = dyn_cast<CompareOp>(op)) {
    bool ne = cmp.getComparisonDirection() == Lanes::Direction::NE;
    Value a = l.compare(cmp.getComparisonDirection(), x.re, y.re),
          b = l.compare(cmp.getComparisonDirection(), x.im, y.im);
    return {ne ? l.bor(a, b) : l.band(a, b)};
  }
  Functions f(l, typeOf(x.re).getElementType());
  if (name == "stablehlo.add") return result({l.add(x.re, y.re), l.add(x.im, y.im)});
  if (name == "stablehlo.subtract") return result({l.sub(x.re, y.re), l.sub(x.im, y.im)});
  if (name == "stablehlo.negate") return result({f.neg(x.re), f.neg(x.im)});
  if (name == "stablehlo.multiply") return result(f.mul(x, y));
  if (name == "stablehlo.divide") return result(f.divide(x, y));
  if (name == "stablehlo.abs") return {f.magnitude(x)};
  if (name == "stablehlo.exponential") return result(f.exp(x));
  if (name == "stablehlo.exponential_minus_one") return result(f.expm1(x));
  if (name == "stablehlo.log") return result(f.log(x));
  if (name == "stablehlo.log_plus_one") return result(f.log1p(x));
  if (name == "stablehlo.sqrt") return result(f.sqrt(x));
  if (name == "stablehlo.rsqrt") return result(f.divide({f.number(1), f.number(0)}, f.sqrt(x)));
  if (name == "stablehlo.cbrt") return result(f.cbrt(x));
  if (name == "stablehlo.atan2") return result(f.atan2(x, y));
  if (name == "stablehlo.sine") return result(f.sine(x));
  if (name == "stablehlo.cosine") return result(f.cosine(x));
  if (name == "stablehlo.tanh") return result(f.tanh(x));
  if (name == "stablehlo.tan") {  // -i tanh(i x)
    Complex t = f.tanh({f.neg(x.im), x.re});
    return result({t.im, f.neg(t.re)});
  }
  if (name == "stablehlo.maximum" || name == "stablehlo.minimum") {
    // In lexicographic order.
    Value more = l.bor(l.lt(y.re, x.re), l.band(l.eq(x.re, y.re), l.lt(y.im, x.im)));
    bool max = name == "stablehlo.maximum";
    Complex a = max ? x : y, b = max ? y : x;
    return result({l.select(more, a.re, b.re), l.select(more, a.im, b.im)});
  }
  if (name == "stablehlo.logistic") return result(f.logistic(x));
  if (name == "stablehlo.sign") {
    Value m = f.magnitude(x), zero = f.isZero(m);
    return result({l.select(zero, x.re, f.div(x.re, m)), l.select(zero, x.im, f.div(x.im, m))});
  }
  if (name == "stablehlo.power") {
    Complex r = f.exp(f.mulClosely(f.log(x), y));
    Value zero = f.isZero(f.magnitude(x)), none = f.isZero(f.magnitude(y));
    r = {l.select(zero, f.number(0), r.re), l.select(zero, f.number(0), r.im)};
    return result({l.select(none, f.number(1), r.re), l.select(none, f.number(0), r.im)});
  }
  return {};
}

}  // namespace tpuc::legalise
