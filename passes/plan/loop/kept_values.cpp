// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values of a loop kernel are computed once.
#include "passes/plan/loop/kept_values.h"

#include "passes/analysis/elementary.h"

using namespace mlir;

namespace tpuc::plan {

// Whether a value takes an elementary function, a division or a root to compute from the kernel's inputs.
static bool isDear(Value v, DenseSet<Operation *> &seen) {
  Operation *def = v.getDefiningOp();
  if (!def || mlir::isa<stablehlo::ReduceOp>(def) || !seen.insert(def).second) return false;
  if (analysis::elementaryCost(def) || mlir::isa<stablehlo::DivOp, stablehlo::SqrtOp, stablehlo::RsqrtOp>(def))
    return true;
  return llvm::any_of(def->getOperands(), [&](Value operand) { return isDear(operand, seen); });
}

bool isKept(stablehlo::ReduceOp reduce, Value v) {
  bool again = llvm::any_of(v.getUsers(), [&](Operation *user) { return user != reduce; });
  DenseSet<Operation *> seen;
  return again && mlir::isa<FloatType>(getElementTypeOrSelf(v.getType())) && isDear(v, seen);
}

bool isReadByReductionsAlone(kernel::FusionOp op, BlockArgument argument, llvm::function_ref<bool(Value)> isKept) {
  DenseSet<Value> seen;
  SmallVector<Value> work(op.getBlock().getTerminator()->getOperands());
  while (!work.empty()) {
    Value v = work.pop_back_val();
    if (v == argument) return false;
    Operation *def = v.getDefiningOp();
    if (def && seen.insert(v).second && !mlir::isa<stablehlo::ReduceOp>(def) && !isKept(v))
      llvm::append_range(work, def->getOperands());
  }
  return true;
}

}  // namespace tpuc::plan
