//===- moves.cpp - broadcasts, reshapes, transposes, reverses ------------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/simplify/patterns.h"

using namespace mlir;

namespace tpuc::simplify {

using namespace tpuc::stablehlo;

namespace {

// An op that gives its operand back.
template <typename OpT>
LogicalResult forward(OpT op, Value operand, PatternRewriter &rewriter) {
  if (operand.getType() != op.getType()) return failure();
  rewriter.replaceOp(op, operand);
  return success();
}

bool isIdentity(ArrayRef<int64_t> permutation) {
  return llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size()));
}

//===-----------------------------------------------------------------------------===//
// Broadcasts
//===-----------------------------------------------------------------------------===//

struct BroadcastToSame : OpRewritePattern<BroadcastInDimOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastInDimOp op, PatternRewriter &rewriter) const override {
    return isIdentity(op.getBroadcastDimensions()) ? forward(op, op.getOperand(), rewriter) : failure();
  }
};

// Positions along a dimension are made in any shape. Those of types that the lanes don't hold take longer than a copy.
struct BroadcastOfIota : OpRewritePattern<BroadcastInDimOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastInDimOp op, PatternRewriter &rewriter) const override {
    auto iota = op.getOperand().getDefiningOp<IotaOp>();
    if (!iota || !isStatic(op.getType()) || !isStatic(iota.getType())) return failure();
    Type element = op.getType().getElementType();
    if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() > 32) return failure();
    const auto from = static_cast<int64_t>(iota.getIotaDimension()), to = op.getBroadcastDimensions()[from];
    if (iota.getType().getDimSize(from) != op.getType().getDimSize(to)) return failure();
    rewriter.replaceOpWithNewOp<IotaOp>(op, op.getType(), rewriter.getI64IntegerAttr(to));
    return success();
  }
};

// dims of dims
struct BroadcastOfBroadcast : OpRewritePattern<BroadcastInDimOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastInDimOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<BroadcastInDimOp>();
    if (!inner || !isStatic(op.getType()) || !isStatic(inner.getType())) return failure();
    SmallVector<int64_t> dims = llvm::map_to_vector(inner.getBroadcastDimensions(),
                                                    [&](int64_t dim) { return op.getBroadcastDimensions()[dim]; });
    rewriter.replaceOpWithNewOp<BroadcastInDimOp>(op, op.getType(), inner.getOperand(), dims);
    return success();
  }
};

// The dimensions of `wide` that hold those of `narrow` in order, all others being of size 1; of several
// choices among sizes of 1, the first.
std::optional<SmallVector<int64_t>> keptDims(ArrayRef<int64_t> narrow, ArrayRef<int64_t> wide) {
  SmallVector<int64_t> kept;
  for (auto [dim, size] : llvm::enumerate(wide)) {
    if (kept.size() < narrow.size() && narrow[kept.size()] == size)
      kept.push_back(dim);
    else if (size != 1)
      return std::nullopt;
  }
  return kept.size() == narrow.size() ? std::optional(kept) : std::nullopt;
}

// A broadcast of a reshape that only adds dimensions of size 1 spreads what was reshaped.
struct BroadcastOfUnitReshape : OpRewritePattern<BroadcastInDimOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastInDimOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<ReshapeOp>();
    if (!inner || !isStatic(op.getType()) || !isStatic(inner.getType())) return failure();
    auto kept = keptDims(inner.getOperand().getType().getShape(), inner.getType().getShape());
    if (!kept) return failure();
    SmallVector<int64_t> dims =
        llvm::map_to_vector(*kept, [&](int64_t dim) { return op.getBroadcastDimensions()[dim]; });
    rewriter.replaceOpWithNewOp<BroadcastInDimOp>(op, op.getType(), inner.getOperand(), dims);
    return success();
  }
};

// A broadcast that repeats nothing and keeps the order is a reshape.
struct BroadcastOfUnitDims : OpRewritePattern<BroadcastInDimOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastInDimOp op, PatternRewriter &rewriter) const override {
    RankedTensorType from = op.getOperand().getType(), to = op.getType();
    if (!isStatic(from) || !isStatic(to) || numElements(from.getShape()) != numElements(to.getShape()))
      return failure();
    // Dimensions of size 1 may stand anywhere.
    SmallVector<int64_t> places;
    for (auto [dim, place] : llvm::enumerate(op.getBroadcastDimensions()))
      if (from.getDimSize(dim) != 1) places.push_back(place);
    if (!llvm::is_sorted(places)) return failure();
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, to, op.getOperand());
    return success();
  }
};

