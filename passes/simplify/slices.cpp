//===- slices.cpp - slices, pads, concatenations, dynamic slices of known places --------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/simplify/patterns.h"

using namespace mlir;

namespace tpuc::simplify {

using namespace tpuc::stablehlo;

namespace {

//===-----------------------------------------------------------------------------===//
// Slices
//===-----------------------------------------------------------------------------===//

// A slice of the whole. Sizes that are equal leave room for no other start, and no stride past the first element.
struct SliceOfWhole : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op, PatternRewriter &rewriter) const override {
    if (op.getOperand().getType() != op.getType() || !isStatic(op.getType())) return failure();
    rewriter.replaceOp(op, op.getOperand());
    return success();
  }
};

struct SliceOfSlice : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<SliceOp>();
    if (!inner || !isStatic(op.getType())) return failure();
    SmallVector<int64_t> starts, limits, strides;
    for (int64_t dim = 0; dim < op.getType().getRank(); ++dim) {
      int64_t size = op.getType().getDimSize(dim);
      starts.push_back(inner.getStartIndices()[dim] + op.getStartIndices()[dim] * inner.getStrides()[dim]);
      // One element needs no stride, and a product of strides may not fit.
      std::optional<int64_t> stride = checkedMul(inner.getStrides()[dim], op.getStrides()[dim]);
      strides.push_back(size > 1 && stride ? *stride : 1);
      limits.push_back(size == 0 ? starts.back() : starts.back() + (size - 1) * strides.back() + 1);
    }
    rewriter.replaceOpWithNewOp<SliceOp>(op, op.getType(), inner.getOperand(), starts, limits, strides);
    return success();
  }
};

// A slice within one input of a concatenation.
struct SliceOfConcatenate : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<ConcatenateOp>();
    if (!inner || !isStatic(op.getType()) || !isStatic(inner.getType())) return failure();
    int64_t dim = inner.getDimension(), start = op.getStartIndices()[dim], limit = op.getLimitIndices()[dim];
    int64_t offset = 0;
    for (Value input : inner.getInputs()) {
      int64_t size = tensorType(input).getDimSize(dim);
      if (start >= offset && limit <= offset + size && start < limit) {
        SmallVector<int64_t> starts(op.getStartIndices()), limits(op.getLimitIndices());
        starts[dim] -= offset;
        limits[dim] -= offset;
        rewriter.replaceOpWithNewOp<SliceOp>(op, op.getType(), input, starts, limits, op.getStrides());
        return success();
      }
      offset += size;
    }
    return failure();
  }
};

// A part of a padded array that nothing else reads is a part of the array with less padding.
struct SliceOfPad : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op, PatternRewriter &rewriter) const override {
    auto pad = op.getOperand().getDefiningOp<PadOp>();
    if (!pad || !pad->hasOneUse() || !isStatic(pad.getOperand().getType()) || !isStatic(op.getType()) ||
        llvm::any_of(op.getStrides(), [](int64_t stride) { return stride != 1; }))
      return failure();
    SmallVector<int64_t> starts, limits, lows, highs;
    for (int64_t dim = 0; dim < op.getType().getRank(); ++dim) {
      const int64_t start = op.getStartIndices()[dim], limit = op.getLimitIndices()[dim],
                    size = pad.getOperand().getType().getDimSize(dim), first = pad.getEdgePaddingLow()[dim],
                    whole = pad.getType().getDimSize(dim);
      const bool isCut = start != 0 || limit != whole;
      if (isCut && pad.getInteriorPadding()[dim] != 0) return failure();
      starts.push_back(isCut ? std::clamp<int64_t>(start - first, 0, size) : 0);
      limits.push_back(isCut ? std::clamp<int64_t>(limit - first, starts.back(), size) : size);
      lows.push_back(isCut ? std::max<int64_t>(0, std::min(limit, first) - start) : first);
      highs.push_back(isCut ? limit - start - lows.back() - (limits.back() - starts.back())
                            : pad.getEdgePaddingHigh()[dim]);
    }
    SmallVector<int64_t> strides(starts.size(), 1);
    Value part = SliceOp::create(rewriter, op.getLoc(), pad.getOperand(), rewriter.getDenseI64ArrayAttr(starts),
                                 rewriter.getDenseI64ArrayAttr(limits), rewriter.getDenseI64ArrayAttr(strides));
    rewriter.replaceOpWithNewOp<PadOp>(op, op.getType(), part, pad.getPaddingValue(), lows, highs,
                                       pad.getInteriorPadding());
    return success();
  }
};

