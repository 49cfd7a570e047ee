//===- insert_explicit_reshards.cpp - unreduced axes are reduced before they are gone ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "dialects/sdy/axes.h"
#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_INSERTEXPLICITRESHARDSPASS
#include "passes/shard/passes.h.inc"

namespace {

// Where a reshard drops unreduced axes of its operand, an all_reduce goes before it.
void reduceBefore(sdy::ReshardOp op) {
  sdy::TensorShardingAttr before = sdy::shardingOf(op.getInput());
  if (!before || before.getUnreducedAxes().empty()) return;
  auto gone = llvm::filter_to_vector(before.getUnreducedAxes(), [&](sdy::AxisRefAttr axis) {
    return !llvm::is_contained(op.getSharding().getUnreducedAxes(), axis);
  });
  auto stays = llvm::filter_to_vector(before.getUnreducedAxes(),
                                      [&](sdy::AxisRefAttr axis) { return !llvm::is_contained(gone, axis); });
  if (gone.empty()) return;
  MLIRContext *context = op.getContext();
  auto after = sdy::TensorShardingAttr::get(context, before.getMeshOrRef(), before.getDimShardings(),
                                            before.getReplicatedAxes(), stays, before.getReductionOp());
  sdy::ReductionOpAttr reduction;
  if (before.getReductionOp() != sdy::ReductionOp::SUM)
    reduction = sdy::ReductionOpAttr::get(context, before.getReductionOp());
  OpBuilder builder(op);
  auto reduce = sdy::AllReduceOp::create(builder, op.getLoc(), op.getType(), op.getInput(),
                                         sdy::AxisRefListAttr::get(context, gone), reduction, after);
  op.getInputMutable().assign(reduce.getResult());
}

struct InsertExplicitReshards : impl::InsertExplicitReshardsPassBase<InsertExplicitReshards> {
  void runOnOperation() override {
    getOperation().walk([](sdy::ReshardOp op) { reduceBefore(op); });
  }
};

}  // namespace
}  // namespace tpuc::shard
