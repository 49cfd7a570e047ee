//===- reductions.cpp - reductions and products over nothing -------------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/simplify/patterns.h"

using namespace mlir;

namespace tpuc::simplify {

using namespace tpuc::stablehlo;

namespace {

// The initial value leaves the other operand as it is. The specification lets an initial value enter any number of
// times, so a sum from either zero counts.
bool isNeutral(Operation *body, Value init) {
  std::optional<Scalar> scalar = splatScalar(init);
  if (!body || !scalar)
    return false;
  Type element = tensorType(init).getElementType();
  if (isa<AddOp>(body))
    return isZero(*scalar);
  if (isa<MulOp>(body))
    return isOne(*scalar);
  if (isa<MaxOp>(body))
    return isLeast(*scalar, element);
  if (isa<MinOp>(body))
    return isGreatest(*scalar, element);
  if (isa<AndOp>(body))
    return isAllOnes(*scalar);
  return isa<OrOp, XorOp>(body) && isZero(*scalar);
}

// Over dimensions of size 1, or over none, a reduction is a reshape.
struct ReduceOfOne : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    if (op.getInputs().size() != 1 || !isNeutral(op.getSimpleBodyOp(), op.getInitValues().front()))
      return failure();
    RankedTensorType input = tensorType(op.getInputs().front()), result = tensorType(op.getResult(0));
    bool one = llvm::all_of(op.getDimensions(), [&](int64_t dim) { return input.getDimSize(dim) == 1; });
    if (!one || !isStatic(input) || input.getElementType() != result.getElementType())
      return failure();
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, result, op.getInputs().front());
    return success();
  }
};

// Over no element, the results are the initial values.
struct ReduceOfEmpty : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    RankedTensorType input = tensorType(op.getInputs().front());
    if (!isStatic(input) || numElements(input.getShape()) != 0)
      return failure();
    SmallVector<Value> results;
    for (auto [init, result] : llvm::zip_equal(op.getInitValues(), op.getResults())) {
      RankedTensorType type = tensorType(result);
      if (tensorType(init).getElementType() != type.getElementType() || tensorType(init).getRank() != 0)
        return failure();
      results.push_back(BroadcastInDimOp::create(rewriter, op.getLoc(), type, init, ArrayRef<int64_t>{}));
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

// A product over no element is zero.
struct DotOfEmpty : OpRewritePattern<DotGeneralOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DotGeneralOp op, PatternRewriter &rewriter) const override {
    RankedTensorType lhs = tensorType(op.getLhs()), rhs = tensorType(op.getRhs()), result = tensorType(op.getResult());
    if (!isStatic(lhs) || !isStatic(rhs) || !isStatic(result) || (numElements(lhs.getShape()) != 0 && numElements(rhs.getShape()) != 0))
      return failure();
    if (auto type = dyn_cast<FloatType>(result.getElementType()))
      rewriter.replaceOp(op, makeSplat(rewriter, op.getLoc(), result, APFloat::getZero(type.getFloatSemantics())));
    else if (auto type = dyn_cast<IntegerType>(result.getElementType()))
      rewriter.replaceOp(op, makeSplat(rewriter, op.getLoc(), result, APInt::getZero(type.getWidth())));
    else
      return failure();
    return success();
  }
};

} // namespace

void populateReductions(RewritePatternSet &patterns) { patterns.add<ReduceOfOne, ReduceOfEmpty, DotOfEmpty>(patterns.getContext()); }

} // namespace tpuc::simplify