// A slice of a broadcast along dimensions that repeat is a smaller broadcast.
struct SliceOfBroadcast : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<BroadcastInDimOp>();
    if (!inner || !isStatic(op.getType()) || !isStatic(inner.getType()) || !isStatic(inner.getOperand().getType()))
      return failure();
    for (auto [dim, place] : llvm::enumerate(inner.getBroadcastDimensions()))
      if (inner.getOperand().getType().getDimSize(dim) != 1 &&
          op.getType().getDimSize(place) != inner.getType().getDimSize(place))
        return failure();
    // Each of the operand's dimensions has size 1 where the slice cuts, or is whole. Size 1 fits the smaller broadcast
    // too.
    rewriter.replaceOpWithNewOp<BroadcastInDimOp>(op, op.getType(), inner.getOperand(), inner.getBroadcastDimensions());
    return success();
  }
};

// Parts of something that moves elements are taken before it moves them, where nothing wants the whole.
bool onlySliced(Operation *op) {
  return llvm::all_of(op->getUsers(), [](Operation *user) { return isa<SliceOp>(user); });
}

// A reshape's result only: what a matmul makes is written transposed at no cost, and its slices are then whole runs.
struct SliceOfTranspose : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<TransposeOp>();
    if (!inner || !onlySliced(inner) || !inner.getOperand().getDefiningOp<ReshapeOp>() || !isStatic(op.getType()) ||
        !isStatic(inner.getType()))
      return failure();
    SmallVector<int64_t> starts(op.getType().getRank()), limits(starts), strides(starts), shape(starts);
    for (auto [to, from] : llvm::enumerate(inner.getPermutation())) {
      starts[from] = op.getStartIndices()[to];
      limits[from] = op.getLimitIndices()[to];
      strides[from] = op.getStrides()[to];
      shape[from] = op.getType().getDimSize(to);
    }
    Value part =
        SliceOp::create(rewriter, op.getLoc(), op.getType().clone(shape), inner.getOperand(), starts, limits, strides);
    rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(), part, inner.getPermutation());
    return success();
  }
};

// A slice behind a reshape that splits a dim. The slice takes some of the outer parts with all that they hold, or cuts
// other dims only.
struct SliceOfReshape : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;

  // The slice of one dim of the operand, as start and limit, that `dims` of the result are all of; nothing where there
  // is none.
  static std::optional<std::pair<int64_t, int64_t>> partOf(SliceOp op, ArrayRef<int64_t> dims) {
    ArrayRef<int64_t> whole = tensorType(op.getOperand()).getShape();
    int64_t inner = 1, start = 0, limit = 1;
    bool cut = false;
    for (int64_t dim : llvm::reverse(dims)) {
      if (whole[dim] == 1) continue;
      if (cut) return std::nullopt;
      start += op.getStartIndices()[dim] * inner;
      limit = start + (op.getLimitIndices()[dim] - op.getStartIndices()[dim]) * inner;
      cut |= op.getType().getDimSize(dim) != whole[dim];
      inner *= whole[dim];
    }
    return std::pair(start, limit);
  }

  LogicalResult matchAndRewrite(SliceOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getOperand().getDefiningOp<ReshapeOp>();
    if (!inner || !onlySliced(inner) || !isStatic(op.getType()) || !isStatic(inner.getType()) ||
        !isStatic(inner.getOperand().getType()) || numElements(op.getType().getShape()) == 0 ||
        llvm::any_of(op.getStrides(), [](int64_t stride) { return stride != 1; }))
      return failure();
    ArrayRef<int64_t> from = inner.getOperand().getType().getShape(), to = inner.getType().getShape();
    SmallVector<int64_t> starts(from.size(), 0), limits(from), shape(from);
    // Runs of dims, outermost first, that hold as many elements on both sides.
    for (size_t i = 0, j = 0; i < from.size() || j < to.size();) {
      SmallVector<int64_t> its, ours;
      int64_t left = 1, right = 1;
      do {
        bool unit =
            left == right && (i == from.size() || from[i] != 1) && !its.empty();  // only the result has one here
        if (i < from.size() && (left <= right || j == to.size()) && !unit) {
          left *= from[i];
          its.push_back(i++);
        } else {
          right *= to[j];
          ours.push_back(j++);
        }
      } while (left != right || (i < from.size() && from[i] == 1) || (j < to.size() && to[j] == 1));
      bool whole = llvm::all_of(ours, [&](int64_t dim) { return op.getType().getDimSize(dim) == to[dim]; });
      if (whole) continue;
      llvm::erase_if(its, [&](int64_t dim) { return from[dim] == 1; });
      std::optional<std::pair<int64_t, int64_t>> part = its.size() == 1 ? partOf(op, ours) : std::nullopt;
      if (!part) return failure();
      std::tie(starts[its[0]], limits[its[0]]) = *part;
      shape[its[0]] = part->second - part->first;
    }
    SmallVector<int64_t> strides(from.size(), 1);
    Value part = SliceOp::create(rewriter, op.getLoc(), inner.getOperand().getType().clone(shape), inner.getOperand(),
                                 starts, limits, strides);
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), part);
    return success();
  }
};

