//===- motion.cpp - computes before dimensions of size 1 are added, not after -------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms and softmax reduce with keepdims: [B, T, D] to [B, T] to [B, T, 1], a few ops there, then a broadcast. In
// [B, T, 1] a tile holds one element of a row; in [B, T] it is full, and the broadcast takes in the reshape.
//===-----------------------------------------------------------------------------===//
#include "passes/simplify/patterns.h"

using namespace mlir;

namespace tpuc::simplify {

using namespace tpuc::stablehlo;

namespace {

// The operand before a reshape that only adds dimensions of size 1; null where there is none.
Value beforeUnitDims(Value value) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  if (!reshape || !isStatic(reshape.getType())) return {};
  auto withoutOnes = [](ArrayRef<int64_t> shape) {
    return llvm::to_vector(llvm::make_filter_range(shape, [](int64_t size) { return size != 1; }));
  };
  RankedTensorType from = reshape.getOperand().getType(), to = reshape.getType();
  bool onlyAdds = from.getRank() < to.getRank() && withoutOnes(from.getShape()) == withoutOnes(to.getShape());
  return onlyAdds ? reshape.getOperand() : Value();
}

// f(reshape x, reshape y, c..) is reshape f(x, y, c'..): every operand has been given the same dimensions, or is one
// value throughout.
struct ComputeBeforeUnitDims : RewritePattern {
  explicit ComputeBeforeUnitDims(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!op->hasTrait<IsElementwise>() || op->getNumResults() != 1) return failure();
    RankedTensorType result = tensorType(op->getResult(0));
    std::optional<SmallVector<int64_t>> shape = shapeBefore(op, result);
    if (!shape) return failure();

    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) operands.push_back(reshapedTo(operand, *shape, rewriter, op->getLoc()));
    Operation *moved = rewriter.clone(*op);
    rewriter.modifyOpInPlace(moved, [&] {
      moved->setOperands(operands);
      moved->getResult(0).setType(result.clone(*shape));
    });
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, result, moved->getResult(0));
    return success();
  }

  // The shape that all reshaped operands come from, if all others can follow.
  static std::optional<SmallVector<int64_t>> shapeBefore(Operation *op, RankedTensorType result) {
    std::optional<SmallVector<int64_t>> shape;
    for (Value operand : op->getOperands()) {
      RankedTensorType type = tensorType(operand);
      if (!isStatic(type)) return std::nullopt;
      if (type.getRank() == 0 || splatScalar(operand) || isScalarBroadcast(operand)) continue;
      Value before = beforeUnitDims(operand);
      if (!before || type.getShape() != result.getShape()) return std::nullopt;
      ArrayRef<int64_t> from = tensorType(before).getShape();
      if (shape && ArrayRef<int64_t>(*shape) != from) return std::nullopt;
      shape = SmallVector<int64_t>(from);
    }
    return shape;
  }

  static bool isScalarBroadcast(Value value) {
    auto broadcast = value.getDefiningOp<BroadcastInDimOp>();
    return broadcast && broadcast.getOperand().getType().getRank() == 0;
  }

  static Value reshapedTo(Value operand, ArrayRef<int64_t> shape, PatternRewriter &rewriter, Location location) {
    if (Value uniform = uniformAs(operand, shape, rewriter, location)) return uniform;
    if (isScalarBroadcast(operand))
      return BroadcastInDimOp::create(rewriter, location, tensorType(operand).clone(shape),
                                      operand.getDefiningOp<BroadcastInDimOp>().getOperand(), ArrayRef<int64_t>{});
    return beforeUnitDims(operand);
  }
};

}  // namespace

void populateMotion(RewritePatternSet &patterns) { patterns.add<ComputeBeforeUnitDims>(patterns.getContext()); }

}  // namespace tpuc::simplify
