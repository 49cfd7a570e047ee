//===- ranges.cpp - comparisons of integers whose ranges are known --------------------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
// Indexing counts negative indices from the end and checks both ends. Indices that a program makes by counting, and
// sorts, need neither.
#include "passes/simplify/patterns.h"

using namespace mlir;

namespace tpuc::simplify {

using namespace tpuc::stablehlo;

namespace {

constexpr int kDeepest = 12;                    // ops that a range is followed through
constexpr int64_t kLargest = int64_t{1} << 61;  // of a bound: sums of two are no overflow

struct Range {
  int64_t least, most;
};

bool isInteger(Type element) { return elementKind(element) & (kInt | kUInt); }

// Whether elements of the type hold all of the range.
bool holds(Type element, const Range &range) {
  auto type = dyn_cast<IntegerType>(element);
  if (!type || !isInteger(element) || range.least < -kLargest || range.most > kLargest) return false;
  const unsigned bits = std::min(type.getWidth(), 63u);
  if (type.isUnsigned()) return range.least >= 0 && static_cast<uint64_t>(range.most) <= llvm::maxUIntN(bits);
  return range.least >= llvm::minIntN(bits) && range.most <= llvm::maxIntN(bits);
}

std::optional<Range> either(const std::optional<Range> &a, const std::optional<Range> &b) {
  if (!a || !b) return std::nullopt;
  return Range{std::min(a->least, b->least), std::max(a->most, b->most)};
}

std::optional<Range> rangeOf(Value v, int depth = 0);

std::optional<Range> rangeOfAll(ValueRange values, int depth) {
  std::optional<Range> range = rangeOf(values.front(), depth);
  for (Value v : values.drop_front()) range = either(range, rangeOf(v, depth));
  return range;
}

std::optional<Range> rangeOfResult(OpResult v, int depth) {
  Operation *op = v.getOwner();
  RankedTensorType type = tensorType(v);
  if (auto iota = dyn_cast<IotaOp>(op))
    return Range{0, std::max<int64_t>(type.getDimSize(iota.getIotaDimension()) - 1, 0)};
  if (isa<ReshapeOp, BroadcastInDimOp, TransposeOp, SliceOp, ReverseOp, ConvertOp>(op))
    return rangeOf(op->getOperand(0), depth);
  // Starts are clamped, so that nothing but the operand's elements comes out.
  if (isa<DynamicSliceOp, GatherOp>(op)) return rangeOf(op->getOperand(0), depth);
  if (auto sort = dyn_cast<SortOp>(op)) return rangeOf(sort.getInputs()[v.getResultNumber()], depth);
  if (auto select = dyn_cast<SelectOp>(op))
    return either(rangeOf(select.getOnTrue(), depth), rangeOf(select.getOnFalse(), depth));
  if (isa<ConcatenateOp>(op) && op->getNumOperands() > 0) return rangeOfAll(op->getOperands(), depth);
  if (isa<AddOp>(op)) {
    const std::optional<Range> a = rangeOf(op->getOperand(0), depth), b = rangeOf(op->getOperand(1), depth);
    if (a && b) return Range{a->least + b->least, a->most + b->most};
  }
  return std::nullopt;
}

// The range of an integer array's elements. A number that does not fit its type has wrapped around: then nothing is
// known.
std::optional<Range> rangeOf(Value v, int depth) {
  RankedTensorType type = tensorType(v);
  if (depth > kDeepest || !isStatic(type) || !isInteger(type.getElementType())) return std::nullopt;
  std::optional<Range> range;
  if (std::optional<Scalar> scalar = splatScalar(v)) {
    const APInt &value = std::get<APInt>(*scalar);
    const bool isUnsigned = type.getElementType().isUnsignedInteger();
    if (value.getBitWidth() > 64 || (isUnsigned && value.getActiveBits() > 62)) return std::nullopt;
    const int64_t n = isUnsigned ? static_cast<int64_t>(value.getZExtValue()) : value.getSExtValue();
    range = Range{n, n};
  } else if (auto result = dyn_cast<OpResult>(v)) {
    range = rangeOfResult(result, depth + 1);
  }
  return range && holds(type.getElementType(), *range) ? range : std::nullopt;
}

std::optional<bool> compared(const Range &a, const Range &b, ComparisonDirection direction) {
  auto decided = [](bool always, bool never) { return always || never ? std::optional(always) : std::nullopt; };
  const bool isApart = a.most < b.least || b.most < a.least,
             isOne = a.least == a.most && b.least == b.most && a.least == b.least;
  switch (direction) {
    case ComparisonDirection::EQ:
      return decided(isOne, isApart);
    case ComparisonDirection::NE:
      return decided(isApart, isOne);
    case ComparisonDirection::LT:
      return decided(a.most < b.least, a.least >= b.most);
    case ComparisonDirection::LE:
      return decided(a.most <= b.least, a.least > b.most);
    case ComparisonDirection::GT:
      return decided(a.least > b.most, a.most <= b.least);
    case ComparisonDirection::GE:
      return decided(a.least >= b.most, a.most < b.least);
  }
  return std::nullopt;
}

struct CompareOfRanges : OpRewritePattern<CompareOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CompareOp op, PatternRewriter &rewriter) const override {
    if (!isStatic(op.getType())) return failure();
    const std::optional<Range> lhs = rangeOf(op.getLhs()), rhs = lhs ? rangeOf(op.getRhs()) : std::nullopt;
    if (!lhs || !rhs) return failure();
    std::optional<bool> result = compared(*lhs, *rhs, op.getComparisonDirection());
    if (!result) return failure();
    rewriter.replaceOp(op, makeSplat(rewriter, op.getLoc(), op.getType(), APInt(1, *result)));
    return success();
  }
};

}  // namespace

void populateRanges(RewritePatternSet &patterns) { patterns.add<CompareOfRanges>(patterns.getContext()); }

}  // namespace tpuc::simplify
