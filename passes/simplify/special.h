//===- special.h - functions of chlo in terms of stablehlo's, and how accurately ----------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_PASSES_SIMPLIFY_SPECIAL_H
#define TPUC_PASSES_SIMPLIFY_SPECIAL_H

#include "passes/simplify/formula.h"

namespace tpuc::simplify {

// Each file gives its functions as formulas on f32 or f64; narrower types are computed in f32 and rounded.
// special_inverse.cpp, special_complex.cpp: asin, acos, atan, asinh, acosh, atanh, sinh, cosh.
void populateInverse(mlir::RewritePatternSet &patterns);
void populateComplexInverse(mlir::RewritePatternSet &patterns);
// special_power.cpp: power of complex<f32>.
void populateComplexPower(mlir::RewritePatternSet &patterns);
// special_error.cpp: erf, erfc, erf_inv.
void populateErrorFunctions(mlir::RewritePatternSet &patterns);
// special_gamma.cpp: lgamma, digamma; f64's stay. special_zeta.cpp: zeta, polygamma.
void populateGamma(mlir::RewritePatternSet &patterns);
void populateZeta(mlir::RewritePatternSet &patterns);
// special_bessel.cpp: bessel_i1e.
void populateBessel(mlir::RewritePatternSet &patterns);
// collections.cpp: top_k, scan. ragged_dot.cpp.
void populateCollections(mlir::RewritePatternSet &patterns);
void populateRaggedDot(mlir::RewritePatternSet &patterns);
// ragged_tiles.cpp: a ragged product tile by tile, where that is fewer products; null elsewhere.
mlir::Value lowerRaggedTiles(chlo::RaggedDotOp op, mlir::PatternRewriter &rewriter);

// For f64 these are ops of chlo.
Num lgamma(Num x);
Num digamma(Num x);
// exp(r) - 1 of f32 for |r| up to 0.36.
Num expm1Near(Num r);
Num sinh(Num x);
Num cosh(Num x);

// The type to compute in: f32 for what is narrower; null for what has no formula.
mlir::FloatType computedIn(mlir::Type element);

// Replaces an op of one or two real operands by a formula, or leaves f64's to those that expand wide elements.
template <typename OpT, auto formula, bool wide = true>
struct LowerReal : mlir::OpRewritePattern<OpT> {
  using mlir::OpRewritePattern<OpT>::OpRewritePattern;
  mlir::LogicalResult matchAndRewrite(OpT op, mlir::PatternRewriter &rewriter) const override {
    auto type = mlir::cast<mlir::RankedTensorType>(op->getResult(0).getType());
    mlir::FloatType element = computedIn(type.getElementType());
    if (!element || !isStatic(type) || (!wide && element.isF64())) return mlir::failure();
    Formula f{rewriter, op.getLoc(), type.clone(element), type.getElementType().isBF16()};
    auto operand = [&](unsigned i) -> Num {
      mlir::Value value = op->getOperand(i);
      return {&f, element == type.getElementType() ? value : f.emit<stablehlo::ConvertOp>(f.type, value)};
    };
    Num result{&f, {}};
    if constexpr (requires(Num x) { formula(x); }) {
      result = formula(operand(0));
    } else {
      Num a = operand(0), b = operand(1);
      result = formula(a, b);
    }
    mlir::Value value = result.value;
    if (element != type.getElementType()) value = f.emit<stablehlo::ConvertOp>(type, value);
    rewriter.replaceOp(op, value);
    return mlir::success();
  }
};

}  // namespace tpuc::simplify

#endif  // TPUC_PASSES_SIMPLIFY_SPECIAL_H
