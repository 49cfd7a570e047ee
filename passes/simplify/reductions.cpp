//===- reductions.cpp - reductions over nothing and of several, products of what repeats --------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "llvm/ADT/SetVector.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/simplify/patterns.h"

using namespace mlir;

namespace tpuc::simplify {

using namespace tpuc::stablehlo;

namespace {

// The initial value leaves the other operand as it is. The specification lets an initial value enter any number of
// times, so a sum from either zero counts.
bool isNeutral(Operation *body, Value init) {
  std::optional<Scalar> scalar = splatScalar(init);
  if (!body || !scalar) return false;
  Type element = tensorType(init).getElementType();
  if (isa<AddOp>(body)) return isZero(*scalar);
  if (isa<MulOp>(body)) return isOne(*scalar);
  if (isa<MaxOp>(body)) return isLeast(*scalar, element);
  if (isa<MinOp>(body)) return isGreatest(*scalar, element);
  if (isa<AndOp>(body)) return isAllOnes(*scalar);
  return isa<OrOp, XorOp>(body) && isZero(*scalar);
}

// Over dimensions of size 1, or over none, a reduction is a reshape.
struct ReduceOfOne : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    if (op.getInputs().size() != 1 || !isNeutral(op.getSimpleBodyOp(), op.getInitValues().front())) return failure();
    RankedTensorType input = tensorType(op.getInputs().front()), result = tensorType(op.getResult(0));
    bool one = llvm::all_of(op.getDimensions(), [&](int64_t dim) { return input.getDimSize(dim) == 1; });
    if (!one || !isStatic(input) || input.getElementType() != result.getElementType()) return failure();
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, result, op.getInputs().front());
    return success();
  }
};

// Over no element, the results are the initial values.
struct ReduceOfEmpty : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    RankedTensorType input = tensorType(op.getInputs().front());
    if (!isStatic(input) || numElements(input.getShape()) != 0) return failure();
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

// What a result of a reduction's body is computed by, in order, where that reads its own operand's arguments and
// nothing else of the body.
std::optional<SmallVector<Operation *>> computedApart(Block &body, unsigned result, unsigned count) {
  SetVector<Operation *> needed;
  SmallVector<Value> open{body.getTerminator()->getOperand(result)};
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == &body) {
      if (argument.getArgNumber() % count != result) return std::nullopt;
    } else if (Operation *op = value.getDefiningOp(); op && op->getBlock() == &body && needed.insert(op)) {
      if (op->getNumRegions() != 0 || !isMemoryEffectFree(op)) return std::nullopt;
      llvm::append_range(open, op->getOperands());
    }
  }
  SmallVector<Operation *> ops = needed.takeVector();
  llvm::sort(ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ops;
}

