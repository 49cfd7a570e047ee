// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masks of positions on a matmul's operands: the matmul's own, which has each vreg in hand as it goes into the array.
#include "passes/fusion/group.h"

using namespace mlir;

namespace tpuc::fusion {
namespace {

// Made of positions, constants and single numbers: `ops` are those that make it, null where it reads an array.
bool isMadeOfPositions(Value value, Block *block, llvm::SetVector<Operation *> &ops) {
  constexpr size_t kLongest = 16;
  SmallVector<Value> work{value};
  while (!work.empty()) {
    Value v = work.pop_back_val();
    Operation *op = v.getDefiningOp();
    const bool number = cast<RankedTensorType>(v.getType()).getRank() == 0;
    if (number && (!op || !mlir::isa<stablehlo::ConstantOp>(op))) continue;
    if (!op || op->getBlock() != block || !isLoopOp(op) || mlir::isa<stablehlo::ReduceOp, stablehlo::ReshapeOp>(op))
      return false;
    if (!ops.insert(op)) continue;
    if (ops.size() > kLongest) return false;
    llvm::append_range(work, op->getOperands());
  }
  return true;
}

}  // namespace

llvm::SetVector<Operation *> maskOn(Value operand) {
  auto select = operand.getDefiningOp<stablehlo::SelectOp>();
  llvm::SetVector<Operation *> ops;
  if (!select || !isLoopOp(select)) return {};
  Block *block = select->getBlock();
  // What others read is an array anyway.
  if (!llvm::all_of(select->getUsers(), [&](Operation *user) {
        return mlir::isa<stablehlo::DotGeneralOp>(user) && user->getBlock() == block;
      }))
    return {};
  ops.insert(select);
  if (cast<RankedTensorType>(select.getPred().getType()).getRank() == 0 || select.getOnTrue() == select.getOnFalse() ||
      !isMadeOfPositions(select.getPred(), block, ops) || !isMadeOfPositions(select.getOnFalse(), block, ops))
    return {};
  // The array is read and not made here.
  Operation *array = select.getOnTrue().getDefiningOp();
  return array && ops.contains(array) ? llvm::SetVector<Operation *>() : ops;
}

DenseSet<Operation *> epilogueOf(const Members &group, Operation *dot) {
  DenseSet<Operation *> members(group.ops.begin(), group.ops.end()), after;
  SmallVector<Value> work(group.results);
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    if (op && op != dot && members.contains(op) && after.insert(op).second) llvm::append_range(work, op->getOperands());
  }
  return after;
}

}  // namespace tpuc::fusion
