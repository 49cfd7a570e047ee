//===- einsum.cpp - sums over named dimensions, in dots, reductions and transposes --------------------------===//
// Part of tpuc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1. A name twice in one operand keeps the diagonal, the rest zero, and is summed to one dimension.
// 2. Names of one operand only that the result lacks are summed.
// 3. Names of both are batch dimensions where the result has them, contracted where not.
// 4. The dot's dimensions are transposed to the result's order.
//===-----------------------------------------------------------------------------===//
#include "llvm/ADT/StringExtras.h"
#include "passes/simplify/patterns.h"

using namespace mlir;

namespace tpuc::simplify {
namespace {

namespace hlo = tpuc::stablehlo;

struct Term {
  Value value;
  std::string names;  // one a dimension

  RankedTensorType type() const { return cast<RankedTensorType>(value.getType()); }
};

// `...` stands for the dimensions that no letter names: capitals from the top of the code page on, counted from the
// last.
std::optional<std::string> spelled(StringRef text, int64_t rank) {
  auto [before, after] = text.split("...");
  bool ellipsis = text.contains("...");
  int64_t hidden = rank - static_cast<int64_t>(before.size() + after.size());
  if (hidden < 0 || (hidden && !ellipsis) || hidden > 100) return std::nullopt;
  std::string names = before.str();
  for (int64_t i = hidden; i-- > 0;) names.push_back(static_cast<char>(128 + i));
  names += after.str();
  if (!llvm::all_of(before, llvm::isAlpha) || !llvm::all_of(after, llvm::isAlpha)) return std::nullopt;
  return names;
}

class Einsum {
 public:
  Einsum(PatternRewriter &rewriter, Location location) : rewriter(rewriter), location(location) {}
  PatternRewriter &rewriter;
  Location location;

  Value sum(Value v, ArrayRef<int64_t> dims) {
    auto type = cast<RankedTensorType>(v.getType());
    SmallVector<int64_t> shape;
    for (auto [d, size] : llvm::enumerate(type.getShape()))
      if (!llvm::is_contained(dims, static_cast<int64_t>(d))) shape.push_back(size);
    auto scalar = RankedTensorType::get({}, type.getElementType());
    auto reduce = hlo::ReduceOp::create(rewriter, location, TypeRange(type.clone(shape)), ValueRange(v),
                                        ValueRange(zero(scalar)), dims);
    OpBuilder::InsertionGuard guard(rewriter);
    Block *body = rewriter.createBlock(&reduce.getBody(), {}, {scalar, scalar}, {location, location});
    Value total = hlo::AddOp::create(rewriter, location, scalar, body->getArgument(0), body->getArgument(1));
    hlo::ReturnOp::create(rewriter, location, total);
    return reduce.getResult(0);
  }
  Value zero(RankedTensorType type) {
    Attribute one = rewriter.getZeroAttr(type.getElementType());
    if (auto complex = dyn_cast<ComplexType>(type.getElementType()))
      one = rewriter.getArrayAttr(
          {rewriter.getZeroAttr(complex.getElementType()), rewriter.getZeroAttr(complex.getElementType())});
    return hlo::ConstantOp::create(
        rewriter, location, type,
        cast<ElementsAttr>(Attribute(DenseElementsAttr::get(type, ArrayRef<Attribute>(one)))));
  }

  void diagonals(Term &term) {
    for (size_t first = 0; first < term.names.size(); ++first) {
      size_t again = term.names.find(term.names[first], first + 1);
      if (again == std::string::npos) continue;
      auto index = RankedTensorType::get(term.type().getShape(), rewriter.getI32Type());
      Value row = hlo::IotaOp::create(rewriter, location, index, first),
            column = hlo::IotaOp::create(rewriter, location, index, again);
      Value on = hlo::CompareOp::create(rewriter, location, row, column, hlo::ComparisonDirection::EQ);
      Value kept = hlo::SelectOp::create(rewriter, location, term.type(), on, term.value, zero(term.type()));
      term = {sum(kept, {static_cast<int64_t>(again)}), term.names.substr(0, again) + term.names.substr(again + 1)};
      --first;
    }
  }