// One element of each few along lanes, as a rotary embedding takes them of heads that the same reshape splits off. As
// [.., n, k] each few would be a row of its own; as steps along the lanes of [.., n k] they are read where they lie.
struct SliceOfPairs : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;

  // Whether the slice takes one of the last dim's elements, and all of the dim before.
  static bool takesOneOfEach(SliceOp op) {
    const int64_t last = op.getType().getRank() - 1;
    return op.getType().getDimSize(last) == 1 &&
           op.getType().getDimSize(last - 1) == tensorType(op.getOperand()).getDimSize(last - 1) &&
           llvm::all_of(op.getStrides(), [](int64_t stride) { return stride == 1; });
  }

  LogicalResult matchAndRewrite(SliceOp op, PatternRewriter &rewriter) const override {
    constexpr int64_t kMost = 8;  // lanes that a step passes: kernels read those that are no farther apart
    auto inner = op.getOperand().getDefiningOp<ReshapeOp>();
    if (!inner || !isStatic(inner.getType()) || !isStatic(inner.getOperand().getType())) return failure();
    ArrayRef<int64_t> apart = inner.getType().getShape(), from = inner.getOperand().getType().getShape();
    if (apart.size() < 3 || from.empty() || inner.getType().getElementType().isInteger(1)) return failure();
    const int64_t few = apart.back(), lanes = few * apart[apart.size() - 2];
    if (few < 2 || few > kMost || !llvm::isPowerOf2_64(few) || lanes <= few || from.back() % lanes) return failure();
    SmallVector<int64_t> joined(apart.drop_back());
    joined.back() = lanes;
    // A reshape that joins nothing but the two dims is read so as it is.
    if (from == ArrayRef(joined)) return failure();
    for (Operation *user : inner->getUsers())
      if (auto slice = dyn_cast<SliceOp>(user); !slice || !takesOneOfEach(slice)) return failure();
    SmallVector<int64_t> starts(op.getStartIndices().drop_back()), limits(op.getLimitIndices().drop_back()),
        strides(joined.size(), 1), shape(op.getType().getShape().drop_back());
    starts.back() = op.getStartIndices().back();
    limits.back() = lanes;
    strides.back() = few;
    Value rows = ReshapeOp::create(rewriter, inner.getLoc(), inner.getType().clone(joined), inner.getOperand());
    Value part = SliceOp::create(rewriter, op.getLoc(), op.getType().clone(shape), rows, starts, limits, strides);
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), part);
    return success();
  }
};

//===-----------------------------------------------------------------------------===//
// Concatenations
//===-----------------------------------------------------------------------------===//

