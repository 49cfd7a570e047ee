//===- constant_or_scalar_splitter.cpp - constants of their own for each use ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/shard/passes.h"

using namespace mlir;

namespace tpuc::shard {
#define GEN_PASS_DEF_CONSTANTORSCALARSPLITTERPASS
#include "passes/shard/passes.h.inc"

namespace {

namespace hlo = tpuc::stablehlo;

// Values that constants alone decide, and scalars that are made larger: each use gets a copy of all that computes it.
class Splitter {
 public:
  explicit Splitter(func::FuncOp function) : function(function) {}

  void run() {
    function.walk([&](hlo::ConstantOp op) { replace(op); });
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isConstant(op))
        constants.insert(op);
      else if (isExpansion(op))
        expansions.insert(op);
    });
    function.walk([&](Operation *op) {
      if (constants.contains(op) || isa<sdy::ShardingGroupOp>(op)) return;
      users.push_back(op);
    });
    for (Operation *user : users)
      for (OpOperand &use : user->getOpOperands()) split(use);
    for (Operation *op : llvm::reverse(made))
      if (op->use_empty()) op->erase();
  }

 private:
  void replace(hlo::ConstantOp op) {
    OpBuilder builder(op);
    auto copy = sdy::ConstantOp::create(builder, op.getLoc(), op.getType(), op.getValue());
    copy->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    op.getOutput().replaceAllUsesWith(copy.getResult());
    op.erase();
  }

  bool isConstant(Operation *op) {
    if (isa<sdy::ConstantOp, hlo::IotaOp>(op)) return true;
    bool kind = (op->hasTrait<hlo::IsElementwise>() && isPure(op)) ||
                isa<hlo::BroadcastInDimOp, hlo::ReshapeOp, hlo::SliceOp>(op);
    return kind && op->getNumOperands() > 0 && llvm::all_of(op->getOperands(), [&](Value operand) {
             return operand.getDefiningOp() && constants.contains(operand.getDefiningOp());
           });
  }
  static bool isExpansion(Operation *op) {
    auto broadcast = dyn_cast<hlo::BroadcastInDimOp>(op);
    return broadcast && cast<ShapedType>(broadcast.getOperand().getType()).getRank() == 0;
  }

  void split(OpOperand &use) {
    Operation *op = use.get().getDefiningOp();
    bool constant = op && constants.contains(op);
    if (!constant && !(op && expansions.contains(op))) return;
    if (auto type = dyn_cast<RankedTensorType>(use.get().getType()); !type || type.getRank() == 0)
      return;                      // never sharded
    if (kept.insert(op).second) {  // the first use has the op itself
      made.push_back(op);
      if (!constant || claim(op)) return;
    }
    IRMapping copies;
    OpBuilder builder(op);
    if (constant) {
      use.set(copy(use.get(), copies));
      return;
    }
    use.set(builder.clone(*op)->getResult(cast<OpResult>(use.get()).getResultNumber()));
  }

  // Whether no other use has part of the computation of `op` already; takes it.
  bool claim(Operation *op) {
    SmallVector<Operation *> all;
    gather(op, all);
    for (Operation *part : all)
      if (part != op && kept.contains(part)) return false;
    kept.insert(all.begin(), all.end());
    return true;
  }
  void gather(Operation *op, SmallVectorImpl<Operation *> &all) {
    if (llvm::is_contained(all, op)) return;
    for (Value operand : op->getOperands()) gather(operand.getDefiningOp(), all);
    all.push_back(op);
  }

  // A copy of the computation, each op behind its original.
  Value copy(Value value, IRMapping &copies) {
    SmallVector<Operation *> all;
    gather(value.getDefiningOp(), all);
    OpBuilder builder(value.getContext());
    for (Operation *op : all) {  // behind the copies for uses before
      Operation *&last = lastCopy[op];
      builder.setInsertionPointAfter(last ? last : op);
      last = builder.clone(*op, copies);
    }
    return copies.lookup(value);
  }

  func::FuncOp function;
  llvm::SetVector<Operation *> constants, expansions;
  llvm::DenseMap<Operation *, Operation *> lastCopy;
  llvm::DenseSet<Operation *> kept;
  SmallVector<Operation *> users, made;
};

struct ConstantOrScalarSplitter : impl::ConstantOrScalarSplitterPassBase<ConstantOrScalarSplitter> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) Splitter(function).run();
  }
};

}  // namespace
}  // namespace tpuc::shard
