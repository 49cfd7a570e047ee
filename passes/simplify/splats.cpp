//===- splats.cpp - operations on splats ------------------------------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/simplify/patterns.h"

using namespace mlir;

namespace tpuc::simplify {

using namespace tpuc::stablehlo;

namespace {

// An empty array is no splat of anything.
bool isFoldable(RankedTensorType type) { return isStatic(type) && numElements(type.getShape()) != 0; }

// An elementwise op whose operands are all splats.
struct FoldElementwise : RewritePattern {
  explicit FoldElementwise(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/3, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    bool bitcast = isa<BitcastConvertOp>(op);
    if ((!op->hasTrait<IsElementwise>() && !bitcast) || op->getNumResults() != 1 || op->getNumOperands() == 0)
      return failure();
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (!type || !isFoldable(type)) return failure();
    SmallVector<Scalar> operands;
    for (Value operand : op->getOperands()) {
      std::optional<Scalar> scalar = splatScalar(operand);
      if (!scalar) return failure();
      operands.push_back(*scalar);
    }
    std::optional<Scalar> result = evaluate(op, operands);
    if (!result) return failure();
    rewriter.replaceOp(op, makeSplat(rewriter, op->getLoc(), type, *result));
    return success();
  }
};

// A move of a splat is a splat: every element of the result is an element of the operand.
template <typename OpT>
struct FoldMove : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    DenseElementsAttr splat = splatConstant(op->getOperand(0));
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    if (!splat || !isFoldable(type) || type.getElementType() != splat.getElementType()) return failure();
    rewriter.replaceOpWithNewOp<ConstantOp>(op, type, cast<ElementsAttr>(splat.resizeSplat(type)));
    return success();
  }
};

// A constant array of another shape is the same array.
struct ReshapeOfConstant : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    auto constant = op.getOperand().getDefiningOp<ConstantOp>();
    auto elements = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : DenseElementsAttr();
    if (!elements || elements.isSplat() || !constant->hasOneUse() || !isStatic(op.getType()) ||
        isQuantized(op.getType()))
      return failure();
    rewriter.replaceOpWithNewOp<ConstantOp>(op, op.getType(), cast<ElementsAttr>(elements.reshape(op.getType())));
    return success();
  }
};

// A pad of a splat with the same value.
struct PadOfSplat : OpRewritePattern<PadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PadOp op, PatternRewriter &rewriter) const override {
    DenseElementsAttr operand = splatConstant(op.getOperand()), value = splatConstant(op.getPaddingValue());
    if (!operand || !value || !isFoldable(op.getType()) ||
        operand.getSplatValue<Attribute>() != value.getSplatValue<Attribute>())
      return failure();
    rewriter.replaceOpWithNewOp<ConstantOp>(op, op.getType(), cast<ElementsAttr>(operand.resizeSplat(op.getType())));
    return success();
  }
};

// The only index of a dimension of size 1 is 0.
struct IotaOfOne : OpRewritePattern<IotaOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IotaOp op, PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    Type element = type.getElementType();
    if (!isFoldable(type) || type.getDimSize(op.getIotaDimension()) != 1 ||
        !(elementKind(element) & (kInt | kUInt | kFloat)) || isa<Float8E8M0FNUType>(element))
      return failure();
    auto zero = cast<ElementsAttr>(cast<Attribute>(DenseElementsAttr::get(type, rewriter.getZeroAttr(element))));
    rewriter.replaceOpWithNewOp<ConstantOp>(op, type, zero);
    return success();
  }
};

struct SizeOfStatic : OpRewritePattern<GetDimensionSizeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GetDimensionSizeOp op, PatternRewriter &rewriter) const override {
    int64_t size = op.getOperand().getType().getDimSize(op.getDimension());
    if (ShapedType::isDynamic(size) || !llvm::isInt<32>(size)) return failure();
    rewriter.replaceOp(op, makeSplat(rewriter, op.getLoc(), op.getType(), APInt(32, size)));
    return success();
  }
};

}  // namespace

void populateSplats(RewritePatternSet &patterns) {
  patterns
      .add<FoldElementwise, FoldMove<BroadcastInDimOp>, FoldMove<ReshapeOp>, FoldMove<TransposeOp>, FoldMove<ReverseOp>,
           FoldMove<SliceOp>, FoldMove<DynamicSliceOp>, ReshapeOfConstant, PadOfSplat, IotaOfOne, SizeOfStatic>(
          patterns.getContext());
}

}  // namespace tpuc::simplify
