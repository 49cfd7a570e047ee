//===- legalize_chlo.cpp - writes chlo ops in stablehlo -------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/simplify/passes.h"
#include "passes/simplify/patterns.h"
#include "passes/simplify/special.h"

using namespace mlir;

namespace tpuc::simplify {
#define GEN_PASS_DEF_LEGALIZECHLOPASS
#include "passes/simplify/passes.h.inc"

namespace {

namespace hlo = tpuc::stablehlo;

//===-----------------------------------------------------------------------------===//
// Ops in short
//===-----------------------------------------------------------------------------===//

// Builds elementwise ops on values of one shape. Nested calls leave the order of the ops to the C++ compiler where two
// arguments build one; name all but one of them.
struct Emitter {
  OpBuilder &builder;
  Location location;
  RankedTensorType like;

  template <typename OpT, typename... Operands>
  Value emit(Operands... operands) {
    return OpT::create(builder, location, operands...);
  }
  Value splat(Type element, const Scalar &scalar) { return makeSplat(builder, location, like.clone(element), scalar); }
  Value integer(Type element, int64_t value) {
    return splat(element, APInt(element.getIntOrFloatBitWidth(), value, /*isSigned=*/true, /*implicitTrunc=*/true));
  }
  Value convert(Value value, Type element) { return emit<hlo::ConvertOp>(like.clone(element), value); }
  Value bitcast(Value value, Type element) { return emit<hlo::BitcastConvertOp>(like.clone(element), value); }
  Value compare(hlo::ComparisonDirection direction, Value a, Value b) {
    return hlo::CompareOp::create(builder, location, a, b, direction);
  }
};

Emitter emitterFor(Operation *op, PatternRewriter &rewriter) {
  return {rewriter, op->getLoc(), cast<RankedTensorType>(op->getResult(0).getType())};
}

//===-----------------------------------------------------------------------------===//
// Broadcasting forms
//===-----------------------------------------------------------------------------===//

// An operand in the result's shape: aligned at the last dimension, or by the dimensions given.
Value broadcastTo(PatternRewriter &rewriter, Location location, Value operand, ArrayRef<int64_t> shape,
                  std::optional<ArrayRef<int64_t>> given) {
  auto type = cast<RankedTensorType>(operand.getType());
  int64_t rank = type.getRank(), resultRank = shape.size();
  if (type.getShape() == shape) return operand;
  SmallVector<int64_t> dims = given && rank < resultRank
                                  ? SmallVector<int64_t>(*given)
                                  : llvm::to_vector(llvm::seq<int64_t>(resultRank - rank, resultRank));
  return hlo::BroadcastInDimOp::create(rewriter, location, type.clone(shape), operand, dims);
}

// The same op of stablehlo (or chlo, where that has it elementwise) on broadcast operands.
template <typename BroadcastT, typename TargetT>
struct LowerBroadcast : OpRewritePattern<BroadcastT> {
  using OpRewritePattern<BroadcastT>::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastT op, PatternRewriter &rewriter) const override {
    auto type = op.getType();
    if (!isStatic(type)) return failure();
    Value lhs = broadcastTo(rewriter, op.getLoc(), op.getLhs(), type.getShape(), op.getBroadcastDimensions());
    Value rhs = broadcastTo(rewriter, op.getLoc(), op.getRhs(), type.getShape(), op.getBroadcastDimensions());
    rewriter.replaceOpWithNewOp<TargetT>(op, type, lhs, rhs);
    return success();
  }
};

struct LowerBroadcastCompare : OpRewritePattern<chlo::BroadcastCompareOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(chlo::BroadcastCompareOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type || !isStatic(type)) return failure();
    Value lhs = broadcastTo(rewriter, op.getLoc(), op.getLhs(), type.getShape(), op.getBroadcastDimensions());
    Value rhs = broadcastTo(rewriter, op.getLoc(), op.getRhs(), type.getShape(), op.getBroadcastDimensions());
    auto kind = op.getCompareType() ? hlo::ComparisonTypeAttr::get(getContext(), *op.getCompareType())
                                    : hlo::ComparisonTypeAttr();
    rewriter.replaceOpWithNewOp<hlo::CompareOp>(op, type, lhs, rhs, op.getComparisonDirection(), kind);
    return success();
  }
};

