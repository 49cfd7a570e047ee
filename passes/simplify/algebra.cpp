// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neutral and absorbing operands, signs, inverse pairs.
#include "passes/simplify/patterns.h"

using namespace mlir;

namespace tpuc::simplify {

using namespace tpuc::stablehlo;

namespace {

//===-----------------------------------------------------------------------------===//
// One operand is a splat
//===-----------------------------------------------------------------------------===//

// What becomes of op(x, c), by the scalar c and the element type.
enum class Outcome { None, Other, Constant, NotOther };

Outcome withRight(Operation *op, const Scalar &c, Type element) {
  bool isFloat = isa<FloatType>(element), isBool = elementKind(element) == kBool;
  // x + -0 is x; x + +0 isn't where x is -0. Booleans add by or.
  if (isa<AddOp>(op))
    return isNegativeZero(c) ? Outcome::Other : isBool && isOne(c) ? Outcome::Constant : Outcome::None;
  if (isa<SubtractOp>(op)) return isPositiveZero(c) ? Outcome::Other : Outcome::None;
  if (isa<MulOp>(op)) return isOne(c) ? Outcome::Other : !isFloat && isZero(c) ? Outcome::Constant : Outcome::None;
  if (isa<DivOp, PowOp>(op)) return isOne(c) ? Outcome::Other : Outcome::None;
  if (isa<MaxOp>(op))  // a NaN wins over the greatest
    return isLeast(c, element)                  ? Outcome::Other
           : !isFloat && isGreatest(c, element) ? Outcome::Constant
                                                : Outcome::None;
  if (isa<MinOp>(op))
    return isGreatest(c, element)            ? Outcome::Other
           : !isFloat && isLeast(c, element) ? Outcome::Constant
                                             : Outcome::None;
  if (isa<AndOp>(op)) return isAllOnes(c) ? Outcome::Other : isZero(c) ? Outcome::Constant : Outcome::None;
  if (isa<OrOp>(op)) return isZero(c) ? Outcome::Other : isAllOnes(c) ? Outcome::Constant : Outcome::None;
  if (isa<XorOp>(op)) return isZero(c) ? Outcome::Other : isAllOnes(c) ? Outcome::NotOther : Outcome::None;
  if (isa<ShiftLeftOp, ShiftRightLogicalOp, ShiftRightArithmeticOp>(op))
    return isZero(c) ? Outcome::Other : Outcome::None;
  return Outcome::None;
}

// A splat stands on the right of a commutative op, where the other rewrites look for it.
struct SplatToRight : RewritePattern {
  explicit SplatToRight(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!op->hasTrait<IsElementwise>() || !op->hasTrait<mlir::OpTrait::IsCommutative>() || op->getNumOperands() != 2)
      return failure();
    Value lhs = op->getOperand(0), rhs = op->getOperand(1);
    if (!splatConstant(lhs) || rhs.getDefiningOp<ConstantOp>()) return failure();
    rewriter.modifyOpInPlace(op, [&] { op->setOperands({rhs, lhs}); });
    return success();
  }
};

// Any elementwise op of two operands with a neutral or absorbing splat on the right, or on the left of a
// commutative one.
struct NeutralOperand : RewritePattern {
  explicit NeutralOperand(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/2, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!op->hasTrait<IsElementwise>() || op->getNumOperands() != 2 || op->getNumResults() != 1) return failure();
    if (succeeded(tryRight(op, 0, 1, rewriter))) return success();
    return op->hasTrait<mlir::OpTrait::IsCommutative>() ? tryRight(op, 1, 0, rewriter) : failure();
  }

