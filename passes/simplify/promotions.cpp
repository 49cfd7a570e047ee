//===- promotions.cpp - computations on wider elements than their arrays' ---------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The specification promotes what a reduction, a window or a scatter is given to the elements that its computation is
// on (is_promotable). Here the arrays are converted, so that nothing after this has to know.
//===-----------------------------------------------------------------------------===//
#include "passes/simplify/patterns.h"

using namespace mlir;

namespace tpuc::simplify {

using namespace tpuc::stablehlo;

namespace {

bool isPlain(Type element) { return element.isIntOrFloat() || isa<ComplexType>(element); }

// Elements are compared as they were.
void selectAsBefore(SelectAndScatterOp op, Type from, PatternRewriter &rewriter) {
  OpBuilder::InsertionGuard guard(rewriter);
  Block &select = op.getSelect().front();
  rewriter.setInsertionPointToStart(&select);
  auto scalar = cast<RankedTensorType>(select.getArgument(0).getType());
  for (BlockArgument argument : select.getArguments()) {
    argument.setType(tensorType(op.getResult()).clone(scalar.getShape()));
    auto narrow = ConvertOp::create(rewriter, op.getLoc(), scalar.clone(from), argument);
    rewriter.replaceAllUsesExcept(argument, narrow, narrow);
  }
}

template <typename OpT>
struct PromotedOperands : OpRewritePattern<OpT> {
  // Other rewrites see the op as it is then.
  explicit PromotedOperands(MLIRContext *context) : OpRewritePattern<OpT>(context, /*benefit=*/10) {}

  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    // Operands come as often as results, one after the other: inputs and what goes with them. Indices stand between
    // those of a scatter.
    unsigned results = op->getNumResults(),
             skipped = isa<ScatterOp>(op.getOperation()) ? results : op->getNumOperands();
    Type given = tensorType(op->getOperand(0)).getElementType();
    bool changed = false;
    for (OpOperand &operand : op->getOpOperands()) {
      unsigned i = operand.getOperandNumber();
      if (i == skipped) continue;
      Type from = tensorType(operand.get()).getElementType(),
           to = tensorType(op->getResult((i - (i > skipped)) % results)).getElementType();
      if (from == to || !isPlain(from) || !isPlain(to)) continue;
      Value wide = ConvertOp::create(rewriter, op.getLoc(), tensorType(operand.get()).clone(to), operand.get());
      rewriter.modifyOpInPlace(op, [&] { operand.set(wide); });
      changed = true;
    }
    if (auto pool = dyn_cast<SelectAndScatterOp>(op.getOperation());
        pool && changed && tensorType(pool.getResult()).getElementType() != given)
      rewriter.modifyOpInPlace(op, [&] { selectAsBefore(pool, given, rewriter); });
    return success(changed);
  }
};

}  // namespace

void populatePromotions(RewritePatternSet &patterns) {
  patterns.add<PromotedOperands<ReduceOp>, PromotedOperands<ReduceWindowOp>, PromotedOperands<ScatterOp>,
               PromotedOperands<SelectAndScatterOp>, PromotedOperands<AllReduceOp>, PromotedOperands<ReduceScatterOp>>(
      patterns.getContext());
}

}  // namespace tpuc::simplify