struct LowerBroadcastSelect : OpRewritePattern<chlo::BroadcastSelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(chlo::BroadcastSelectOp op, PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    if (!isStatic(type)) return failure();
    auto spread = [&](Value value) { return broadcastTo(rewriter, op.getLoc(), value, type.getShape(), std::nullopt); };
    // A scalar predicate stays one.
    Value pred = op.getPred().getType().getRank() == 0 ? Value(op.getPred()) : spread(op.getPred());
    Value onTrue = spread(op.getOnTrue()), onFalse = spread(op.getOnFalse());
    rewriter.replaceOpWithNewOp<hlo::SelectOp>(op, type, pred, onTrue, onFalse);
    return success();
  }
};

//===-----------------------------------------------------------------------------===//
// Constants and predicates
//===-----------------------------------------------------------------------------===//

struct LowerConstant : OpRewritePattern<chlo::ConstantOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(chlo::ConstantOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<hlo::ConstantOp>(op, op.getType(), op.getValue());
    return success();
  }
};

struct LowerConstantLike : OpRewritePattern<chlo::ConstantLikeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(chlo::ConstantLikeOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type || !isStatic(type)) return failure();
    auto value = cast<ElementsAttr>(Attribute(DenseElementsAttr::get(type, Attribute(op.getValue()))));
    rewriter.replaceOpWithNewOp<hlo::ConstantOp>(op, type, value);
    return success();
  }
};

// Types without an infinity have none to find.
template <typename OpT>
struct LowerIsInf : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    if (!isStatic(op.getType())) return failure();
    Emitter e = emitterFor(op, rewriter);
    auto element = cast<FloatType>(op.getOperand().getType().getElementType());
    const llvm::fltSemantics &semantics = element.getFloatSemantics();
    if (!APFloat::semanticsHasInf(semantics)) {
      rewriter.replaceOp(op, e.splat(rewriter.getI1Type(), APInt(1, 0)));
      return success();
    }
    bool negative = std::is_same_v<OpT, chlo::IsNegInfOp>, either = std::is_same_v<OpT, chlo::IsInfOp>;
    Value x = op.getOperand();
    if (either) x = e.emit<hlo::AbsOp>(x);
    Value infinity = e.splat(element, APFloat::getInf(semantics, negative));
    rewriter.replaceOp(op, e.compare(hlo::ComparisonDirection::EQ, x, infinity));
    return success();
  }
};

//===-----------------------------------------------------------------------------===//
// Arithmetic
//===-----------------------------------------------------------------------------===//

struct LowerSquare : OpRewritePattern<chlo::SquareOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(chlo::SquareOp op, PatternRewriter &rewriter) const override {
    Value x = op.getOperand();
    if (!isa<ComplexType>(op.getType().getElementType())) {
      rewriter.replaceOpWithNewOp<hlo::MulOp>(op, op.getType(), x, x);
      return success();
    }
    // (re - im) (re + im) + 2 re im i
    Emitter e = emitterFor(op, rewriter);
    Value re = e.emit<hlo::RealOp>(x), im = e.emit<hlo::ImagOp>(x);
    Value difference = e.emit<hlo::SubtractOp>(re, im), sum = e.emit<hlo::AddOp>(re, im);
    Value real = e.emit<hlo::MulOp>(difference, sum), product = e.emit<hlo::MulOp>(re, im);
    rewriter.replaceOpWithNewOp<hlo::ComplexOp>(op, op.getType(), real, e.emit<hlo::AddOp>(product, product));
    return success();
  }
};

struct LowerConj : OpRewritePattern<chlo::ConjOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(chlo::ConjOp op, PatternRewriter &rewriter) const override {
    if (!isa<ComplexType>(op.getType().getElementType())) {
      rewriter.replaceOp(op, op.getOperand());
      return success();
    }
    Emitter e = emitterFor(op, rewriter);
    Value re = e.emit<hlo::RealOp>(op.getOperand()), im = e.emit<hlo::ImagOp>(op.getOperand());
    rewriter.replaceOpWithNewOp<hlo::ComplexOp>(op, op.getType(), re, e.emit<hlo::NegOp>(im));
    return success();
  }
};

