// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes on rows as they lie before they are merged.
//
// PyTorch's linear layers merge batch and position: [8, 197, C] to [1576, C], a matmul, a bias, and back. 197 rows take
// 200 in tiles, so that both reshapes move the array. They go below what is computed row by row, where one undoes the
// other.
#include "passes/simplify/patterns.h"

using namespace mlir;

namespace tpuc::simplify {

using namespace tpuc::stablehlo;

namespace {

constexpr int64_t kLeastElements = 1 << 15;  // below, a copy costs little more than its launch

// The array before a reshape that merges dims into the last but one and moves all rows; null where there is none, or
// where unmerged rows would take a quarter more than their own bytes.
Value beforeMerge(Value value) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  if (!reshape || !isStatic(reshape.getType()) || !isStatic(reshape.getOperand().getType()) ||
      !reshape.getType().getElementType().isIntOrFloat())
    return {};
  ArrayRef<int64_t> from = reshape.getOperand().getType().getShape(), to = reshape.getType().getShape();
  if (to.size() < 2 || from.size() <= to.size() || from.back() != to.back() ||
      from.take_front(to.size() - 2) != to.take_front(to.size() - 2) || numElements(from) < kLeastElements)
    return {};
  int64_t rows = from[from.size() - 2], bytes = std::max(1u, reshape.getType().getElementTypeBitWidth() / 8);
  int64_t padded = llvm::alignTo(rows, std::max<int64_t>(8, 32 / bytes));
  return padded != rows && 4 * padded <= 5 * rows ? reshape.getOperand() : Value();
}

struct DotOfMergedRows : OpRewritePattern<DotGeneralOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DotGeneralOp op, PatternRewriter &rewriter) const override {
    Value before = beforeMerge(op.getLhs());
    auto n = op.getDotDimensionNumbers();
    int64_t rank = tensorType(op.getLhs()).getRank();
    if (!before || !n.getLhsBatchingDimensions().empty() ||
        n.getLhsContractingDimensions() != ArrayRef<int64_t>{rank - 1} || tensorType(op.getRhs()).getRank() != 2 ||
        !isStatic(op.getType()))
      return failure();
    SmallVector<int64_t> shape(tensorType(before).getShape().drop_back());
    shape.push_back(op.getType().getShape().back());
    auto numbers = DotDimensionNumbersAttr::get(op.getContext(), {}, {}, {tensorType(before).getRank() - 1},
                                                n.getRhsContractingDimensions());
    Value dot = DotGeneralOp::create(rewriter, op.getLoc(), tensorType(op.getResult()).clone(shape), before,
                                     op.getRhs(), numbers, op.getPrecisionConfigAttr(), op.getAlgorithmAttr());
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), dot);
    return success();
  }
};

// All operands are rows merged alike, or the same in every row of them.
struct ElementwiseOfMergedRows : RewritePattern {
  explicit ElementwiseOfMergedRows(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!op->hasTrait<IsElementwise>() || op->getNumResults() != 1) return failure();
    RankedTensorType result = tensorType(op->getResult(0));
    SmallVector<int64_t> shape;
    for (Value operand : op->getOperands()) {
      Value before = beforeMerge(operand);
      if (before && shape.empty())
        shape.assign(tensorType(before).getShape().begin(), tensorType(before).getShape().end());
      if (before ? tensorType(before).getShape() != ArrayRef<int64_t>(shape) : !isSameInRows(operand, result))
        return failure();
    }
    if (shape.empty()) return failure();
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) operands.push_back(unmerged(operand, shape, rewriter, op->getLoc()));
    Operation *moved = rewriter.clone(*op);
    rewriter.modifyOpInPlace(moved, [&] {
      moved->setOperands(operands);
      moved->getResult(0).setType(result.clone(shape));
    });
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, result, moved->getResult(0));
    return success();
  }

  static bool isSameInRows(Value operand, RankedTensorType result) {
    RankedTensorType type = tensorType(operand);
    if (type.getRank() == 0 || splatScalar(operand)) return true;
    auto broadcast = operand.getDefiningOp<BroadcastInDimOp>();
    return broadcast && isStatic(type) && type.getShape() == result.getShape() &&
           !llvm::is_contained(broadcast.getBroadcastDimensions(), type.getRank() - 2);
  }

  static Value unmerged(Value operand, ArrayRef<int64_t> shape, PatternRewriter &rewriter, Location location) {
    if (Value uniform = uniformAs(operand, shape, rewriter, location)) return uniform;
    RankedTensorType type = tensorType(operand);
    auto broadcast = operand.getDefiningOp<BroadcastInDimOp>();
    if (!broadcast) return beforeMerge(operand);
    int64_t added = shape.size() - type.getRank();
    SmallVector<int64_t> dims = llvm::map_to_vector(
        broadcast.getBroadcastDimensions(), [&](int64_t dim) { return dim == type.getRank() - 1 ? dim + added : dim; });
    return BroadcastInDimOp::create(rewriter, location, type.clone(shape), broadcast.getOperand(), dims);
  }
};

}  // namespace

void populateMergedRows(RewritePatternSet &patterns) {
  patterns.add<DotOfMergedRows, ElementwiseOfMergedRows>(patterns.getContext());
}

}  // namespace tpuc::simplify
