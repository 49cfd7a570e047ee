//===- rules_collective.cpp - sharding rules of collectives within manual computations ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/models.h"
#include "passes/shard/rule_builder.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;

struct Collective {
  // Dimensions that keep their size first, then each of `special` with a factor of the operands and one of the results.
  static sdy::OpShardingRuleAttr except(Operation *op, ArrayRef<int64_t> special) {
    RuleBuilder builder(op);
    ArrayRef<int64_t> in = shapeOf(op->getOperand(0)), out = shapeOf(op->getResult(0));
    size_t operands = op->getNumOperands(), results = op->getNumResults();
    for (int64_t dim = 0, rank = in.size(); dim < rank; ++dim)
      if (!llvm::is_contained(special, dim)) builder.addEverywhere(dim, in[dim]);
    for (int64_t dim : special) {
      builder.add(SmallVector<int64_t>(operands, dim), {}, in[dim], Kind::NeedReplication);
      builder.add({}, SmallVector<int64_t>(results, dim), out[dim], Kind::NeedReplication);
    }
    return builder.build();
  }

  static sdy::OpShardingRuleAttr of(hlo::AllGatherOp op, bool) {
    return except(op, {static_cast<int64_t>(op.getAllGatherDim())});
  }
  static sdy::OpShardingRuleAttr of(hlo::ReduceScatterOp op, bool) {
    return except(op, {static_cast<int64_t>(op.getScatterDimension())});
  }
  static sdy::OpShardingRuleAttr of(hlo::AllToAllOp op, bool) {
    int64_t split = op.getSplitDimension(), concat = op.getConcatDimension();
    return split == concat ? except(op, {split}) : except(op, {split, concat});
  }
  template <typename OpT>
  static sdy::OpShardingRuleAttr of(OpT op, bool) {
    return op->getNumOperands() == 1 ? RuleBuilder(op).pointwise(shapeOf(op->getResult(0))).build() : perOperand(op);
  }
  // Operands of shapes of their own, a result each.
  static sdy::OpShardingRuleAttr perOperand(Operation *op) {
    RuleBuilder builder(op);
    for (unsigned i = 0, count = std::min(op->getNumOperands(), op->getNumResults()); i < count; ++i)
      for (auto [dim, size] : llvm::enumerate(shapeOf(op->getResult(i)))) {
        SmallVector<int64_t> operands(op->getNumOperands(), kAbsent), results(op->getNumResults(), kAbsent);
        operands[i] = results[i] = dim;
        builder.add(operands, results, size);
      }
    return builder.build();
  }
};

}  // namespace

void attachCollective(MLIRContext *context) {
  attachRules<Collective, hlo::AllGatherOp, hlo::ReduceScatterOp, hlo::AllToAllOp, hlo::AllReduceOp,
              hlo::CollectiveBroadcastOp, hlo::CollectiveReduceOp, hlo::CollectivePermuteOp, hlo::CrossReplicaSumOp>(
      context);
}

}  // namespace tpuc::shard