struct LowerTan : OpRewritePattern<chlo::TanOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(chlo::TanOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<hlo::TanOp>(op, op.getType(), op.getOperand(), hlo::ResultAccuracyAttr());
    return success();
  }
};

// The next value towards y is one step of x's bits, away from zero or towards it.
struct LowerNextAfter : OpRewritePattern<chlo::NextAfterOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(chlo::NextAfterOp op, PatternRewriter &rewriter) const override {
    auto element = cast<FloatType>(op.getType().getElementType());
    if (!isStatic(op.getType()) || !(element.isF16() || element.isBF16() || element.isF32() || element.isF64()))
      return failure();
    using Direction = hlo::ComparisonDirection;
    Emitter e = emitterFor(op, rewriter);
    unsigned width = element.getWidth();
    Type bits = rewriter.getIntegerType(width);
    Value x = op.getLhs(), y = op.getRhs(), xBits = e.bitcast(x, bits), yBits = e.bitcast(y, bits);
    Value signMask = e.splat(bits, APInt::getSignMask(width)), absMask = e.splat(bits, APInt::getSignedMaxValue(width));
    Value xAbs = e.emit<hlo::AndOp>(xBits, absMask), yAbs = e.emit<hlo::AndOp>(yBits, absMask);
    Value xSign = e.emit<hlo::AndOp>(xBits, signMask), ySign = e.emit<hlo::AndOp>(yBits, signMask);

    // From zero, the smallest number of y's sign.
    Value one = e.integer(bits, 1), minusOne = e.integer(bits, -1);
    Value smallest = e.emit<hlo::OrOp>(ySign, one);
    // Else the magnitude shrinks if y's is smaller or on the other side.
    Value beyond = e.compare(Direction::GT, xAbs, yAbs), across = e.compare(Direction::NE, xSign, ySign);
    Value shrinks = e.emit<hlo::OrOp>(beyond, across);
    Value step = e.emit<hlo::SelectOp>(shrinks, minusOne, one);
    Value moved = e.emit<hlo::AddOp>(xBits, step);
    Value fromZero = e.compare(Direction::EQ, xAbs, e.integer(bits, 0));
    Value result = e.bitcast(e.emit<hlo::SelectOp>(fromZero, smallest, moved), element);

    result = e.emit<hlo::SelectOp>(e.compare(Direction::EQ, x, y), y, result);
    Value nan = e.splat(element, APFloat::getQNaN(element.getFloatSemantics()));
    Value xNan = e.compare(Direction::NE, x, x), yNan = e.compare(Direction::NE, y, y);
    Value anyNan = e.emit<hlo::OrOp>(xNan, yNan);
    rewriter.replaceOpWithNewOp<hlo::SelectOp>(op, op.getType(), anyNan, nan, result);
    return success();
  }
};

