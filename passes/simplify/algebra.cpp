//===- algebra.cpp - neutral and absorbing operands, inverse pairs, converts, selects ------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
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
  if (isa<SubtractOp>(op))
    return isPositiveZero(c) ? Outcome::Other : Outcome::None;
  if (isa<MulOp>(op))
    return isOne(c) ? Outcome::Other : !isFloat && isZero(c) ? Outcome::Constant : Outcome::None;
  if (isa<DivOp, PowOp>(op))
    return isOne(c) ? Outcome::Other : Outcome::None;
  if (isa<MaxOp>(op)) // a NaN wins over the greatest
    return isLeast(c, element) ? Outcome::Other : !isFloat && isGreatest(c, element) ? Outcome::Constant : Outcome::None;
  if (isa<MinOp>(op))
    return isGreatest(c, element) ? Outcome::Other : !isFloat && isLeast(c, element) ? Outcome::Constant : Outcome::None;
  if (isa<AndOp>(op))
    return isAllOnes(c) ? Outcome::Other : isZero(c) ? Outcome::Constant : Outcome::None;
  if (isa<OrOp>(op))
    return isZero(c) ? Outcome::Other : isAllOnes(c) ? Outcome::Constant : Outcome::None;
  if (isa<XorOp>(op))
    return isZero(c) ? Outcome::Other : isAllOnes(c) ? Outcome::NotOther : Outcome::None;
  if (isa<ShiftLeftOp, ShiftRightLogicalOp, ShiftRightArithmeticOp>(op))
    return isZero(c) ? Outcome::Other : Outcome::None;
  return Outcome::None;
}

// Any elementwise op of two operands with a neutral or absorbing splat on the right, or on the left of a
// commutative one.
struct NeutralOperand : RewritePattern {
  explicit NeutralOperand(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/2, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!op->hasTrait<IsElementwise>() || op->getNumOperands() != 2 || op->getNumResults() != 1)
      return failure();
    if (succeeded(tryRight(op, 0, 1, rewriter)))
      return success();
    return op->hasTrait<mlir::OpTrait::IsCommutative>() ? tryRight(op, 1, 0, rewriter) : failure();
  }

  static LogicalResult tryRight(Operation *op, unsigned other, unsigned constant, PatternRewriter &rewriter) {
    Value x = op->getOperand(other), c = op->getOperand(constant);
    std::optional<Scalar> scalar = splatScalar(c);
    Type type = op->getResult(0).getType();
    if (!scalar || x.getType() != type || c.getType() != type)
      return failure();
    switch (withRight(op, *scalar, getElementTypeOrSelf(type))) {
    case Outcome::None: return failure();
    case Outcome::Other: rewriter.replaceOp(op, x); return success();
    case Outcome::Constant: rewriter.replaceOp(op, c); return success();
    case Outcome::NotOther: rewriter.replaceOpWithNewOp<NotOp>(op, x); return success();
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
    if (!number || !number->isExactlyValue(2.0) || op.getLhs().getType() != op.getType())
      return failure();
    rewriter.replaceOpWithNewOp<MulOp>(op, op.getType(), op.getLhs(), op.getLhs());
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
    if (!inner || inner.getOperand().getType() != op.getType())
      return failure();
    rewriter.replaceOp(op, inner.getOperand());
    return success();
  }
};

// f(f(x)) is f(x).
template <typename OpT>
struct Idempotent : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    if (!op.getOperand().template getDefiningOp<OpT>() || op.getOperand().getType() != op.getType())
      return failure();
    rewriter.replaceOp(op, op.getOperand());
    return success();
  }
};

// min, max, and, or of x and x.
template <typename OpT>
struct SameOperands : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    if (op.getLhs() != op.getRhs() || op.getLhs().getType() != op.getType())
      return failure();
    rewriter.replaceOp(op, op.getLhs());
    return success();
  }
};

struct RealOfComplex : OpRewritePattern<RealOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(RealOp op, PatternRewriter &rewriter) const override {
    auto complex = op.getOperand().getDefiningOp<ComplexOp>();
    if (!complex || complex.getLhs().getType() != op.getType())
      return failure();
    rewriter.replaceOp(op, complex.getLhs());
    return success();
  }
};