// `broadcast` of HLO, with the dimensions spelled out.
struct BroadcastOfSizes : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastOp op, PatternRewriter &rewriter) const override {
    int64_t added = op.getBroadcastSizes().size();
    auto dims = llvm::to_vector(llvm::seq<int64_t>(added, added + op.getOperand().getType().getRank()));
    rewriter.replaceOpWithNewOp<BroadcastInDimOp>(op, op.getType(), op.getOperand(), dims);
    return success();
  }
};

//===-----------------------------------------------------------------------------===//
// Reshapes
//===-----------------------------------------------------------------------------===//

struct ReshapeToSame : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    return forward(op, op.getOperand(), rewriter);
  }
};

struct ReshapeOfReshape : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<ReshapeOp>();
    if (!inner) return failure();
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), inner.getOperand());
    return success();
  }
};

// A reshape that only drops or adds dimensions of size 1 of a broadcast is a broadcast.
struct UnitReshapeOfBroadcast : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<BroadcastInDimOp>();
    if (!inner || !isStatic(op.getType()) || !isStatic(inner.getType()) || !isStatic(inner.getOperand().getType()))
      return failure();
    ArrayRef<int64_t> from = inner.getType().getShape(), to = op.getType().getShape();
    SmallVector<int64_t> dims;
    if (auto kept = keptDims(from, to)) {
      dims = llvm::map_to_vector(inner.getBroadcastDimensions(), [&](int64_t dim) { return (*kept)[dim]; });
    } else if (auto dropped = keptDims(to, from)) {
      for (int64_t dim : inner.getBroadcastDimensions()) {
        auto *place = llvm::find(*dropped, dim);
        if (place == dropped->end()) return failure();
        dims.push_back(place - dropped->begin());
      }
    } else {
      return failure();
    }
    rewriter.replaceOpWithNewOp<BroadcastInDimOp>(op, op.getType(), inner.getOperand(), dims);
    return success();
  }
};

//===-----------------------------------------------------------------------------===//
// Transposes
//===-----------------------------------------------------------------------------===//

struct TransposeToSame : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    return isIdentity(op.getPermutation()) ? forward(op, op.getOperand(), rewriter) : failure();
  }
};

struct TransposeOfTranspose : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<TransposeOp>();
    if (!inner) return failure();
    SmallVector<int64_t> permutation =
        llvm::map_to_vector(op.getPermutation(), [&](int64_t dim) { return inner.getPermutation()[dim]; });
    rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(), inner.getOperand(), permutation);
    return success();
  }
};

// Dimensions of size 1 can move without moving an element.
struct TransposeOfUnitDims : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    RankedTensorType from = op.getOperand().getType();
    if (!isStatic(from) || !isStatic(op.getType())) return failure();
    SmallVector<int64_t> moved;
    for (int64_t dim : op.getPermutation())
      if (from.getDimSize(dim) != 1) moved.push_back(dim);
    if (!llvm::is_sorted(moved)) return failure();
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getOperand());
    return success();
  }
};

// Between reshapes, last dimensions that stay together are one: short ones would each take a row of lanes, as the 3
// colours of a pixel do.
struct TransposeOfShortRows : OpRewritePattern<TransposeOp> {
  static constexpr int64_t kShort = 128;  // lanes
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    auto split = op.getOperand().getDefiningOp<ReshapeOp>();
    const int64_t rank = op.getType().getRank();
    ArrayRef<int64_t> permutation = op.getPermutation();
    if (!split || !split->hasOneUse() || rank < 3 || !isStatic(op.getType())) return failure();
    if (!op->hasOneUse() || !isa<ReshapeOp>(*op->user_begin())) return failure();
    if (permutation[rank - 1] != rank - 1 || permutation[rank - 2] != rank - 2) return failure();
    RankedTensorType from = split.getType(), to = op.getType();
    if (from.getDimSize(rank - 1) >= kShort || from.getDimSize(rank - 2) == 1) return failure();
    auto joined = [&](RankedTensorType type) {
      SmallVector<int64_t> shape(type.getShape().drop_back());
      shape.back() *= type.getDimSize(rank - 1);
      return type.clone(shape);
    };
    Value in = ReshapeOp::create(rewriter, split.getLoc(), joined(from), split.getOperand());
    Value moved = TransposeOp::create(rewriter, op.getLoc(), joined(to), in, permutation.drop_back());
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, to, moved);
    return success();
  }
};

