// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls on the vector unit (layout/dot_sums.h): their loops take several sums together (plan/loop/loop_cost.cpp),
// where these are alone and their factors are arrays.
#include "passes/fusion/group.h"

using namespace mlir;

namespace tpuc::fusion {

// A sum of products of two arrays that are both spread, one of them over many elements of the other: a matmul on the
// vector unit.
static bool isMatrixSum(Operation *op) {
  constexpr int64_t kMany = 16;
  auto reduce = dyn_cast<stablehlo::ReduceOp>(op);
  auto product = reduce ? reduce.getInputs()[0].getDefiningOp<stablehlo::MulOp>() : stablehlo::MulOp();
  if (!product) return false;
  int64_t least = INT64_MAX, most = 1;
  for (Value v : product->getOperands()) {
    auto spread = v.getDefiningOp<stablehlo::BroadcastInDimOp>();
    if (!spread || spread.getOperand().getType().getNumElements() == 0) return false;
    const int64_t times = spread.getType().getNumElements() / spread.getOperand().getType().getNumElements();
    least = std::min(least, times);
    most = std::max(most, times);
  }
  return least > 1 && most > kMany;
}

// Whether an op makes, for a matrix sum of the group, an element anew for each of its products. Widened elements are
// as soon read.
static bool makesFactors(const Group &group, Operation *op) {
  if (isCheap(op)) return false;
  llvm::SmallSetVector<Operation *, 8> users(op->user_begin(), op->user_end());
  for (size_t i = 0; i < users.size(); ++i) {
    if (!group.ops.contains(users[i])) continue;
    if (mlir::isa<stablehlo::MulOp>(users[i]) && users[i]->hasOneUse() && isMatrixSum(*users[i]->user_begin()))
      return true;
    if (isCheap(users[i])) users.insert(users[i]->user_begin(), users[i]->user_end());
  }
  return false;
}

bool disturbsSums(const Group &group, Operation *op) {
  if (makesFactors(group, op)) return true;
  if (!mlir::isa<stablehlo::ReduceOp>(op)) return false;
  const auto isSum = [](Operation *other) { return mlir::isa<stablehlo::ReduceOp>(other); };
  return isMatrixSum(op) ? llvm::any_of(group.ops, isSum) : llvm::any_of(group.ops, isMatrixSum);
}

}  // namespace tpuc::fusion
