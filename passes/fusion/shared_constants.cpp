// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What many kernels read and each may have for itself.
#include "passes/fusion/group.h"

using namespace mlir;

namespace tpuc::fusion {

bool takesConstant(Operation *copy, Value v) {
  if (auto window = dyn_cast<stablehlo::ReduceWindowOp>(copy))
    return llvm::is_contained(window.getInitValues(), v) && !llvm::is_contained(window.getInputs(), v);
  if (auto select = dyn_cast<stablehlo::SelectAndScatterOp>(copy))
    return v == select.getInitValue() && v != select.getOperand() && v != select.getSource();
  if (isMatrixOp(copy)) return false;
  if (mlir::isa<stablehlo::PadOp>(copy)) return v == copy->getOperand(1);
  if (auto slice = dyn_cast<stablehlo::DynamicSliceOp>(copy))
    return llvm::is_contained(slice.getStartIndices(), v) && v != slice.getOperand();
  if (auto update = dyn_cast<stablehlo::DynamicUpdateSliceOp>(copy))
    return llvm::is_contained(update.getStartIndices(), v) && v != update.getOperand() && v != update.getUpdate();
  return false;
}

void sinkCheapOps(func::FuncOp func) {
  SmallVector<Operation *> work;
  func.walk([&](Operation *op) {
    if (op->getParentOp() != func) work.push_back(op);
  });
  while (!work.empty()) {
    Operation *user = work.pop_back_val();
    for (OpOperand &operand : user->getOpOperands()) {
      Operation *def = operand.get().getDefiningOp();
      if (!def || def->getBlock() == user->getBlock() || !isCheap(def) || def->getNumResults() != 1) continue;
      bool made =
          llvm::all_of(def->getOperands(), [](Value v) { return v.getDefiningOp() && isCheap(v.getDefiningOp()); });
      if (!made) continue;
      OpBuilder b(user);
      Operation *copy = b.clone(*def);
      operand.set(copy->getResult(0));
      work.push_back(copy);
    }
  }
}

void keepArraysApart(func::FuncOp func) {
  func.walk([&](Operation *op) {
    auto reduce = dyn_cast<stablehlo::ReduceOp>(op);
    if (!reduce && !isMatrixOp(op)) return;
    for (OpOperand &operand : op->getOpOperands()) {
      auto constant = operand.get().getDefiningOp<stablehlo::ConstantOp>();
      if (!constant || constant->hasOneUse()) continue;
      if (reduce ? operand.getOperandNumber() >= reduce.getInputs().size() : takesConstant(op, operand.get())) continue;
      operand.set(OpBuilder(op).clone(*constant)->getResult(0));
    }
  });
}

}  // namespace tpuc::fusion