  static LogicalResult tryRight(Operation *op, unsigned other, unsigned constant, PatternRewriter &rewriter) {
    Value x = op->getOperand(other), c = op->getOperand(constant);
    std::optional<Scalar> scalar = splatScalar(c);
    Type type = op->getResult(0).getType();
    if (!scalar || x.getType() != type || c.getType() != type) return failure();
    switch (withRight(op, *scalar, getElementTypeOrSelf(type))) {
      case Outcome::None:
        return failure();
      case Outcome::Other:
        rewriter.replaceOp(op, x);
        return success();
      case Outcome::Constant:
        rewriter.replaceOp(op, c);
        return success();
      case Outcome::NotOther:
        rewriter.replaceOpWithNewOp<NotOp>(op, x);
        return success();
    }
    return failure();
  }
};

// x ^ 2 is x * x, rounded once like it.
struct SquareOfPower : OpRewritePattern<PowOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PowOp op, PatternRewriter &rewriter) const override {
    std::optional<Scalar> exponent = splatScalar(op.getRhs());
    auto *number = exponent ? std::get_if<APFloat>(&*exponent) : nullptr;
    if (!number || !number->isExactlyValue(2.0) || op.getLhs().getType() != op.getType()) return failure();
    rewriter.replaceOpWithNewOp<MulOp>(op, op.getType(), op.getLhs(), op.getLhs());
    return success();
  }
};

// x ^ 0.5 and x ^ -0.5 are roots, but that a power takes -0 for 0 and -inf for inf. How well powers are rounded the
// specification leaves open.
struct RootOfPower : OpRewritePattern<PowOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PowOp op, PatternRewriter &rewriter) const override {
    std::optional<Scalar> exponent = splatScalar(op.getRhs());
    auto *number = exponent ? std::get_if<APFloat>(&*exponent) : nullptr;
    RankedTensorType type = tensorType(op.getResult());
    Type element = type.getElementType();
    if (!number || op.getLhs().getType() != type || !(element.isF16() || element.isBF16() || element.isF32()) ||
        !(number->isExactlyValue(0.5) || number->isExactlyValue(-0.5)))
      return failure();
    Location loc = op.getLoc();
    const llvm::fltSemantics &format = number->getSemantics();
    auto splat = [&](const APFloat &value) { return makeSplat(rewriter, loc, type, value); };
    Value x = op.getLhs(), infinity = splat(APFloat::getInf(format));
    Value isEnd =
        CompareOp::create(rewriter, loc, x, splat(APFloat::getInf(format, /*Negative=*/true)), ComparisonDirection::EQ);
    Value positive = AddOp::create(rewriter, loc, x, splat(APFloat::getZero(format)));
    Value base = SelectOp::create(rewriter, loc, type, isEnd, infinity, positive);
    if (number->isNegative())
      rewriter.replaceOpWithNewOp<RsqrtOp>(op, type, base);
    else
      rewriter.replaceOpWithNewOp<SqrtOp>(op, type, base);
    return success();
  }
};

// x / 2^k is x * 2^-k: both round the same number once, and a product costs less.
struct DivideByPowerOfTwo : OpRewritePattern<DivOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DivOp op, PatternRewriter &rewriter) const override {
    std::optional<Scalar> divisor = splatScalar(op.getRhs());
    auto *number = divisor ? std::get_if<APFloat>(&*divisor) : nullptr;
    APFloat inverse(0.0);
    // Fails where the inverse is not exact or denormal.
    if (!number || !number->getExactInverse(&inverse) || op.getRhs().getType() != op.getType()) return failure();
    rewriter.replaceOpWithNewOp<MulOp>(op, op.getType(), op.getLhs(),
                                       makeSplat(rewriter, op.getLoc(), op.getType(), inverse));
    return success();
  }
};

//===-----------------------------------------------------------------------------===//
// Signs
//===-----------------------------------------------------------------------------===//

// The operand of a negation of one type; null for other values.
Value negated(Value value) {
  auto negation = value.getDefiningOp<NegOp>();
  return negation && negation.getOperand().getType() == negation.getType() ? Value(negation.getOperand()) : Value();
}