struct ConcatenateOfOne : OpRewritePattern<ConcatenateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConcatenateOp op, PatternRewriter &rewriter) const override {
    if (op.getInputs().size() != 1 || op.getInputs().front().getType() != op.getType()) return failure();
    rewriter.replaceOp(op, op.getInputs().front());
    return success();
  }
};

// A concatenation without empty inputs, and with the inputs of inner concatenations along the same dimension.
struct FlattenConcatenate : OpRewritePattern<ConcatenateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConcatenateOp op, PatternRewriter &rewriter) const override {
    SmallVector<Value> inputs;
    bool changed = false;
    for (Value input : op.getInputs()) {
      auto inner = input.getDefiningOp<ConcatenateOp>();
      bool empty = tensorType(input).getDimSize(op.getDimension()) == 0;
      if (inner && inner.getDimension() == op.getDimension() && inner->hasOneUse())
        llvm::append_range(inputs, inner.getInputs());
      else if (!empty)
        inputs.push_back(input);
      else if (inputs.empty() && input == op.getInputs().back())
        return failure();
      else {
        changed = true;
        continue;
      }
      changed |= inputs.back() != input;
    }
    if (!changed || inputs.empty()) return failure();
    rewriter.modifyOpInPlace(op, [&] { op.getInputsMutable().assign(inputs); });
    return success();
  }
};

// Neighbouring slices of one array that follow each other are one slice.
struct ConcatenateOfSlices : OpRewritePattern<ConcatenateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConcatenateOp op, PatternRewriter &rewriter) const override {
    int64_t dim = op.getDimension();
    SmallVector<Value> inputs;
    bool changed = false;
    for (Value input : op.getInputs()) {
      auto slice = input.getDefiningOp<SliceOp>();
      auto last = inputs.empty() ? SliceOp() : inputs.back().getDefiningOp<SliceOp>();
      if (!slice || !last || !follows(last, slice, dim)) {
        inputs.push_back(input);
        continue;
      }
      SmallVector<int64_t> limits(last.getLimitIndices());
      limits[dim] = slice.getLimitIndices()[dim];
      inputs.back() = SliceOp::create(rewriter, FusedLoc::get(getContext(), {last.getLoc(), slice.getLoc()}),
                                      last.getOperand(), last.getStartIndices(), limits, last.getStrides());
      changed = true;
    }
    if (!changed) return failure();
    rewriter.modifyOpInPlace(op, [&] { op.getInputsMutable().assign(inputs); });
    return success();
  }

  static bool follows(SliceOp a, SliceOp b, int64_t dim) {
    if (a.getOperand() != b.getOperand() || a.getStrides() != b.getStrides() || a.getStrides()[dim] != 1 ||
        a.getLimitIndices()[dim] != b.getStartIndices()[dim])
      return false;
    for (int64_t other = 0; other < a.getType().getRank(); ++other)
      if (other != dim && (a.getStartIndices()[other] != b.getStartIndices()[other] ||
                           a.getLimitIndices()[other] != b.getLimitIndices()[other]))
        return false;
    return true;
  }
};

//===-----------------------------------------------------------------------------===//
// Pads
//===-----------------------------------------------------------------------------===//

struct PadOfNothing : OpRewritePattern<PadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PadOp op, PatternRewriter &rewriter) const override {
    auto isZero = [](int64_t value) { return value == 0; };
    bool nothing = llvm::all_of(op.getEdgePaddingLow(), isZero) && llvm::all_of(op.getEdgePaddingHigh(), isZero);
    // Elements have to be apart for something to come between them.
    for (auto [interior, size] : llvm::zip_equal(op.getInteriorPadding(), op.getOperand().getType().getShape()))
      nothing &= interior == 0 || (!ShapedType::isDynamic(size) && size <= 1);
    if (!nothing || op.getOperand().getType() != op.getType()) return failure();
    rewriter.replaceOp(op, op.getOperand());
    return success();
  }
};