// The upper half of a product: of the doubled width where there is one, else of halves.
struct LowerMulhi : OpRewritePattern<chlo::MulhiOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(chlo::MulhiOp op, PatternRewriter &rewriter) const override {
    if (!isStatic(op.getType())) return failure();
    Emitter e = emitterFor(op, rewriter);
    auto element = cast<IntegerType>(op.getType().getElementType());
    rewriter.replaceOp(op, element.getWidth() < 64 ? viaWider(e, op.getLhs(), op.getRhs(), element)
                                                   : viaHalves(e, op.getLhs(), op.getRhs(), element));
    return success();
  }

  static Value viaWider(Emitter &e, Value a, Value b, IntegerType element) {
    auto wide = IntegerType::get(element.getContext(), 2 * element.getWidth(), element.getSignedness());
    Value wideA = e.convert(a, wide), wideB = e.convert(b, wide);
    Value product = e.emit<hlo::MulOp>(wideA, wideB);
    return e.convert(e.emit<hlo::ShiftRightLogicalOp>(product, e.integer(wide, element.getWidth())), element);
  }

  // With a = a1 2^32 + a0: a1 b1 + the carries of a1 b0 and a0 b1, less what signs add to unsigned products.
  static Value viaHalves(Emitter &e, Value a, Value b, IntegerType element) {
    auto add = [&](Value x, Value y) { return e.emit<hlo::AddOp>(x, y); };
    auto mul = [&](Value x, Value y) { return e.emit<hlo::MulOp>(x, y); };
    Value half = e.integer(element, 32), mask = e.integer(element, 0xffffffff), zero = e.integer(element, 0);
    auto low = [&](Value x) { return e.emit<hlo::AndOp>(x, mask); };
    auto high = [&](Value x) { return e.emit<hlo::ShiftRightLogicalOp>(x, half); };
    Value a0 = low(a), a1 = high(a), b0 = low(b), b1 = high(b);
    Value p00 = mul(a0, b0), p01 = mul(a0, b1), p10 = mul(a1, b0), p11 = mul(a1, b1);
    Value mid = add(p10, high(p00)), carry = add(p01, low(mid));
    Value carried = high(carry), result = add(add(p11, high(mid)), carried);
    if (element.isUnsigned()) return result;
    auto ifNegative = [&](Value x, Value y) {
      return e.emit<hlo::SelectOp>(e.compare(hlo::ComparisonDirection::LT, x, zero), y, zero);
    };
    result = e.emit<hlo::SubtractOp>(result, ifNegative(a, b));
    return e.emit<hlo::SubtractOp>(result, ifNegative(b, a));
  }
};

void populate(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<
      LowerBroadcast<chlo::BroadcastAddOp, hlo::AddOp>, LowerBroadcast<chlo::BroadcastAndOp, hlo::AndOp>,
      LowerBroadcast<chlo::BroadcastAtan2Op, hlo::Atan2Op>, LowerBroadcast<chlo::BroadcastComplexOp, hlo::ComplexOp>,
      LowerBroadcast<chlo::BroadcastDivOp, hlo::DivOp>, LowerBroadcast<chlo::BroadcastMaxOp, hlo::MaxOp>,
      LowerBroadcast<chlo::BroadcastMinOp, hlo::MinOp>, LowerBroadcast<chlo::BroadcastMulOp, hlo::MulOp>,
      LowerBroadcast<chlo::BroadcastNextAfterOp, chlo::NextAfterOp>, LowerBroadcast<chlo::BroadcastOrOp, hlo::OrOp>,
      LowerBroadcast<chlo::BroadcastPolygammaOp, chlo::PolygammaOp>, LowerBroadcast<chlo::BroadcastPowOp, hlo::PowOp>,
      LowerBroadcast<chlo::BroadcastRemOp, hlo::RemOp>, LowerBroadcast<chlo::BroadcastShiftLeftOp, hlo::ShiftLeftOp>,
      LowerBroadcast<chlo::BroadcastShiftRightArithmeticOp, hlo::ShiftRightArithmeticOp>,
      LowerBroadcast<chlo::BroadcastShiftRightLogicalOp, hlo::ShiftRightLogicalOp>,
      LowerBroadcast<chlo::BroadcastSubOp, hlo::SubtractOp>, LowerBroadcast<chlo::BroadcastXorOp, hlo::XorOp>,
      LowerBroadcast<chlo::BroadcastZetaOp, chlo::ZetaOp>>(context);
  patterns.add<LowerBroadcastCompare, LowerBroadcastSelect, LowerConstant, LowerConstantLike, LowerIsInf<chlo::IsInfOp>,
               LowerIsInf<chlo::IsNegInfOp>, LowerIsInf<chlo::IsPosInfOp>, LowerSquare, LowerConj, LowerTan,
               LowerNextAfter, LowerMulhi>(context);
  populateInverse(patterns);
  populateComplexInverse(patterns);
  populateComplexPower(patterns);
  populateErrorFunctions(patterns);
  populateGamma(patterns);
  populateZeta(patterns);
  populateBessel(patterns);
  populateCollections(patterns);
  populateRaggedDot(patterns);
}

struct LegalizeChlo : impl::LegalizeChloPassBase<LegalizeChlo> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populate(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    if (failed(applyPatternsGreedily(getOperation(), patterns))) signalPassFailure();
  }

  FrozenRewritePatternSet patterns;
};

}  // namespace
}  // namespace tpuc::simplify