// x + -y is x - y, in floating point too.
struct AddOfNegative : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &rewriter) const override {
    if (Value y = negated(op.getRhs()))
      rewriter.replaceOpWithNewOp<SubtractOp>(op, op.getType(), op.getLhs(), y);
    else if (Value x = negated(op.getLhs()))
      rewriter.replaceOpWithNewOp<SubtractOp>(op, op.getType(), op.getRhs(), x);
    else
      return failure();
    return success();
  }
};

struct SubtractOfNegative : OpRewritePattern<SubtractOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SubtractOp op, PatternRewriter &rewriter) const override {
    Value y = negated(op.getRhs());
    if (!y) return failure();
    rewriter.replaceOpWithNewOp<AddOp>(op, op.getType(), op.getLhs(), y);
    return success();
  }
};

// -x * -y is x * y, and x * -1 is -x. Quotients alike.
template <typename OpT>
struct ProductOfNegatives : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    if (!isa<FloatType>(op.getType().getElementType())) return failure();
    if (Value x = negated(op.getLhs()), y = negated(op.getRhs()); x && y) {
      rewriter.replaceOpWithNewOp<OpT>(op, op.getType(), x, y);
      return success();
    }
    std::optional<Scalar> factor = splatScalar(op.getRhs());
    auto *number = factor ? std::get_if<APFloat>(&*factor) : nullptr;
    if (!number || !number->isExactlyValue(-1.0) || op.getLhs().getType() != op.getType()) return failure();
    rewriter.replaceOpWithNewOp<NegOp>(op, op.getType(), op.getLhs());
    return success();
  }
};

// -(x * c) is x * -c.
struct NegativeOfScaled : OpRewritePattern<NegOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(NegOp op, PatternRewriter &rewriter) const override {
    auto product = op.getOperand().getDefiningOp<MulOp>();
    std::optional<Scalar> factor = product ? splatScalar(product.getRhs()) : std::nullopt;
    auto *number = factor ? std::get_if<APFloat>(&*factor) : nullptr;
    if (!number || !product->hasOneUse() || product.getRhs().getType() != op.getType()) return failure();
    rewriter.replaceOpWithNewOp<MulOp>(op, op.getType(), product.getLhs(),
                                       makeSplat(rewriter, op.getLoc(), op.getType(), neg(*number)));
    return success();
  }
};

//===-----------------------------------------------------------------------------===//
// Inverse pairs
//===-----------------------------------------------------------------------------===//

// f(f(x)) is x.
template <typename OpT>
struct SelfInverse : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().template getDefiningOp<OpT>();
    if (!inner || inner.getOperand().getType() != op.getType()) return failure();
    rewriter.replaceOp(op, inner.getOperand());
    return success();
  }
};

// f(f(x)) is f(x).
template <typename OpT>
struct Idempotent : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    if (!op.getOperand().template getDefiningOp<OpT>() || op.getOperand().getType() != op.getType()) return failure();
    rewriter.replaceOp(op, op.getOperand());
    return success();
  }
};

// min, max, and, or of x and x.
template <typename OpT>
struct SameOperands : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    if (op.getLhs() != op.getRhs() || op.getLhs().getType() != op.getType()) return failure();
    rewriter.replaceOp(op, op.getLhs());
    return success();
  }
};

}  // namespace

void populateAlgebra(RewritePatternSet &patterns) {
  patterns.add<SplatToRight, NeutralOperand, SquareOfPower, RootOfPower, DivideByPowerOfTwo, AddOfNegative,
               SubtractOfNegative, ProductOfNegatives<MulOp>, ProductOfNegatives<DivOp>, NegativeOfScaled,
               SelfInverse<NotOp>, SelfInverse<NegOp>, Idempotent<AbsOp>, Idempotent<FloorOp>, Idempotent<CeilOp>,
               SameOperands<MaxOp>, SameOperands<MinOp>, SameOperands<AndOp>, SameOperands<OrOp>>(
      patterns.getContext());
}

}  // namespace tpuc::simplify