// A pad that only cuts edges off is a slice.
struct PadThatCuts : OpRewritePattern<PadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PadOp op, PatternRewriter &rewriter) const override {
    auto cuts = [](int64_t value) { return value <= 0; };
    if (!isStatic(op.getType()) || !isStatic(op.getOperand().getType()) ||
        !llvm::all_of(op.getEdgePaddingLow(), cuts) || !llvm::all_of(op.getEdgePaddingHigh(), cuts) ||
        llvm::any_of(op.getInteriorPadding(), [](int64_t v) { return v; }))
      return failure();
    SmallVector<int64_t> starts, limits;
    for (auto [low, high, size] :
         llvm::zip_equal(op.getEdgePaddingLow(), op.getEdgePaddingHigh(), op.getOperand().getType().getShape())) {
      starts.push_back(-low);
      limits.push_back(size + high);
    }
    SmallVector<int64_t> strides(starts.size(), 1);
    rewriter.replaceOpWithNewOp<SliceOp>(op, op.getType(), op.getOperand(), starts, limits, strides);
    return success();
  }
};

// Everything of the result is padding.
struct PadOfEmpty : OpRewritePattern<PadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PadOp op, PatternRewriter &rewriter) const override {
    if (!isStatic(op.getType()) || numElements(op.getOperand().getType().getShape()) != 0) return failure();
    rewriter.replaceOpWithNewOp<BroadcastInDimOp>(op, op.getType(), op.getPaddingValue(), ArrayRef<int64_t>{});
    return success();
  }
};

//===-----------------------------------------------------------------------------===//
// Dynamic slices
//===-----------------------------------------------------------------------------===//

// Where a dynamic slice begins: known starts, moved so that the slice stays inside. A dimension that is taken whole
// begins at 0 whatever its index says.
std::optional<SmallVector<int64_t>> knownStarts(OperandRange indices, ArrayRef<int64_t> shape,
                                                ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> starts;
  for (auto [index, extent, size] : llvm::zip_equal(indices, shape, sizes)) {
    if (ShapedType::isDynamic(extent) || ShapedType::isDynamic(size)) return std::nullopt;
    int64_t most = extent - size;
    if (most == 0) {
      starts.push_back(0);
      continue;
    }
    std::optional<Scalar> scalar = splatScalar(index);
    if (!scalar) return std::nullopt;
    const APInt &value = std::get<APInt>(*scalar);
    bool isSigned = elementKind(tensorType(index).getElementType()) == kInt;
    int64_t start = isSigned ? value.getSExtValue() : static_cast<int64_t>(value.getLimitedValue(most));
    starts.push_back(std::clamp<int64_t>(start, 0, most));
  }
  return starts;
}

struct DynamicSliceOfKnown : OpRewritePattern<DynamicSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DynamicSliceOp op, PatternRewriter &rewriter) const override {
    auto starts = knownStarts(op.getStartIndices(), op.getOperand().getType().getShape(), op.getSliceSizes());
    if (!starts) return failure();
    SmallVector<int64_t> limits, strides(starts->size(), 1);
    for (auto [start, size] : llvm::zip_equal(*starts, op.getSliceSizes())) limits.push_back(start + size);
    rewriter.replaceOpWithNewOp<SliceOp>(op, op.getType(), op.getOperand(), *starts, limits, strides);
    return success();
  }
};

// An update of everything is the update; one of nothing is none.
struct UpdateOfWhole : OpRewritePattern<DynamicUpdateSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DynamicUpdateSliceOp op, PatternRewriter &rewriter) const override {
    RankedTensorType update = op.getUpdate().getType();
    if (!isStatic(op.getType()) || !isStatic(update)) return failure();
    Value result = numElements(update.getShape()) == 0 ? op.getOperand() : op.getUpdate();
    if (result.getType() != op.getType()) return failure();
    rewriter.replaceOp(op, result);
    return success();
  }
};

}  // namespace

void populateSlices(RewritePatternSet &patterns) {
  patterns.add<SliceOfWhole, SliceOfSlice, SliceOfConcatenate, SliceOfPad, SliceOfBroadcast, SliceOfTranspose,
               SliceOfReshape, SliceOfPairs, ConcatenateOfOne, FlattenConcatenate, ConcatenateOfSlices, PadOfNothing,
               PadThatCuts, PadOfEmpty, DynamicSliceOfKnown, UpdateOfWhole>(patterns.getContext());
}

}  // namespace tpuc::simplify
