// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selects and comparisons.
#include "passes/simplify/patterns.h"

using namespace mlir;

namespace tpuc::simplify {

using namespace tpuc::stablehlo;

namespace {

struct SelectOfKnown : OpRewritePattern<SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SelectOp op, PatternRewriter &rewriter) const override {
    Value chosen;
    if (op.getOnTrue() == op.getOnFalse())
      chosen = op.getOnTrue();
    else if (std::optional<Scalar> pred = splatScalar(op.getPred()))
      chosen = isZero(*pred) ? op.getOnFalse() : op.getOnTrue();
    if (!chosen || chosen.getType() != op.getType()) return failure();
    rewriter.replaceOp(op, chosen);
    return success();
  }
};

// select(not p, a, b) is select(p, b, a).
struct SelectOfNot : OpRewritePattern<SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SelectOp op, PatternRewriter &rewriter) const override {
    auto negation = op.getPred().getDefiningOp<NotOp>();
    if (!negation) return failure();
    rewriter.replaceOpWithNewOp<SelectOp>(op, op.getType(), negation.getOperand(), op.getOnFalse(), op.getOnTrue());
    return success();
  }
};

// select(p, true, false) is p.
struct SelectOfBools : OpRewritePattern<SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SelectOp op, PatternRewriter &rewriter) const override {
    std::optional<Scalar> onTrue = splatScalar(op.getOnTrue()), onFalse = splatScalar(op.getOnFalse());
    if (!onTrue || !onFalse || elementKind(op.getType().getElementType()) != kBool ||
        op.getPred().getType() != op.getType() || isZero(*onTrue) == isZero(*onFalse))
      return failure();
    if (isZero(*onFalse))
      rewriter.replaceOp(op, op.getPred());
    else
      rewriter.replaceOpWithNewOp<NotOp>(op, op.getType(), op.getPred());
    return success();
  }
};

// A predicate that is one value everywhere may be that value, which a scalar decides.
struct SelectOfBroadcast : OpRewritePattern<SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SelectOp op, PatternRewriter &rewriter) const override {
    auto broadcast = op.getPred().getDefiningOp<BroadcastInDimOp>();
    if (!broadcast || broadcast.getOperand().getType().getRank() != 0) return failure();
    rewriter.modifyOpInPlace(op, [&] { op.getPredMutable().assign(broadcast.getOperand()); });
    return success();
  }
};

// Integers compared with themselves.
struct CompareOfSame : OpRewritePattern<CompareOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CompareOp op, PatternRewriter &rewriter) const override {
    unsigned kind = elementKind(op.getLhs().getType().getElementType());
    if (op.getLhs() != op.getRhs() || !(kind & (kBool | kInt | kUInt)) || !isStatic(op.getType())) return failure();
    ComparisonDirection direction = op.getComparisonDirection();
    bool result = direction == ComparisonDirection::EQ || direction == ComparisonDirection::GE ||
                  direction == ComparisonDirection::LE;
    rewriter.replaceOp(op, makeSplat(rewriter, op.getLoc(), op.getType(), APInt(1, result)));
    return success();
  }
};

bool isSameArray(Value a, Value b) {
  if (a == b) return true;
  DenseElementsAttr left = splatConstant(a), right = splatConstant(b);
  return left && left == right;
}

// Whether x is above its bound, or not, is known of max(x, bound) as well; so of min(x, bound), the other way round.
template <typename Bounded>
bool asksOfBounded(CompareOp op, Value x, Value bound) {
  if (op.getCompareType() == ComparisonType::TOTALORDER) return false;
  bool isLeft = op.getLhs() == x;
  if (!isSameArray(isLeft ? op.getRhs() : op.getLhs(), bound)) return false;
  bool isMax = std::is_same_v<Bounded, MaxOp>;
  ComparisonDirection direction = op.getComparisonDirection();
  return isMax == isLeft ? direction == ComparisonDirection::GT || direction == ComparisonDirection::LE
                         : direction == ComparisonDirection::LT || direction == ComparisonDirection::GE;
}

// x > c is max(x, c) > c, for NaN too. Where x has no other use it needn't be kept beside the maximum: a ReLU's
// gradient asks of the argument what the result says as well.
template <typename Bounded>
struct CompareOfBounded : OpRewritePattern<Bounded> {
  using OpRewritePattern<Bounded>::OpRewritePattern;
  LogicalResult matchAndRewrite(Bounded op, PatternRewriter &rewriter) const override {
    for (bool left : {true, false}) {
      Value x = left ? op.getLhs() : op.getRhs(), bound = left ? op.getRhs() : op.getLhs();
      SmallVector<CompareOp> compares;
      bool onlyAsked = llvm::all_of(x.getUsers(), [&](Operation *user) {
        if (user == op) return true;
        auto compare = dyn_cast<CompareOp>(user);
        if (!compare || !asksOfBounded<Bounded>(compare, x, bound)) return false;
        compares.push_back(compare);
        return compare->getBlock() == op->getBlock() && op->isBeforeInBlock(compare);
      });
      // An argument of the block is kept in any case.
      if (x == bound || isa<BlockArgument>(x) || !onlyAsked || compares.empty()) continue;
      for (CompareOp compare : compares)
        rewriter.modifyOpInPlace(compare, [&] { compare->replaceUsesOfWith(x, op.getResult()); });
      return success();
    }
    return failure();
  }
};

}  // namespace

void populatePredicates(RewritePatternSet &patterns) {
  patterns.add<SelectOfKnown, SelectOfNot, SelectOfBools, SelectOfBroadcast, CompareOfSame, CompareOfBounded<MaxOp>,
               CompareOfBounded<MinOp>>(patterns.getContext());
}

}  // namespace tpuc::simplify
