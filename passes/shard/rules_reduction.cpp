//===- rules_reduction.cpp - sharding rules of ops that reduce, window or sort -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/stablehlo/sorts.h"
#include "passes/shard/models.h"
#include "passes/shard/rule_builder.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;

// What a window does to a dimension; where an attribute is absent, nothing.
struct WindowDim {
  int64_t size = 1, stride = 1, base = 1, window = 1, low = 0, high = 0;
  bool passes() const { return size == 1 && stride == 1 && base == 1 && window == 1 && low == 0 && high == 0; }
};
int64_t at(std::optional<ArrayRef<int64_t>> list, size_t dim, int64_t otherwise) {
  return list ? (*list)[dim] : otherwise;
}
std::pair<int64_t, int64_t> padding(std::optional<DenseIntElementsAttr> list, size_t dim) {
  if (!list) return {0, 0};
  auto values = list->getValues<int64_t>();
  return {values[2 * dim], values[2 * dim + 1]};
}

struct Reduction {
  static sdy::OpShardingRuleAttr of(hlo::ReduceOp op, bool) {
    RuleBuilder builder(op);
    size_t count = op.getInputs().size();
    int64_t result = 0;
    for (auto [dim, size] : llvm::enumerate(shapeOf(op.getInputs()[0]))) {
      bool reduced = llvm::is_contained(op.getDimensions(), static_cast<int64_t>(dim));
      SmallVector<int64_t> operands(count, dim), results(count, reduced ? kAbsent : result);
      builder.add(operands, results, size, reduced ? Kind::Reduction : Kind::PassThrough);
      result += !reduced;
    }
    return builder.build();
  }

  static sdy::OpShardingRuleAttr of(hlo::ReduceWindowOp op, bool conservative) {
    RuleBuilder builder(op);
    size_t count = op.getInputs().size();
    for (auto [dim, size] : llvm::enumerate(shapeOf(op.getResults()[0]))) {
      auto [low, high] = padding(op.getPadding(), dim);
      WindowDim window{op.getWindowDimensions()[dim],
                       at(op.getWindowStrides(), dim, 1),
                       at(op.getBaseDilations(), dim, 1),
                       at(op.getWindowDilations(), dim, 1),
                       low,
                       high};
      SmallVector<int64_t> places(count, dim);
      window.passes() ? builder.add(places, places, size)
                      : builder.add(places, places, size, Kind::Permutation, conservative);
    }
    return builder.build();
  }

  static sdy::OpShardingRuleAttr of(hlo::SelectAndScatterOp op, bool conservative) {
    RuleBuilder builder(op);
    ArrayRef<int64_t> operand = shapeOf(op.getOperand()), source = shapeOf(op.getSource());
    for (int64_t dim = 0, rank = operand.size(); dim < rank; ++dim) {
      auto [low, high] = padding(op.getPadding(), dim);
      WindowDim window{at(op.getWindowDimensions(), dim, 1), at(op.getWindowStrides(), dim, 1), 1, 1, low, high};
      if (window.passes()) {
        builder.add({dim, dim}, {dim}, operand[dim]);
        continue;
      }
      builder.add({kAbsent, dim}, {kAbsent}, source[dim], Kind::NeedReplication, conservative);
      builder.add({dim, kAbsent}, {dim}, operand[dim], Kind::Permutation, conservative);
    }
    return builder.build();
  }

  // Where the sorted dimension is the only one, a sharding of it would have nowhere else to go.
  static sdy::OpShardingRuleAttr of(hlo::SortOp op, bool) {
    RuleBuilder builder(op);
    ArrayRef<int64_t> shape = shapeOf(op.getInputs()[0]);
    const int64_t sorted = hlo::sortedDim(op);
    bool alone = true;
    for (auto [dim, size] : llvm::enumerate(shape)) alone &= static_cast<int64_t>(dim) == sorted || size == 1;
    for (auto [dim, size] : llvm::enumerate(shape))
      static_cast<int64_t>(dim) == sorted ? builder.addEverywhere(dim, size, Kind::NeedReplication, alone)
                                          : builder.addEverywhere(dim, size);
    return builder.build();
  }

  static sdy::OpShardingRuleAttr of(hlo::BatchNormInferenceOp op, bool) {
    return norm(op, op.getFeatureIndex(), false);
  }
  static sdy::OpShardingRuleAttr of(hlo::BatchNormTrainingOp op, bool) { return norm(op, op.getFeatureIndex(), true); }
  static sdy::OpShardingRuleAttr of(hlo::BatchNormGradOp op, bool) { return norm(op, op.getFeatureIndex(), true); }
  // Arrays of the operand's rank, and vectors along its features. `sums`: over all dimensions but the features.
  static sdy::OpShardingRuleAttr norm(Operation *op, int64_t feature, bool sums) {
    RuleBuilder builder(op);
    int64_t rank = shapeOf(op->getOperand(0)).size();
    for (auto [dim, size] : llvm::enumerate(shapeOf(op->getOperand(0)))) {
      bool isFeature = static_cast<int64_t>(dim) == feature;
      auto place = [&](Value value) -> int64_t {
        if (static_cast<int64_t>(shapeOf(value).size()) == rank && (rank != 1 || value == op->getOperand(0)))
          return dim;
        return isFeature ? 0 : kAbsent;
      };
      builder.add(llvm::map_to_vector(op->getOperands(), place), llvm::map_to_vector(op->getResults(), place), size,
                  sums && !isFeature ? Kind::NeedReplication : Kind::PassThrough);
    }
    return builder.build();
  }
};

}  // namespace

void attachReduction(MLIRContext *context) {
  attachRules<Reduction, hlo::ReduceOp, hlo::ReduceWindowOp, hlo::SelectAndScatterOp, hlo::SortOp,
              hlo::BatchNormInferenceOp, hlo::BatchNormTrainingOp, hlo::BatchNormGradOp>(context);
}

}  // namespace tpuc::shard