  // Sums what neither `other` nor the result names.
  void dropUnnamed(Term &term, StringRef other, StringRef result) {
    SmallVector<int64_t> dims;
    std::string kept;
    for (auto [d, c] : llvm::enumerate(term.names))
      if (other.contains(c) || result.contains(c))
        kept.push_back(c);
      else
        dims.push_back(d);
    if (!dims.empty()) term = {sum(term.value, dims), kept};
  }

  Term dot(const Term &a, const Term &b, StringRef result, Type element) {
    SmallVector<int64_t> batchA, batchB, contractedA, contractedB, shape;
    std::string names;
    for (auto [d, c] : llvm::enumerate(a.names)) {
      size_t at = b.names.find(c);
      if (at == std::string::npos) continue;
      bool batch = result.contains(c);
      (batch ? batchA : contractedA).push_back(d);
      (batch ? batchB : contractedB).push_back(at);
      if (batch) {
        names.push_back(c);
        shape.push_back(a.type().getDimSize(d));
      }
    }
    for (auto *side : {&a, &b})
      for (auto [d, c] : llvm::enumerate(side->names))
        if ((side == &a ? b : a).names.find(c) == std::string::npos) {
          names.push_back(c);
          shape.push_back(side->type().getDimSize(d));
        }
    auto dims = hlo::DotDimensionNumbersAttr::get(rewriter.getContext(), batchA, batchB, contractedA, contractedB);
    Value v = hlo::DotGeneralOp::create(rewriter, location, RankedTensorType::get(shape, element), a.value, b.value,
                                        dims, ArrayAttr(), hlo::DotAlgorithmAttr());
    return {v, names};
  }

  Value ordered(const Term &term, StringRef result) {
    SmallVector<int64_t> permutation, shape;
    for (char c : result) {
      size_t at = term.names.find(c);
      permutation.push_back(at);
      shape.push_back(term.type().getDimSize(at));
    }
    return hlo::TransposeOp::create(rewriter, location, term.type().clone(shape), term.value, permutation);
  }
};

// One size a name; the result has each name once, and from an operand.
bool agree(ArrayRef<Term> terms, StringRef result, RankedTensorType type) {
  llvm::DenseMap<char, int64_t> sizes;
  for (const Term &term : terms)
    for (auto [d, c] : llvm::enumerate(term.names))
      if (sizes.try_emplace(c, term.type().getDimSize(d)).first->second != term.type().getDimSize(d)) return false;
  for (auto [d, c] : llvm::enumerate(result))
    if (result.count(c) != 1 || !sizes.contains(c) || sizes[c] != type.getDimSize(d)) return false;
  return terms[0].type().getElementType() == type.getElementType();
}

LogicalResult expandEinsum(Operation *op, StringRef config, PatternRewriter &rewriter) {
  auto [left, right] = config.split("->");
  SmallVector<StringRef> sides;
  left.split(sides, ',');
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!config.contains("->") || sides.size() != op->getNumOperands() || !type || !isStatic(type)) return failure();
  SmallVector<Term> terms;
  for (auto [side, operand] : llvm::zip(sides, op->getOperands())) {
    auto operandType = dyn_cast<RankedTensorType>(operand.getType());
    if (!operandType || !isStatic(operandType)) return failure();
    auto names = spelled(side.trim(), operandType.getRank());
    if (!names) return failure();
    terms.push_back({operand, *names});
  }
  auto result = spelled(right.trim(), type.getRank());
  if (!result || !agree(terms, *result, type)) return failure();
  Einsum e(rewriter, op->getLoc());
  for (Term &term : terms) e.diagonals(term);
  e.dropUnnamed(terms[0], terms.size() == 2 ? StringRef(terms[1].names) : StringRef(), *result);
  if (terms.size() == 2) {
    e.dropUnnamed(terms[1], terms[0].names, *result);
    terms[0] = e.dot(terms[0], terms[1], *result, type.getElementType());
  }
  rewriter.replaceOp(op, e.ordered(terms[0], *result));
  return success();
}

}  // namespace

void populateEinsum(RewritePatternSet &patterns) {
  patterns.add(
      +[](hlo::EinsumOp op, PatternRewriter &rewriter) { return expandEinsum(op, op.getEinsumConfig(), rewriter); });
  patterns.add(+[](hlo::UnaryEinsumOp op, PatternRewriter &rewriter) {
    return expandEinsum(op, op.getEinsumConfig(), rewriter);
  });
}

}  // namespace tpuc::simplify