// Reductions of several operands of which none looks at another are one each: plain sums and maxima, of which the
// kernels know more.
struct ReduceOfSeveral : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    unsigned count = op.getInputs().size();
    Block &body = op.getBody().front();
    SmallVector<std::optional<SmallVector<Operation *>>> apart;
    for (unsigned i = 0; i < count; ++i) apart.push_back(computedApart(body, i, count));
    if (count < 2 || llvm::is_contained(apart, std::nullopt)) return failure();
    SmallVector<Value> results;
    for (unsigned i = 0; i < count; ++i) {
      auto one = ReduceOp::create(rewriter, op.getLoc(), TypeRange(op.getResult(i).getType()),
                                  ValueRange(op.getInputs()[i]), ValueRange(op.getInitValues()[i]), op.getDimensions());
      OpBuilder::InsertionGuard guard(rewriter);
      BlockArgument left = body.getArgument(i), right = body.getArgument(count + i);
      Block *block =
          rewriter.createBlock(&one.getBody(), {}, {left.getType(), right.getType()}, {left.getLoc(), right.getLoc()});
      IRMapping map;
      map.map(left, block->getArgument(0));
      map.map(right, block->getArgument(1));
      for (Operation *inner : *apart[i]) rewriter.clone(*inner, map);
      ReturnOp::create(rewriter, op.getLoc(), map.lookupOrDefault(body.getTerminator()->getOperand(i)));
      results.push_back(one.getResult(0));
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
    if (!isStatic(lhs) || !isStatic(rhs) || !isStatic(result) ||
        (numElements(lhs.getShape()) != 0 && numElements(rhs.getShape()) != 0))
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

// A batch dim along which one operand repeats is a free dim of the other: weights that a framework has spread over the
// batch are one matrix, read once.
struct DotOfRepeated : OpRewritePattern<DotGeneralOp> {
  using OpRewritePattern::OpRewritePattern;

  // The operand's dims along which it says the same again and again.
  static SmallVector<int64_t> repeatedDims(BroadcastInDimOp op) {
    RankedTensorType from = tensorType(op.getOperand()), to = tensorType(op.getResult());
    SmallVector<int64_t> out;
    for (int64_t d = 0; d < to.getRank(); ++d) {
      auto *it = llvm::find(op.getBroadcastDimensions(), d);
      if (it == op.getBroadcastDimensions().end() ||
          (from.getDimSize(it - op.getBroadcastDimensions().begin()) == 1 && to.getDimSize(d) != 1))
        out.push_back(d);
    }
    return out;
  }

  // The broadcast without `dims`, which are among its repeated ones.
  static Value without(PatternRewriter &rewriter, BroadcastInDimOp op, ArrayRef<int64_t> dims) {
    RankedTensorType from = tensorType(op.getOperand()), to = tensorType(op.getResult());
    SmallVector<int64_t> source, shape, places, at(to.getRank(), -1);
    for (int64_t d = 0; d < to.getRank(); ++d)
      if (!llvm::is_contained(dims, d)) {
        at[d] = shape.size();
        shape.push_back(to.getDimSize(d));
      }
    for (auto [i, d] : llvm::enumerate(op.getBroadcastDimensions()))
      if (at[d] >= 0) {
        source.push_back(from.getDimSize(i));
        places.push_back(at[d]);
      }
    Value operand = op.getOperand();
    if (static_cast<int64_t>(source.size()) != from.getRank())
      operand = ReshapeOp::create(rewriter, op.getLoc(), from.clone(source), operand);
    return BroadcastInDimOp::create(rewriter, op.getLoc(), to.clone(shape), operand, places);
  }

  LogicalResult matchAndRewrite(DotGeneralOp op, PatternRewriter &rewriter) const override {
    for (bool right : {true, false})
      if (succeeded(rewriteSide(op, right, rewriter))) return success();
    return failure();
  }

  static LogicalResult rewriteSide(DotGeneralOp op, bool right, PatternRewriter &rewriter) {
    auto broadcast = (right ? op.getRhs() : op.getLhs()).getDefiningOp<BroadcastInDimOp>();
    RankedTensorType result = tensorType(op.getResult());
    if (!broadcast || !isStatic(tensorType(broadcast.getResult())) || !isStatic(tensorType(broadcast.getOperand())) ||
        !isStatic(result))
      return failure();
    auto n = op.getDotDimensionNumbers();
    ArrayRef<int64_t> lhsBatch = n.getLhsBatchingDimensions(), rhsBatch = n.getRhsBatchingDimensions();
    SmallVector<int64_t> repeated = repeatedDims(broadcast), dropped, ours, theirs, kept;
    for (auto [i, dims] : llvm::enumerate(llvm::zip_equal(lhsBatch, rhsBatch))) {
      auto [l, r] = dims;
      if (llvm::is_contained(repeated, right ? r : l)) {
        dropped.push_back(right ? r : l);
      } else {
        kept.push_back(i);
        ours.push_back(right ? r : l);
        theirs.push_back(right ? l : r);
      }
    }
    if (dropped.empty()) return failure();
    auto renumber = [&](ArrayRef<int64_t> dims) {
      return llvm::map_to_vector(
          dims, [&](int64_t d) { return d - llvm::count_if(dropped, [&](int64_t x) { return x < d; }); });
    };
    Value one = without(rewriter, broadcast, dropped), lhs = right ? op.getLhs() : one, rhs = right ? one : op.getRhs();
    SmallVector<int64_t> oursContract =
        renumber(right ? n.getRhsContractingDimensions() : n.getLhsContractingDimensions());
    SmallVector<int64_t> theirsContract(right ? n.getLhsContractingDimensions() : n.getRhsContractingDimensions());
    ours = renumber(ours);
    auto numbers = right ? DotDimensionNumbersAttr::get(op.getContext(), theirs, ours, theirsContract, oursContract)
                         : DotDimensionNumbersAttr::get(op.getContext(), ours, theirs, oursContract, theirsContract);

    // The new result's dims by the old result's.
    SmallVector<int64_t> order(kept);
    int64_t next = lhsBatch.size();
    for (bool side : {false, true}) {
      ArrayRef<int64_t> batch = side ? rhsBatch : lhsBatch,
                        contract = side ? n.getRhsContractingDimensions() : n.getLhsContractingDimensions();
      for (int64_t d = 0, rank = tensorType(side ? op.getRhs() : op.getLhs()).getRank(); d < rank; ++d) {
        if (auto *it = llvm::find(batch, d); it != batch.end()) {
          int64_t i = it - batch.begin();
          if (side != right && !llvm::is_contained(kept, i)) order.push_back(i);
        } else if (!llvm::is_contained(contract, d)) {
          order.push_back(next++);
        }
      }
    }
    SmallVector<int64_t> shape = llvm::map_to_vector(order, [&](int64_t d) { return result.getDimSize(d); }),
                         back(order.size());
    for (auto [i, d] : llvm::enumerate(order)) back[d] = i;
    Value out = DotGeneralOp::create(rewriter, op.getLoc(), result.clone(shape), lhs, rhs, numbers,
                                     op.getPrecisionConfigAttr(), op.getAlgorithmAttr());
    if (!llvm::is_sorted(order)) out = TransposeOp::create(rewriter, op.getLoc(), result, out, back);
    rewriter.replaceOp(op, out);
    return success();
  }
};

}  // namespace

void populateReductions(RewritePatternSet &patterns) {
  patterns.add<ReduceOfOne, ReduceOfEmpty, ReduceOfSeveral, DotOfEmpty, DotOfRepeated>(patterns.getContext());
}

}  // namespace tpuc::simplify
