//===- conversions.cpp - converts, bitcasts, complex numbers and their parts ---------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/simplify/patterns.h"

using namespace mlir;

namespace tpuc::simplify {

using namespace tpuc::stablehlo;

namespace {

// Every value of `narrow` is a value of `wide`.
bool holdsAll(Type narrow, Type wide) {
  if (narrow == wide) return true;
  unsigned from = elementKind(narrow), to = elementKind(wide);
  constexpr unsigned integers = kBool | kInt | kUInt;
  if (from == kFloat && to == kFloat)
    return APFloat::isRepresentableBy(cast<FloatType>(narrow).getFloatSemantics(),
                                      cast<FloatType>(wide).getFloatSemantics());
  if (!(from & integers)) return false;
  // Bits of magnitude; a sign takes one more.
  unsigned bits = elementBits(narrow) - (from == kInt ? 1 : 0);
  if (to == kInt) return elementBits(wide) - 1 >= bits;
  if (to == kUInt) return from != kInt && elementBits(wide) >= bits;
  return to == kFloat && cast<FloatType>(wide).getFPMantissaWidth() >= bits && !isa<Float8E8M0FNUType>(wide) &&
         elementBits(wide) >= 16 && !(wide.isF16() && bits > 15);
}

struct ConvertToSame : OpRewritePattern<ConvertOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvertOp op, PatternRewriter &rewriter) const override {
    if (op.getOperand().getType() != op.getType()) return failure();
    rewriter.replaceOp(op, op.getOperand());
    return success();
  }
};

// A conversion through a type that holds all values is one conversion.
struct ConvertOfConvert : OpRewritePattern<ConvertOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvertOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<ConvertOp>();
    if (!inner) return failure();
    Type from = inner.getOperand().getType().getElementType();
    Type through = inner.getType().getElementType(), to = op.getType().getElementType();
    if (!holdsAll(from, through)) return failure();
    // Integers wrap where a float stops at the ends of the range.
    constexpr unsigned integers = kInt | kUInt;
    if (elementKind(through) == kFloat && (elementKind(to) & integers) && (elementKind(from) & (integers | kBool)) &&
        !holdsAll(from, to))
      return failure();
    rewriter.replaceOpWithNewOp<ConvertOp>(op, op.getType(), inner.getOperand());
    return success();
  }
};

// Elements taken from a rounded array are rounded elements: fewer of them where nothing else reads that array. Rows of
// a table are taken first anyway: wide ones are words of their own, and move in runs.
template <typename Op>
struct PartOfConvert : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    auto convert = op->getOperand(0).template getDefiningOp<ConvertOp>();
    if (!convert || !isStatic(op.getType()) || !isStatic(convert.getType())) return failure();
    if (op.getType().getNumElements() >= convert.getType().getNumElements()) return failure();
    Type from = convert.getOperand().getType().getElementType(), to = convert.getType().getElementType();
    if (elementBits(from) <= elementBits(to) || elementKind(from) != kFloat || elementKind(to) != kFloat)
      return failure();
    if (!isa<GatherOp>(op) && (!convert->hasOneUse() || convert->getBlock() != op->getBlock())) return failure();
    Operation *part = rewriter.clone(*op);
    rewriter.modifyOpInPlace(part, [&] {
      part->setOperand(0, convert.getOperand());
      part->getResult(0).setType(op.getType().clone(from));
    });
    rewriter.replaceOpWithNewOp<ConvertOp>(op, op.getType(), part->getResult(0));
    return success();
  }
};

// Whether one bitcast leads from `from` to `to`: parts of an element are one dim, the last. Two may have split and
// joined it otherwise.
bool isOneStep(RankedTensorType from, RankedTensorType to) {
  if (!from.hasStaticShape() || !to.hasStaticShape() || !from.getElementType().isIntOrFloat() ||
      !to.getElementType().isIntOrFloat())
    return from == to;
  unsigned before = from.getElementTypeBitWidth(), after = to.getElementTypeBitWidth();
  if (before == after) return from.getShape() == to.getShape();
  RankedTensorType wide = before > after ? from : to, narrow = before > after ? to : from;
  return narrow.getRank() == wide.getRank() + 1 && narrow.getShape().drop_back() == wide.getShape();
}

struct BitcastToSame : OpRewritePattern<BitcastConvertOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BitcastConvertOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<BitcastConvertOp>();
    if (inner && isOneStep(inner.getOperand().getType(), op.getType())) {
      rewriter.modifyOpInPlace(op, [&] { op.getOperandMutable().assign(inner.getOperand()); });
      return success();
    }
    if (op.getOperand().getType() != op.getType()) return failure();
    rewriter.replaceOp(op, op.getOperand());
    return success();
  }
};

struct RealOfComplex : OpRewritePattern<RealOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(RealOp op, PatternRewriter &rewriter) const override {
    auto complex = op.getOperand().getDefiningOp<ComplexOp>();
    if (!complex || complex.getLhs().getType() != op.getType()) return failure();
    rewriter.replaceOp(op, complex.getLhs());
    return success();
  }
};

struct ImagOfComplex : OpRewritePattern<ImagOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ImagOp op, PatternRewriter &rewriter) const override {
    auto complex = op.getOperand().getDefiningOp<ComplexOp>();
    if (!complex || complex.getRhs().getType() != op.getType()) return failure();
    rewriter.replaceOp(op, complex.getRhs());
    return success();
  }
};

// A real number's parts are itself and zero.
struct RealOfReal : OpRewritePattern<RealOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(RealOp op, PatternRewriter &rewriter) const override {
    if (op.getOperand().getType() != op.getType()) return failure();
    rewriter.replaceOp(op, op.getOperand());
    return success();
  }
};

struct ImagOfReal : OpRewritePattern<ImagOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ImagOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type || op.getOperand().getType() != type || !type.hasStaticShape() || !isa<FloatType>(type.getElementType()))
      return failure();
    rewriter.replaceOp(op, makeSplat(rewriter, op.getLoc(), type,
                                     APFloat::getZero(cast<FloatType>(type.getElementType()).getFloatSemantics())));
    return success();
  }
};

struct ComplexOfParts : OpRewritePattern<ComplexOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ComplexOp op, PatternRewriter &rewriter) const override {
    auto real = op.getLhs().getDefiningOp<RealOp>();
    auto imag = op.getRhs().getDefiningOp<ImagOp>();
    if (!real || !imag || real.getOperand() != imag.getOperand() || real.getOperand().getType() != op.getType())
      return failure();
    rewriter.replaceOp(op, real.getOperand());
    return success();
  }
};

}  // namespace

void populateConversions(RewritePatternSet &patterns) {
  patterns.add<ConvertToSame, ConvertOfConvert, BitcastToSame, RealOfComplex, ImagOfComplex, RealOfReal, ImagOfReal,
               ComplexOfParts, PartOfConvert<GatherOp>, PartOfConvert<SliceOp>, PartOfConvert<DynamicSliceOp>>(
      patterns.getContext());
}

}  // namespace tpuc::simplify
