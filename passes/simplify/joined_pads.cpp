// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of arrays that are zero where the others are not.
//
// The gradient of slices is a sum of pads, one for each slice, as large as all of them: of query, key and value in one
// matmul's result for example. Where no two meet it is their concatenation.
#include "passes/simplify/patterns.h"

using namespace mlir;

namespace tpuc::simplify {

using namespace tpuc::stablehlo;

namespace {

// Whether zeros, of floats positive ones, go before and behind the operand along `dim` alone.
bool isZerosAlong(PadOp pad, int64_t dim) {
  std::optional<Scalar> value = splatScalar(pad.getPaddingValue());
  if (!value || !isPositiveZero(*value) || !isStatic(pad.getType()) || !isStatic(pad.getOperand().getType()))
    return false;
  for (int64_t d = 0; d < pad.getType().getRank(); ++d) {
    const int64_t low = pad.getEdgePaddingLow()[d], high = pad.getEdgePaddingHigh()[d];
    if (pad.getInteriorPadding()[d] || low < 0 || high < 0 || (d != dim && (low || high))) return false;
  }
  return true;
}

// The dim that the pad is along, where there is one.
std::optional<int64_t> dimOf(PadOp pad) {
  for (int64_t d = 0; d < pad.getType().getRank(); ++d)
    if (isZerosAlong(pad, d) && (pad.getEdgePaddingLow()[d] || pad.getEdgePaddingHigh()[d])) return d;
  return std::nullopt;
}

int64_t sizeOf(PadOp pad, int64_t dim) { return pad.getOperand().getType().getDimSize(dim); }

constexpr int kMostTerms = 64;

// Whether a sum that nothing else reads adds a pad, or a sum of such does.
bool addsPads(Value v, int most = kMostTerms) {
  auto sum = v.getDefiningOp<AddOp>();
  if (!sum || !sum->hasOneUse() || most == 0) return false;
  return llvm::any_of(sum->getOperands(),
                      [&](Value term) { return term.getDefiningOp<PadOp>() || addsPads(term, most - 1); });
}

// What a sum adds up: pads along one dim, none of which meets another, in their order; and others.
struct Terms {
  SmallVector<PadOp> pads;
  SmallVector<Value> others;
  std::optional<int64_t> dim;