// Short windows of a gather go to other dimensions at once, where they and the indices stay in order: T5's biases by
// head. Long ones are rows, which move as such.
struct TransposeOfGather : OpRewritePattern<TransposeOp> {
  static constexpr int64_t kShort = 128;  // lanes
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    auto gather = op.getOperand().getDefiningOp<GatherOp>();
    if (!gather || !gather->hasOneUse() || !isStatic(op.getType())) return failure();
    int64_t window = 1;
    for (int64_t size : gather.getSliceSizes()) window *= size;
    if (window >= kShort) return failure();
    auto numbers = gather.getDimensionNumbers();
    SmallVector<int64_t> offsets, order[2];  // of the indices' dimensions, of the windows'
    for (auto [to, from] : llvm::enumerate(op.getPermutation())) {
      bool isOffset = llvm::is_contained(numbers.getOffsetDims(), from);
      order[isOffset].push_back(from);
      if (isOffset) offsets.push_back(to);
    }
    if (!llvm::is_sorted(order[0]) || !llvm::is_sorted(order[1])) return failure();
    auto moved = GatherDimensionNumbersAttr::get(
        op.getContext(), offsets, numbers.getCollapsedSliceDims(), numbers.getOperandBatchingDims(),
        numbers.getStartIndicesBatchingDims(), numbers.getStartIndexMap(), numbers.getIndexVectorDim());
    rewriter.replaceOpWithNewOp<GatherOp>(op, op.getType(), gather.getOperand(), gather.getStartIndices(), moved,
                                          gather.getSliceSizes(), gather.getIndicesAreSorted());
    return success();
  }
};

// The transpose of a broadcast places the dimensions elsewhere.
struct TransposeOfBroadcast : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<BroadcastInDimOp>();
    if (!inner || !isStatic(op.getType())) return failure();
    SmallVector<int64_t> dims = llvm::map_to_vector(inner.getBroadcastDimensions(), [&](int64_t dim) {
      return static_cast<int64_t>(llvm::find(op.getPermutation(), dim) - op.getPermutation().begin());
    });
    // Kept only where the operand's own order is, so that no transpose hides in a broadcast.
    if (!llvm::is_sorted(dims)) return failure();
    rewriter.replaceOpWithNewOp<BroadcastInDimOp>(op, op.getType(), inner.getOperand(), dims);
    return success();
  }
};

//===-----------------------------------------------------------------------------===//
// Reverses
//===-----------------------------------------------------------------------------===//

// Reversing one element does nothing.
struct ReverseOfUnitDims : OpRewritePattern<ReverseOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReverseOp op, PatternRewriter &rewriter) const override {
    SmallVector<int64_t> dims;
    for (int64_t dim : op.getDimensions()) {
      int64_t size = op.getType().getDimSize(dim);
      if (ShapedType::isDynamic(size) || size > 1) dims.push_back(dim);
    }
    if (dims.empty()) return forward(op, op.getOperand(), rewriter);
    if (dims.size() == op.getDimensions().size()) return failure();
    rewriter.modifyOpInPlace(op, [&] { op.setDimensions(dims); });
    return success();
  }
};

// A dimension reversed twice is in order again.
struct ReverseOfReverse : OpRewritePattern<ReverseOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReverseOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<ReverseOp>();
    if (!inner) return failure();
    SmallVector<int64_t> dims;
    for (int64_t dim = 0; dim < op.getType().getRank(); ++dim)
      if (llvm::is_contained(op.getDimensions(), dim) != llvm::is_contained(inner.getDimensions(), dim))
        dims.push_back(dim);
    rewriter.replaceOpWithNewOp<ReverseOp>(op, op.getType(), inner.getOperand(), dims);
    return success();
  }
};

}  // namespace

void populateMoves(RewritePatternSet &patterns) {
  patterns.add<BroadcastToSame, BroadcastOfIota, BroadcastOfBroadcast, BroadcastOfUnitReshape, BroadcastOfUnitDims,
               BroadcastOfSizes, ReshapeToSame, ReshapeOfReshape, UnitReshapeOfBroadcast, TransposeToSame,
               TransposeOfTranspose, TransposeOfUnitDims, TransposeOfShortRows, TransposeOfGather, TransposeOfBroadcast,
               ReverseOfUnitDims, ReverseOfReverse>(patterns.getContext());
}

}  // namespace tpuc::simplify
