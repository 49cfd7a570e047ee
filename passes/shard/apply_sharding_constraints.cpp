//===- apply_sharding_constraints.cpp - constraints that dictate their input's sharding, on the input ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/sdy/axes.h"
#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_APPLYSHARDINGCONSTRAINTSPASS
#include "passes/shard/passes.h.inc"

namespace {

bool isClosed(sdy::TensorShardingAttr sharding) {
  return llvm::all_of(sharding.getDimShardings(), [](auto dim) { return dim.getIsClosed(); });
}
bool isConstraint(Operation *op) { return isa<sdy::ShardingConstraintOp, sdy::ManualComputationOp>(op); }

// What a use asks of its value; null where it asks for nothing.
sdy::TensorShardingAttr askedBy(OpOperand &use) {
  if (auto constraint = dyn_cast<sdy::ShardingConstraintOp>(use.getOwner())) return constraint.getSharding();
  if (auto manual = dyn_cast<sdy::ManualComputationOp>(use.getOwner()))
    return manual.getInShardings().getShardings()[use.getOperandNumber()];
  return {};
}

// Whether another use asks for something else.
bool isContradicted(Value value, OpOperand &by, sdy::TensorShardingAttr sharding) {
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    sdy::TensorShardingAttr other = askedBy(use);
    return &use != &by && other && other != sharding;
  });
}

bool isTargetOfEdge(Value value) {
  if (value.getDefiningOp<sdy::DataFlowEdgeOp>()) return true;
  Operation *holder = isa<BlockArgument>(value) ? value.getParentBlock()->getParentOp() : value.getDefiningOp();
  return isa<sdy::ShardableDataFlowOpInterface>(holder);
}

void setSharding(Value value, sdy::TensorShardingAttr sharding) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (!sharding.getUnreducedAxes().empty()) return;  // an argument is whole unless the program says so
    if (auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()))
      function.setArgAttr(argument.getArgNumber(), "sdy.sharding", sharding);
    return;
  }
  Operation *op = value.getDefiningOp();
  SmallVector<sdy::TensorShardingAttr> all;
  if (auto old = op->getAttrOfType<sdy::TensorShardingPerValueAttr>("sdy.sharding"))
    all.append(old.getShardings().begin(), old.getShardings().end());
  for (unsigned i = all.size(); i < op->getNumResults(); ++i) {
    auto type = dyn_cast<RankedTensorType>(op->getResult(i).getType());
    all.push_back(sdy::fullyOpen(sharding.getMeshOrRef(), type ? type.getRank() : 0));
  }
  all[cast<OpResult>(value).getResultNumber()] = sharding;
  op->setAttr("sdy.sharding", sdy::TensorShardingPerValueAttr::get(op->getContext(), all));
}

// 1. A closed constraint alone on a value without a sharding is the value's sharding.
void apply(OpOperand &use) {
  Value value = use.get();
  sdy::TensorShardingAttr sharding = askedBy(use);
  auto stated = sdy::shardingOf(value);
  bool unstated = !stated || (isTargetOfEdge(value) && stated.getDimShardings().size() && !isClosed(stated) &&
                              llvm::all_of(stated.getDimShardings(),
                                           [](auto dim) { return dim.getAxes().empty() && !dim.getIsClosed(); }) &&
                              stated.getReplicatedAxes().empty());
  if (!unstated || !isClosed(sharding) || isContradicted(value, use, sharding)) return;
  if (!isTargetOfEdge(value)) return setSharding(value, sharding);
  auto constraint = dyn_cast<sdy::ShardingConstraintOp>(use.getOwner());
  if (!constraint) return;
  Block *block = value.getParentBlock();
  if (constraint->getBlock() != block) return;
  if (Operation *definer = value.getDefiningOp())
    constraint->moveAfter(definer);
  else
    constraint->moveBefore(block, block->begin());
  value.replaceAllUsesExcept(constraint.getResult(), constraint);
}

// 2. A chain of constraints on a value is what uses after it see.
void extend(sdy::ShardingConstraintOp first) {
  Value value = first.getInput();
  if (value.getDefiningOp<sdy::ShardingConstraintOp>() ||
      llvm::any_of(value.getUsers(), [&](Operation *user) { return isConstraint(user) && user != first; }))
    return;
  sdy::ShardingConstraintOp last = first;
  while (last.getResult().hasOneUse()) {
    auto next = dyn_cast<sdy::ShardingConstraintOp>(*last.getResult().user_begin());
    if (!next) break;
    last = next;
  }
  if (llvm::any_of(last.getResult().getUsers(), isConstraint)) return;
  value.replaceUsesWithIf(last.getResult(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    return user != first && !isa<func::ReturnOp>(user) && user->getBlock() == last->getBlock() &&
           last->isBeforeInBlock(user);
  });
}

struct ApplyShardingConstraints : impl::ApplyShardingConstraintsPassBase<ApplyShardingConstraints> {
  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      if (isConstraint(op))
        for (OpOperand &use : op->getOpOperands()) apply(use);
    });
    getOperation().walk([&](sdy::ShardingConstraintOp op) { extend(op); });
  }
};

}  // namespace
}  // namespace tpuc::shard