struct ImagOfComplex : OpRewritePattern<ImagOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ImagOp op, PatternRewriter &rewriter) const override {
    auto complex = op.getOperand().getDefiningOp<ComplexOp>();
    if (!complex || complex.getRhs().getType() != op.getType())
      return failure();
    rewriter.replaceOp(op, complex.getRhs());
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

//===-----------------------------------------------------------------------------===//
// Conversions
//===-----------------------------------------------------------------------------===//

// Every value of `narrow` is a value of `wide`.
bool holdsAll(Type narrow, Type wide) {
  if (narrow == wide)
    return true;
  unsigned from = elementKind(narrow), to = elementKind(wide);
  constexpr unsigned integers = kBool | kInt | kUInt;
  if (from == kFloat && to == kFloat)
    return APFloat::isRepresentableBy(cast<FloatType>(narrow).getFloatSemantics(),
                                      cast<FloatType>(wide).getFloatSemantics());
  if (!(from & integers))
    return false;
  // Bits of magnitude; a sign takes one more.
  unsigned bits = elementBits(narrow) - (from == kInt ? 1 : 0);
  if (to == kInt)
    return elementBits(wide) - 1 >= bits;
  if (to == kUInt)
    return from != kInt && elementBits(wide) >= bits;
  return to == kFloat && cast<FloatType>(wide).getFPMantissaWidth() >= bits && !isa<Float8E8M0FNUType>(wide) &&
         elementBits(wide) >= 16 && !(wide.isF16() && bits > 15);
}

struct ConvertToSame : OpRewritePattern<ConvertOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvertOp op, PatternRewriter &rewriter) const override {
    if (op.getOperand().getType() != op.getType())
      return failure();
    rewriter.replaceOp(op, op.getOperand());
    return success();
  }
};

// A conversion through a type that holds all values is one conversion.
struct ConvertOfConvert : OpRewritePattern<ConvertOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvertOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<ConvertOp>();
    if (!inner)
      return failure();
    Type from = inner.getOperand().getType().getElementType();
    if (!holdsAll(from, inner.getType().getElementType()))
      return failure();
    rewriter.replaceOpWithNewOp<ConvertOp>(op, op.getType(), inner.getOperand());
    return success();
  }
};

struct BitcastToSame : OpRewritePattern<BitcastConvertOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BitcastConvertOp op, PatternRewriter &rewriter) const override {
    if (auto inner = op.getOperand().getDefiningOp<BitcastConvertOp>()) {
      rewriter.modifyOpInPlace(op, [&] { op.getOperandMutable().assign(inner.getOperand()); });
      return success();
    }
    if (op.getOperand().getType() != op.getType())
      return failure();
    rewriter.replaceOp(op, op.getOperand());
    return success();
  }
};

//===-----------------------------------------------------------------------------===//
// Predicates and selects
//===-----------------------------------------------------------------------------===//

struct SelectOfKnown : OpRewritePattern<SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SelectOp op, PatternRewriter &rewriter) const override {
    Value chosen;
    if (op.getOnTrue() == op.getOnFalse())
      chosen = op.getOnTrue();
    else if (std::optional<Scalar> pred = splatScalar(op.getPred()))
      chosen = isZero(*pred) ? op.getOnFalse() : op.getOnTrue();
    if (!chosen || chosen.getType() != op.getType())
      return failure();
    rewriter.replaceOp(op, chosen);
    return success();
  }
};

// select(not p, a, b) is select(p, b, a).
struct SelectOfNot : OpRewritePattern<SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SelectOp op, PatternRewriter &rewriter) const override {
    auto negation = op.getPred().getDefiningOp<NotOp>();
    if (!negation)
      return failure();
    rewriter.replaceOpWithNewOp<SelectOp>(op, op.getType(), negation.getOperand(), op.getOnFalse(), op.getOnTrue());
    return success();
  }
};

// A predicate that is one value everywhere may be that value, which a scalar decides.
struct SelectOfBroadcast : OpRewritePattern<SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SelectOp op, PatternRewriter &rewriter) const override {
    auto broadcast = op.getPred().getDefiningOp<BroadcastInDimOp>();
    if (!broadcast || broadcast.getOperand().getType().getRank() != 0)
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.getPredMutable().assign(broadcast.getOperand()); });
    return success();
  }
};

// Integers compared with themselves.
struct CompareOfSame : OpRewritePattern<CompareOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CompareOp op, PatternRewriter &rewriter) const override {
    unsigned kind = elementKind(op.getLhs().getType().getElementType());
    if (op.getLhs() != op.getRhs() || !(kind & (kBool | kInt | kUInt)) || !isStatic(op.getType()))
      return failure();
    ComparisonDirection direction = op.getComparisonDirection();
    bool result = direction == ComparisonDirection::EQ || direction == ComparisonDirection::GE ||
                  direction == ComparisonDirection::LE;
    rewriter.replaceOp(op, makeSplat(rewriter, op.getLoc(), op.getType(), APInt(1, result)));
    return success();
  }
};

} // namespace

void populateAlgebra(RewritePatternSet &patterns) {
  patterns.add<NeutralOperand, SquareOfPower, SelfInverse<NotOp>, SelfInverse<NegOp>, Idempotent<AbsOp>,
               Idempotent<FloorOp>, Idempotent<CeilOp>, SameOperands<MaxOp>, SameOperands<MinOp>, SameOperands<AndOp>,
               SameOperands<OrOp>, RealOfComplex, ImagOfComplex, ComplexOfParts, ConvertToSame, ConvertOfConvert,
               BitcastToSame, SelectOfKnown, SelectOfNot, SelectOfBroadcast, CompareOfSame>(patterns.getContext());
}

} // namespace tpuc::simplify
