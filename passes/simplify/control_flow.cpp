//===- control_flow.cpp - branches of known predicates, loops that never run, tuples ------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/simplify/patterns.h"

using namespace mlir;

namespace tpuc::simplify {

using namespace tpuc::stablehlo;

namespace {

// Replaces an op by the body of one of its regions, which has no arguments.
LogicalResult takeBranch(Operation *op, Region &branch, PatternRewriter &rewriter) {
  Block &block = branch.front();
  auto terminator = cast<ReturnOp>(block.getTerminator());
  if (TypeRange(terminator.getOperandTypes()) != TypeRange(op->getResultTypes())) return failure();
  SmallVector<Value> results(terminator.getOperands());
  rewriter.eraseOp(terminator);
  rewriter.inlineBlockBefore(&block, op);
  rewriter.replaceOp(op, results);
  return success();
}

struct IfOfKnown : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IfOp op, PatternRewriter &rewriter) const override {
    std::optional<Scalar> pred = splatScalar(op.getPred());
    if (!pred) return failure();
    return takeBranch(op, isZero(*pred) ? op.getFalseBranch() : op.getTrueBranch(), rewriter);
  }
};

// An index out of range takes the last branch.
struct CaseOfKnown : OpRewritePattern<CaseOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CaseOp op, PatternRewriter &rewriter) const override {
    std::optional<Scalar> index = splatScalar(op.getIndex());
    if (!index && op.getBranches().size() > 1) return failure();
    int64_t last = op.getBranches().size() - 1;
    int64_t value = index ? std::get<APInt>(*index).getSExtValue() : 0;
    return takeBranch(op, op.getBranches()[value < 0 || value > last ? last : value], rewriter);
  }
};

// A condition that is false from the start.
struct WhileOfNever : OpRewritePattern<WhileOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(WhileOp op, PatternRewriter &rewriter) const override {
    auto terminator = cast<ReturnOp>(op.getCond().front().getTerminator());
    std::optional<Scalar> condition = splatScalar(terminator.getOperand(0));
    if (!condition || !isZero(*condition) || TypeRange(op.getOperandTypes()) != TypeRange(op.getResultTypes()))
      return failure();
    rewriter.replaceOp(op, op.getOperand());
    return success();
  }
};

// A constant that a loop hands on unchanged is that constant inside, where ops fold with it, and behind the loop.
struct ConstantOfLoop : OpRewritePattern<WhileOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(WhileOp op, PatternRewriter &rewriter) const override {
    Operation *end = op.getBody().front().getTerminator();
    bool changed = false;
    for (auto [i, initial] : llvm::enumerate(op.getOperands())) {
      if (!initial.getDefiningOp<ConstantOp>() || end->getOperand(i) != op.getBody().getArgument(i)) continue;
      for (Value v : {Value(op.getCond().getArgument(i)), Value(op.getBody().getArgument(i)), Value(op.getResult(i))}) {
        if (v.getType() != initial.getType()) continue;
        rewriter.replaceUsesWithIf(v, initial, [&](OpOperand &use) {
          const bool isRead = use.getOwner() != end;
          changed |= isRead;
          return isRead;
        });
      }
    }
    return success(changed);
  }
};

struct ElementOfTuple : OpRewritePattern<GetTupleElementOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GetTupleElementOp op, PatternRewriter &rewriter) const override {
    auto tuple = op.getOperand().getDefiningOp<TupleOp>();
    if (!tuple || tuple.getVal()[op.getIndex()].getType() != op.getType()) return failure();
    rewriter.replaceOp(op, tuple.getVal()[op.getIndex()]);
    return success();
  }
};

}  // namespace

void populateControlFlow(RewritePatternSet &patterns) {
  patterns.add<IfOfKnown, CaseOfKnown, WhileOfNever, ConstantOfLoop, ElementOfTuple>(patterns.getContext());
}

}  // namespace tpuc::simplify
