//===- models.h - sharding rules and edges of data flow of the ops of stablehlo and chlo ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each family of ops has its rules in a file of its own, as `ruleOf(op, conservative)`; attach<Op...> makes them models
// of the op interface.
//===-----------------------------------------------------------------------------===//
#ifndef TPUC_PASSES_SHARD_MODELS_H
#define TPUC_PASSES_SHARD_MODELS_H

#include "dialects/sdy/sdy.h"
#include "dialects/stablehlo/chlo.h"
#include "dialects/stablehlo/stablehlo.h"

namespace mlir {
class DialectRegistry;
}

namespace tpuc::shard {

// All of them.
void registerModels(mlir::DialectRegistry &registry);

// By family; each is called when its dialect is loaded.
void attachElementwise(mlir::MLIRContext *context);
void attachShape(mlir::MLIRContext *context);
void attachContraction(mlir::MLIRContext *context);
void attachConvolution(mlir::MLIRContext *context);
void attachIndexing(mlir::MLIRContext *context);
void attachReduction(mlir::MLIRContext *context);
void attachLinalg(mlir::MLIRContext *context);
void attachCollective(mlir::MLIRContext *context);
void attachCalls(mlir::MLIRContext *context);
void attachEdges(mlir::MLIRContext *context);
void attachKernel(mlir::MLIRContext *context);  // what the simplify stage writes special functions with
void attachChlo(mlir::MLIRContext *context);
void attachChloCalls(mlir::MLIRContext *context);

// Whether the call's name has a rule; calls of others pass nothing on.
bool isKnownCall(stablehlo::CustomCallOp op);

// The rule by which a convolution is partitioned: along windows, not along parts of them.
sdy::OpShardingRuleAttr windowRule(stablehlo::ConvolutionOp op);

// Rule is a type with `static OpShardingRuleAttr of(OpT op, bool conservative)` for each op.
template <typename Rules, typename OpT>
struct RuleModel : sdy::ShardingRuleOpInterface::ExternalModel<RuleModel<Rules, OpT>, OpT> {
  sdy::OpShardingRuleAttr getShardingRule(mlir::Operation *op, bool conservative) const {
    for (mlir::Type type : op->getOperandTypes())
      if (auto shaped = mlir::dyn_cast<mlir::ShapedType>(type); shaped && !shaped.hasStaticShape()) return {};
    for (mlir::Type type : op->getResultTypes())
      if (auto shaped = mlir::dyn_cast<mlir::ShapedType>(type); shaped && !shaped.hasStaticShape()) return {};
    return Rules::of(mlir::cast<OpT>(op), conservative);
  }
};
template <typename Rules, typename... Ops>
void attachRules(mlir::MLIRContext *context) {
  (Ops::template attachInterface<RuleModel<Rules, Ops>>(*context), ...);
}

}  // namespace tpuc::shard

#endif  // TPUC_PASSES_SHARD_MODELS_H
