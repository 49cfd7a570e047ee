//===- hoist_collectives.cpp - collectives of what a loop does not change, before the loop ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value of the body is invariant where all that computes it is: constants, values from outside, and what the loop
// carries unchanged. An invariant collective, and what it needs, moves before the loop; its result is carried.
//===-----------------------------------------------------------------------------===//
#include "mlir/IR/IRMapping.h"
#include "passes/shard/partition/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_HOISTCOLLECTIVESPASS
#include "passes/shard/partition/passes.h.inc"

namespace {

namespace hlo = tpuc::stablehlo;

bool isCollective(Operation *op) {
  return isa<hlo::AllGatherOp, hlo::AllReduceOp, hlo::AllToAllOp, hlo::ReduceScatterOp, hlo::CollectivePermuteOp>(op);
}

class Hoister {
 public:
  explicit Hoister(hlo::WhileOp loop) : loop(loop), body(loop.getBody().front()) {}

  void run() {
    findInvariants();
    if (collectives.empty()) return;
    hoist();
    carry();
  }

 private:
  bool isInvariant(Value value) const {
    if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == &body)
      return unchanged.test(argument.getArgNumber());
    if (value.getParentBlock() != &body) return true;
    return invariant.contains(value.getDefiningOp());
  }

  void findInvariants() {
    unchanged.resize(body.getNumArguments());
    for (auto [i, value] : llvm::enumerate(body.getTerminator()->getOperands()))
      if (value == body.getArgument(i)) unchanged.set(i);
    for (Operation &op : body.without_terminator()) {
      if (!(isCollective(&op) || (isMemoryEffectFree(&op) && op.getNumRegions() == 0))) continue;
      if (!llvm::all_of(op.getOperands(), [&](Value value) { return isInvariant(value); })) continue;
      invariant.insert(&op);
      if (isCollective(&op)) collectives.push_back(&op);
    }
  }

  // The op before the loop, after what it needs.
  void copyOut(Operation *op, OpBuilder &builder) {
    if (!copied.insert(op).second) return;
    for (Value operand : op->getOperands()) {
      if (Operation *inner = operand.getDefiningOp(); inner && inner->getBlock() == &body) copyOut(inner, builder);
      if (auto argument = dyn_cast<BlockArgument>(operand); argument && argument.getOwner() == &body)
        map.map(operand, loop->getOperand(argument.getArgNumber()));
    }
    builder.clone(*op, map);
  }

  void hoist() {
    OpBuilder builder(loop);
    for (Operation *op : collectives) copyOut(op, builder);
  }

  // Results that the rest of the body uses are carried by a loop with more operands.
  void carry() {
    OpBuilder builder(loop);
    SmallVector<Value> operands(loop->getOperands()), carried;
    for (Operation *op : collectives)
      for (Value result : op->getResults())
        if (llvm::any_of(result.getUsers(), [&](Operation *user) { return !llvm::is_contained(collectives, user); }))
          carried.push_back(result);
    for (Value value : carried) operands.push_back(map.lookup(value));
    OperationState state(loop.getLoc(), loop->getName(), operands, ValueRange(operands).getTypes(), loop->getAttrs());
    for (Region &region : loop->getRegions()) state.addRegion()->takeBody(region);
    Operation *made = builder.create(state);
    for (Value value : carried) {
      made->getRegion(0).addArgument(value.getType(), value.getLoc());
      value.replaceAllUsesWith(made->getRegion(1).addArgument(value.getType(), value.getLoc()));
    }
    unsigned first = loop->getNumResults();
    Operation *end = body.getTerminator();
    SmallVector<Value> results(end->getOperands());
    for (size_t i = 0; i < carried.size(); ++i) results.push_back(body.getArgument(first + i));
    end->setOperands(results);
    for (Operation *op : llvm::reverse(collectives)) op->erase();
    loop->replaceAllUsesWith(made->getResults().take_front(first));
    loop->erase();
  }

  hlo::WhileOp loop;
  Block &body;
  llvm::BitVector unchanged;
  DenseSet<Operation *> invariant, copied;
  SmallVector<Operation *> collectives;
  IRMapping map;
};

struct HoistCollectives : impl::HoistCollectivesPassBase<HoistCollectives> {
  void runOnOperation() override {
    // Inner loops first: what leaves them may leave the outer one.
    SmallVector<hlo::WhileOp> loops;
    getOperation().walk([&](hlo::WhileOp loop) { loops.push_back(loop); });
    for (hlo::WhileOp loop : loops) Hoister(loop).run();
  }
};

}  // namespace
}  // namespace tpuc::shard