  void add(Value v) {
    auto pad = v.getDefiningOp<PadOp>();
    std::optional<int64_t> along = pad && pad->hasOneUse() ? dimOf(pad) : std::nullopt;
    if (!along || (dim && along != dim)) return others.push_back(v);
    dim = along;
    pads.push_back(pad);
  }
  bool areApart() {
    llvm::stable_sort(pads,
                      [&](PadOp a, PadOp b) { return a.getEdgePaddingLow()[*dim] < b.getEdgePaddingLow()[*dim]; });
    for (size_t i = 1; i < pads.size(); ++i)
      if (pads[i - 1].getEdgePaddingLow()[*dim] + sizeOf(pads[i - 1], *dim) > pads[i].getEdgePaddingLow()[*dim])
        return false;
    return true;
  }
};

// Nothing where the sum has other bits if the pads are added up first: of floats, with two others.
std::optional<Terms> termsOf(AddOp sum) {
  auto type = tensorType(sum.getResult());
  if (!type.getElementType().isIntOrFloat() || type.getElementType().isInteger(1)) return std::nullopt;
  Terms terms;
  SmallVector<Value> open{sum.getRhs(), sum.getLhs()};
  for (int count = 0; !open.empty(); ++count) {
    Value v = open.pop_back_val();
    if (auto inner = v.getDefiningOp<AddOp>(); inner && count < kMostTerms && addsPads(v))
      open.append({inner.getRhs(), inner.getLhs()});
    else
      terms.add(v);
  }
  const bool isExact = type.getElementType().isInteger() || terms.others.size() <= 1;
  return terms.pads.size() >= 2 && isExact && terms.areApart() ? std::optional(terms) : std::nullopt;
}

// An element that is added to zeros is itself, but for a negative zero. What moves elements alone moves the sums: they
// are made with the elements, before.
Value plusZero(PatternRewriter &rewriter, PadOp pad) {
  Operation *reader = pad;
  Value v = pad.getOperand();
  while (v.hasOneUse() && mlir::isa_and_present<ReshapeOp, TransposeOp, BroadcastInDimOp>(v.getDefiningOp())) {
    reader = v.getDefiningOp();
    v = reader->getOperand(0);
  }
  auto type = cast<RankedTensorType>(v.getType());
  auto element = dyn_cast<FloatType>(type.getElementType());
  if (!element) return pad.getOperand();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(reader);
  Value zero = makeSplat(rewriter, pad.getLoc(), type, APFloat::getZero(element.getFloatSemantics()));
  Value sum = AddOp::create(rewriter, pad.getLoc(), v, zero);
  rewriter.modifyOpInPlace(reader, [&] { reader->setOperand(0, sum); });
  return pad.getOperand();
}

// Side by side, with zeros between them where there is room.
Value joined(PatternRewriter &b, Location loc, ArrayRef<PadOp> pads, int64_t dim) {
  RankedTensorType type = PadOp(pads[0]).getType();
  SmallVector<Value> parts;
  int64_t at = 0;
  auto zeros = [&](int64_t end) {
    if (end == at) return;
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] = end - at;
    Value zero = PadOp(pads[0]).getPaddingValue();
    parts.push_back(BroadcastInDimOp::create(b, loc, type.clone(shape), zero, ArrayRef<int64_t>{}));
  };
  for (PadOp pad : pads) {
    zeros(pad.getEdgePaddingLow()[dim]);
    parts.push_back(plusZero(b, pad));
    at = pad.getEdgePaddingLow()[dim] + sizeOf(pad, dim);
  }
  zeros(type.getDimSize(dim));
  return ConcatenateOp::create(b, loc, type, parts, dim);
}

struct SumOfPads : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &rewriter) const override {
    std::optional<Terms> terms = termsOf(op);
    if (!terms || isPartOfSum(op)) return failure();
    Value sum = joined(rewriter, op.getLoc(), terms->pads, *terms->dim);
    for (Value v : terms->others) sum = AddOp::create(rewriter, op.getLoc(), v, sum);
    rewriter.replaceOp(op, sum);
    return success();
  }

  // A part of a larger sum of pads waits for it.
  static bool isPartOfSum(AddOp op) {
    auto sum = op->hasOneUse() ? dyn_cast<AddOp>(*op->user_begin()) : AddOp();
    return sum && termsOf(sum);
  }
};

// A reshape that merges the dim of a concatenation with those behind it merges those of its parts.
struct MergeOfConcatenate : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    auto parts = op.getOperand().getDefiningOp<ConcatenateOp>();
    if (!parts || !parts->hasOneUse() || !isStatic(op.getType()) || !isStatic(parts.getType()) ||
        ShapedType::getNumElements(op.getType().getShape()) == 0)
      return failure();
    ArrayRef<int64_t> from = parts.getType().getShape(), to = op.getType().getShape();
    if (to.size() >= from.size()) return failure();
    const auto dim = static_cast<int64_t>(parts.getDimension());
    const int64_t before = ShapedType::getNumElements(from.take_front(dim));
    size_t merged = 0;
    while (merged < to.size() && ShapedType::getNumElements(to.take_front(merged)) < before) ++merged;
    while (merged < to.size() && to[merged] == 1) ++merged;
    if (merged == to.size() || ShapedType::getNumElements(to.take_front(merged)) != before) return failure();
    const int64_t inner = ShapedType::getNumElements(to.drop_front(merged + 1));
    SmallVector<SmallVector<int64_t>> shapes;
    for (Value part : parts.getInputs()) {
      const int64_t own = ShapedType::getNumElements(tensorType(part).getShape()) / before;
      if (own % inner) return failure();
      shapes.emplace_back(to).operator[](merged) = own / inner;
    }
    SmallVector<Value> reshaped;
    for (auto [part, shape] : llvm::zip_equal(parts.getInputs(), shapes))
      reshaped.push_back(ReshapeOp::create(rewriter, op.getLoc(), op.getType().clone(shape), part));
    rewriter.replaceOpWithNewOp<ConcatenateOp>(op, op.getType(), reshaped, merged);
    return success();
  }
};

}  // namespace

void populateJoinedPads(RewritePatternSet &patterns) {
  patterns.add<SumOfPads, MergeOfConcatenate>(patterns.getContext());
}

}  // namespace tpuc::simplify
