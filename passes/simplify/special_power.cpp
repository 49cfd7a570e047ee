//===- special_power.cpp - powers of complex numbers of f32 ------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x^y = exp(y log x). The exponential makes an absolute error of its argument a relative one, so that the logarithm,
// the angle and their products with y are pairs of numbers:
// 1. x by a power of two that brings its larger part close to 1; log |x| is half the logarithm of the squares' sum.
// 2. The angle of the smaller part over the larger, from an eighth of pi on that around a quarter, then by octants.
// 3. exp(h + l) = 2^n (1 + r) times the sine and the cosine, which are corrected by the derivative.
//===-----------------------------------------------------------------------------===//
#include "passes/simplify/special.h"

using namespace mlir;

namespace tpuc::simplify {
namespace {

namespace hlo = tpuc::stablehlo;

struct Complex {
  Num re, im;
};
struct Pairs {
  Product re, im;
};

Product select(Bool p, Product a, Product b) {
  return {simplify::select(p, a.high, b.high), simplify::select(p, a.low, b.low)};
}
Product twice(Product a, double factor) { return {a.high * factor, a.low * factor}; }

// top / bottom for parts in the range of normal numbers.
Product quotient(Product top, Product bottom) {
  Num first = top.high / bottom.high;
  Num rest = fma(-first, bottom.low, fma(-first, bottom.high, top.high) + top.low);
  return normalise(first, rest / bottom.high);
}

// The angle of (large, small) with 0 <= small <= large.
Product angleOfOctant(Num large, Num small) {
  // atan(t) / t - 1 + z / 3 over z^2 for z = t^2 up to tan^2(pi/8), as the other tables.
  constexpr double kSeries[] = {0.03542223560739056, -0.06170382135739577, 0.07637156146768974, -0.09087689267071641,
                                0.11111020490126697, -0.14285713321598253, 0.19999999998314472};
  const Formula &f = *large.f;
  Bool upper = small > large * 0.41421356237309503;
  Product nothing{number(f, 0), number(f, 0)};
  Product above = exactSum(small, -large), below = exactSum(small, large);
  Product t = quotient(select(upper, above, {small, nothing.low}), select(upper, below, {large, nothing.low}));
  Product z = t * t;
  Product third = z * splitNumber(f, -1.0 / 3);
  third.low = fma(z.high * z.high, polynomial(z.high, kSeries), third.low);
  Product angle = t + t * third;
  return angle + select(upper, splitNumber(f, 0.7853981633974483), nothing);
}

Product angle(Num re, Num im) {
  const Formula &f = *re.f;
  Num x = abs(re), y = abs(im);
  Product a = angleOfOctant(max(x, y), min(x, y));
  a = select(y > x, splitNumber(f, 1.5707963267948966) + -a, a);
  a = select(withSign(number(f, 1), re) < 0.0, splitNumber(f, 3.141592653589793) + -a, a);
  return select(withSign(number(f, 1), im) < 0.0, -a, a);
}

// log x for a finite x other than 0.
Pairs logarithm(Complex x) {
  const Formula &f = *x.re.f;
  // Denormal numbers by 2^64 first.
  Num most = max(abs(x.re), abs(x.im)), up = simplify::select(most < 0x1p-60, 0x1p64, number(f, 1));
  Scaled larger = scaledToOne(most * up);
  Num half = floor(larger.exponent * -0.5), rest = -larger.exponent - half;
  Num first = powerOfTwo(half) * up, second = powerOfTwo(rest);
  Num re = x.re * first * second, im = x.im * first * second;
  Num exponent = (larger.exponent - simplify::select(most < 0x1p-60, 64.0, number(f, 0))) * 2.0;
  Product square = exactProduct(re, re) + exactProduct(im, im);
  return {twice(pairedLog(square, exponent), 0.5), angle(re, im)};
}

Complex power(Complex x, Complex y) {
  const Formula &f = *x.re.f;
  Num most = max(abs(x.re), abs(x.im));
  // An infinite one's angle is that of the corner its infinite parts point to.
  auto boxed = [&](Num v) {
    return simplify::select(most == INFINITY, withSign(simplify::select(abs(v) == INFINITY, 1.0, 0.0), v), v);
  };
  Pairs log = logarithm({boxed(x.re), boxed(x.im)});
  Product re = log.re * y.re + -(log.im * y.im), im = log.im * y.re + log.re * y.im;
  // Infinities, and what overflows in pairs, in single numbers.
  Num size = simplify::select(most == INFINITY, INFINITY, log.re.high), turn = log.im.high;
  Num crossed = simplify::select(y.im == 0.0, 0.0, size * y.im);  // of a real power, infinite or not
  Num plainRe = size * y.re - turn * y.im, plainIm = turn * y.re + crossed;
  Bool good = (abs(plainRe) < 0x1p60) & (abs(plainIm) < 0x1p60);
  Product plain[] = {{plainRe, number(f, 0)}, {plainIm, number(f, 0)}};
  re = select(good, re, plain[0]), im = select(good, im, plain[1]);

  // exp(h + l) = 2^n (1 + r), 2^n in two factors, neither of which leaves the range.
  Num h = max(min(re.high, 100.0), -110.0), n = floor(h * 1.4426950408889634 + 0.5), half = floor(n * 0.5);
  Num left = fma(n, number(f, 0.00021219444005469058), fma(n, number(f, -0.693359375), h));
  Num r = expm1Near(left + simplify::select(h == re.high, re.low, 0.0));
  Num first = powerOfTwo(half), second = powerOfTwo(n - half);
  auto scaled = [&](Num v, Num low) { return (v + fma(v, r, fma(low, r, low))) * first * second; };
  // The low part of a large angle is no small one: cos(h + l) = c + c (cos l - 1) - s sin l.
  Num s = sin(im.high), c = cos(im.high), bend = sin(im.low * 0.5), turned = sin(im.low), less = bend * bend * -2.0;
  Num realPart = scaled(c, fma(c, less, -s * turned)), sine = scaled(s, fma(s, less, c * turned));
  Num imaginary = simplify::select(im.high == 0.0, im.high, sine);
  // 0^y is 0, and what is to the power 0 is 1.
  Bool zero = most == 0.0, none = (y.re == 0.0) & (y.im == 0.0);
  return {simplify::select(none, 1.0, simplify::select(zero, 0.0, realPart)),
          simplify::select(none, 0.0, simplify::select(zero, 0.0, imaginary))};
}

struct LowerPower : OpRewritePattern<hlo::PowOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(hlo::PowOp op, PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    auto element = dyn_cast<ComplexType>(type.getElementType());
    if (!element || !element.getElementType().isF32() || !isStatic(type)) return failure();
    Formula f{rewriter, op.getLoc(), type.clone(element.getElementType())};
    auto parts = [&](Value z) -> Complex {
      Num re{&f, f.emit<hlo::RealOp>(z)};
      return {re, {&f, f.emit<hlo::ImagOp>(z)}};
    };
    Complex x = parts(op->getOperand(0)), result = power(x, parts(op->getOperand(1)));
    rewriter.replaceOp(op, f.emit<hlo::ComplexOp>(result.re.value, result.im.value));
    return success();
  }
};

}  // namespace

void populateComplexPower(RewritePatternSet &patterns) { patterns.add<LowerPower>(patterns.getContext()); }

}  // namespace tpuc::simplify
