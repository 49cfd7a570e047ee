//===- rules_contraction.cpp - sharding rules of products that sum ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/models.h"
#include "passes/shard/rule_builder.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;

struct Contraction {
  static sdy::OpShardingRuleAttr of(hlo::DotGeneralOp op, bool) {
    hlo::DotDimensionNumbersAttr numbers = op.getDotDimensionNumbers();
    return dot(op, op.getLhs(), op.getRhs(), numbers.getLhsBatchingDimensions(), numbers.getRhsBatchingDimensions(),
               numbers.getLhsContractingDimensions(), numbers.getRhsContractingDimensions());
  }
  static sdy::OpShardingRuleAttr of(hlo::DotOp op, bool) {
    return dot(op, op.getLhs(), op.getRhs(), {}, {}, {static_cast<int64_t>(shapeOf(op.getLhs()).size()) - 1}, {0});
  }

  // Batch dimensions, free ones of the left and of the right, then those that are summed over.
  static sdy::OpShardingRuleAttr dot(Operation *op, Value lhs, Value rhs, ArrayRef<int64_t> lhsBatch,
                                     ArrayRef<int64_t> rhsBatch, ArrayRef<int64_t> lhsSum, ArrayRef<int64_t> rhsSum) {
    RuleBuilder builder(op);
    int64_t result = 0;
    for (auto [l, r] : llvm::zip_equal(lhsBatch, rhsBatch)) builder.add({l, r}, {result++}, shapeOf(lhs)[l]);
    auto isFree = [](int64_t dim, ArrayRef<int64_t> batch, ArrayRef<int64_t> sum) {
      return !llvm::is_contained(batch, dim) && !llvm::is_contained(sum, dim);
    };
    for (int64_t dim = 0, rank = shapeOf(lhs).size(); dim < rank; ++dim)
      if (isFree(dim, lhsBatch, lhsSum)) builder.add({dim, kAbsent}, {result++}, shapeOf(lhs)[dim]);
    for (int64_t dim = 0, rank = shapeOf(rhs).size(); dim < rank; ++dim)
      if (isFree(dim, rhsBatch, rhsSum)) builder.add({kAbsent, dim}, {result++}, shapeOf(rhs)[dim]);
    for (auto [l, r] : llvm::zip_equal(lhsSum, rhsSum))
      builder.add({l, r}, {kAbsent}, shapeOf(lhs)[l], Kind::Reduction);
    return builder.build();
  }

  // "ab,bc->ac"; an ellipsis has no rule.
  static sdy::OpShardingRuleAttr einsum(Operation *op, StringRef config, unsigned operands) {
    auto [inputs, output] = config.split("->");
    SmallVector<StringRef> terms;
    inputs.split(terms, ',');
    if (terms.size() != operands || config.contains('.') || !config.contains("->")) return {};
    RuleBuilder builder(op);
    std::string letters = output.str();
    for (StringRef term : terms) letters += term.str();
    std::string done;
    for (char letter : letters) {
      if (llvm::is_contained(done, letter)) continue;
      done += letter;
      SmallVector<int64_t> places;
      int64_t size = 1;
      for (auto [i, term] : llvm::enumerate(terms)) {
        size_t at = term.find(letter);
        if (at != StringRef::npos && term.find(letter, at + 1) != StringRef::npos) return {};  // a diagonal
        places.push_back(at == StringRef::npos ? kAbsent : static_cast<int64_t>(at));
        if (at != StringRef::npos) size = shapeOf(op->getOperand(i))[at];
      }
      size_t at = output.find(letter);
      bool kept = at != StringRef::npos;
      builder.add(places, {kept ? static_cast<int64_t>(at) : kAbsent}, size,
                  kept ? Kind::PassThrough : Kind::Reduction);
    }
    return builder.build();
  }
  static sdy::OpShardingRuleAttr of(hlo::EinsumOp op, bool) { return einsum(op, op.getEinsumConfig(), 2); }
  static sdy::OpShardingRuleAttr of(hlo::UnaryEinsumOp op, bool) { return einsum(op, op.getEinsumConfig(), 1); }
};

}  // namespace

void attachContraction(MLIRContext *context) {
  attachRules<Contraction, hlo::DotGeneralOp, hlo::DotOp, hlo::EinsumOp, hlo::UnaryEinsumOp>(context);
}

}  // namespace tpuc::shard
