// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands of a matmul that are made of smaller arrays: one-hot rows of indices, a vector that each row takes, weights
// that lie in 8 bits.
#include "passes/analysis/elementary.h"
#include "passes/fusion/group.h"

using namespace mlir;

namespace tpuc::fusion {

// Whether a kernel in the block would compute the value: a view of what it does not compute is an array too.
static bool isComputed(Value v, Block *block) {
  Operation *op = v.getDefiningOp();
  if (!op || op->getBlock() != block || !isLoopOp(op)) return false;
  return !isView(op) || isComputed(op->getOperand(0), block);
}

// What others read on the way is made for them again: it costs them some vector work, and nobody an array.
llvm::SetVector<Operation *> makersOf(Value operand) {
  constexpr size_t kLongest = 24;  // of ops: a float of 8 bits is decoded by some 15
  llvm::SetVector<Operation *> ops;
  Operation *last = operand.getDefiningOp();
  if (!last || !isComputed(operand, last->getBlock())) return {};
  Block *block = last->getBlock();
  const auto type = cast<RankedTensorType>(operand.getType());
  // What others read is an array anyway.
  if (!llvm::all_of(last->getUsers(), [&](Operation *user) {
        return mlir::isa<stablehlo::DotGeneralOp>(user) && user->getBlock() == block;
      }))
    return {};
  bool readsArray = false;
  size_t length = 0;
  SmallVector<Value> work{operand};
  while (!work.empty()) {
    Value v = work.pop_back_val();
    Operation *op = v.getDefiningOp();
    const auto from = cast<RankedTensorType>(v.getType());
    const bool isMade = isComputed(v, block);
    // What is made of narrow elements lies nowhere itself.
    const bool isSmaller = from.getNumElements() < type.getNumElements() ||
                           (!isMade && from.getElementTypeBitWidth() < type.getElementTypeBitWidth());
    if (isSmaller && !(op && mlir::isa<stablehlo::ConstantOp>(op))) {
      readsArray = true;
      continue;
    }
    if (!isMade || analysis::elementaryCost(op) || mlir::isa<stablehlo::ReduceOp>(op)) return {};
    if (!ops.insert(op)) continue;
    if (!mlir::isa<stablehlo::ConstantOp>(op) && ++length > kLongest) return {};
    llvm::append_range(work, op->getOperands());
  }
  return readsArray ? ops : llvm::SetVector<Operation *>();
}

}  // namespace tpuc::fusion
