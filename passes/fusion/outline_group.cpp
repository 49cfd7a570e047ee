// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A group becomes a kernel.
#include "mlir/IR/IRMapping.h"
#include "passes/fusion/group.h"

using namespace mlir;

namespace tpuc::fusion {

// The op that a kernel is for: the one on the matrix unit or of windows, else the last.
static Operation *mainOp(const Group &group, Operation *root) {
  if (group.kind != Kind::Dot && group.kind != Kind::Conv && group.kind != Kind::Window) return root;
  auto found = llvm::find_if(group.ops, [](Operation *op) {
    return mlir::isa<stablehlo::DotGeneralOp, stablehlo::ConvolutionOp, stablehlo::ReduceWindowOp,
                     stablehlo::SelectAndScatterOp>(op);
  });
  return found == group.ops.end() ? root : *found;
}

kernel::FusionOp makeKernel(OpBuilder &b, const Group &group, Operation *root) {
  SmallVector<Operation *> ordered = llvm::to_vector(group.ops);
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  Group sorted{group.kind, {}};
  for (Operation *op : ordered) sorted.ops.insert(op);
  // Cheap ops that others use too stay where they are; only the root's results leave.
  SmallVector<Value> inputs = sorted.inputs().takeVector(), results(root->getResults());
  SmallVector<Type> types = llvm::map_to_vector(results, [](Value v) { return v.getType(); });
  StringRef kind = group.kind == Kind::Dot      ? "dot"
                   : group.kind == Kind::Conv   ? "conv"
                   : group.kind == Kind::Window ? "window"
                   : group.kind == Kind::Copy   ? "copy"
                                                : "loop";
  auto fusion = kernel::FusionOp::create(b, mainOp(sorted, root)->getLoc(), types, b.getStringAttr(kind), inputs,
                                         ArrayAttr(), ArrayAttr());
  OpBuilder::InsertionGuard guard(b);
  Block *body = b.createBlock(&fusion.getBody());
  IRMapping mapping;
  for (Value v : inputs) mapping.map(v, body->addArgument(v.getType(), v.getLoc()));
  b.setInsertionPointToEnd(body);
  for (Operation *op : ordered) b.clone(*op, mapping);
  kernel::YieldOp::create(b, root->getLoc(), llvm::map_to_vector(results, [&](Value v) { return mapping.lookup(v); }));
  return fusion;
}

kernel::FusionOp outline(const Group &group, Operation *root) {
  OpBuilder b(root);
  auto fusion = makeKernel(b, group, root);
  root->replaceAllUsesWith(fusion.getResults());
  SmallVector<Operation *> ordered = llvm::to_vector(group.ops);
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : llvm::reverse(ordered))
    if (op->use_empty()) op->erase();
  return fusion;
}

}  // namespace tpuc::fusion
