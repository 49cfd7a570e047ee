//===- special_complex.cpp - inverse and hyperbolic functions of complex numbers ------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// asin, acos and their hyperbolic twins share the kernel of Hull, Fairgrieve and Tang, "Implementing the complex
// arcsine and arccosine functions using exception handling" (1997): with x, y the parts' magnitudes, r and s the
// distances from
// -1 and 1 and a = (r + s) / 2, asin has the angle of x over D and the logarithm L of a + sqrt(a^2 - 1).
//===-----------------------------------------------------------------------------===//
#include "passes/simplify/special.h"

using namespace mlir;

namespace tpuc::simplify {
namespace {

namespace hlo = tpuc::stablehlo;

struct Complex {
  Num re, im;
};

Num hypot(Num a, Num b) {
  Num large = max(abs(a), abs(b)), small = min(abs(a), abs(b));
  Num ratio = small / large;
  Num scaled = select(large == 0.0, 0.0, large * sqrt(ratio * ratio + 1.0));
  if (a.f->isDouble()) return scaled;
  // Two roundings less where no square leaves the range.
  return select((large < 0x1p40) & (large > 0x1p-40), sqrt(a * a + b * b), scaled);
}

//===-----------------------------------------------------------------------------===//
// asin, acos, asinh, acosh
//===-----------------------------------------------------------------------------===//

// Above it squares overflow, or 1 does not count.
double large(Num x) { return x.f->isDouble() ? 0x1p500 : 0x1p60; }

// x and y not negative: {D, L}.
Complex kernel(Num x, Num y) {
  Num r = hypot(x + 1.0, y), s = hypot(x - 1.0, y), a = (r + s) * 0.5;
  Bool inside = x <= 1.0;
  Num right = r + (x + 1.0), left = s + abs(x - 1.0), square = y * y;
  // s -+ (x - 1), the one that cancels by way of the other: (s - u) (s + u) = y^2.
  Num near = sqrt((a + x) * 0.5 * (square / right + left));
  Num beyond = y * sqrt((a + x) * 0.5 / right + (a + x) * 0.5 / left);
  Num d = select(inside, near, beyond);

  // At 1 nothing is left, and the angle's kernel is 0.
  Num rest = select(left == 0.0, 0.0, square / left);
  Num aMinusOne = select(inside, square / right + rest, square / right + left) * 0.5;
  Num root = sqrt(aMinusOne * (a + 1.0));
  Num logarithm = select(a <= 1.5, log1p(aMinusOne + root), log(a + sqrt(a * a - 1.0)));
  // y so small that its square is lost, below 1.
  Bool thin = inside & (square < (x.f->isDouble() ? 0x1p-1000 : 0x1p-100)) & (x < 1.0);
  logarithm = select(thin, y / sqrt((1.0 - x) * (x + 1.0)), logarithm);

  // log(2 |z|) and the angle of z itself.
  Num most = max(x, y), least = min(x, y), ratio = least / most;
  Num far = log(most) + 0.6931471805599453 + log1p(select(most == INFINITY, 0.0, ratio * ratio)) * 0.5;
  Bool huge = most > large(x);
  // Also beside a NaN.
  Bool infinite = (x == INFINITY) | (y == INFINITY);
  return {select(huge, y, d), select(infinite, INFINITY, select(huge, far, logarithm))};
}

Complex asin(Complex z) {
  Complex k = kernel(abs(z.re), abs(z.im));
  return {atan2(z.re, k.re), withSign(k.im, z.im)};
}
Complex acos(Complex z) {
  Complex k = kernel(abs(z.re), abs(z.im));
  return {atan2(k.re, z.re), withSign(k.im, -z.im)};
}
Complex asinh(Complex z) {
  Complex k = kernel(abs(z.im), abs(z.re));
  return {withSign(k.im, z.re), atan2(z.im, k.re)};
}
Complex acosh(Complex z) {
  Complex k = kernel(abs(z.re), abs(z.im));
  return {k.im, withSign(atan2(k.re, z.re), z.im)};
}
Complex asinAcosKernel(Complex z) { return kernel(abs(z.re), abs(z.im)); }

//===-----------------------------------------------------------------------------===//
// atan, atanh, sinh, cosh
//===-----------------------------------------------------------------------------===//

Complex atanh(Complex z) {
  Num x = abs(z.re), y = abs(z.im);
  Num u = 1.0 - x;
  Num re = log1p(x * 4.0 / (u * u + y * y)) * 0.25;
  Num im = atan2(y * 2.0, u * (x + 1.0) - y * y) * 0.5;
  // Far out 1/z and a right angle.
  Bool huge = max(x, y) > (x.f->isDouble() ? 0x1p500 : 0x1p60);
  Num most = max(x, y), ratio = min(x, y) / most;
  Num inverse = x / most / most / (ratio * ratio + 1.0);
  re = select(huge, select(most == INFINITY, 0.0, inverse), re);
  im = select(huge, 1.5707963267948966, im);
  // Infinitely far up, whatever x is.
  re = select(y == INFINITY, 0.0, re);
  im = select(y == INFINITY, 1.5707963267948966, im);
  return {withSign(re, z.re), withSign(im, z.im)};
}

// -i atanh(i z)
Complex atan(Complex z) {
  Complex w = atanh({-z.im, z.re});
  return {w.im, -w.re};
}

// A zero times what is infinite is a zero here: the functions are real on the real axis.
Num timesPart(Num factor, Num part) { return select(part == 0.0, part, factor * part); }

Complex sinh(Complex z) { return {sinh(z.re) * cos(z.im), timesPart(cosh(z.re), sin(z.im))}; }
Complex cosh(Complex z) {
  Num s = sinh(z.re);
  return {cosh(z.re) * cos(z.im), select(z.re == 0.0, s * withSign(number(*s.f, 1), z.im), timesPart(s, sin(z.im)))};
}

//===-----------------------------------------------------------------------------===//
// The pattern
//===-----------------------------------------------------------------------------===//

template <typename OpT, Complex (*formula)(Complex)>
struct LowerComplex : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    auto element = dyn_cast<ComplexType>(type.getElementType());
    if (!element || !isStatic(type)) return failure();
    Formula f{rewriter, op.getLoc(), type.clone(element.getElementType())};
    Value z = op->getOperand(0);
    Num re{&f, f.emit<hlo::RealOp>(z)}, im{&f, f.emit<hlo::ImagOp>(z)};
    Complex result = formula({re, im});
    rewriter.replaceOp(op, f.emit<hlo::ComplexOp>(result.re.value, result.im.value));
    return success();
  }
};

}  // namespace

void populateComplexInverse(RewritePatternSet &patterns) {
  patterns.add<LowerComplex<chlo::AsinOp, asin>, LowerComplex<chlo::AcosOp, acos>, LowerComplex<chlo::AsinhOp, asinh>,
               LowerComplex<chlo::AcoshOp, acosh>, LowerComplex<chlo::AtanOp, atan>, LowerComplex<chlo::AtanhOp, atanh>,
               LowerComplex<chlo::SinhOp, sinh>, LowerComplex<chlo::CoshOp, cosh>,
               LowerComplex<chlo::AsinAcosKernelOp, asinAcosKernel>>(patterns.getContext());
}

}  // namespace tpuc::simplify
