// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What several kernels compute for themselves: elementwise work on one array that is in memory anyway. A kernel then
// reads that array in place of a result that would have to be written and read, and is no smaller: a batch norm reads
// its rows of bf16 three times, and has no array of centred rows of f32.
#include "passes/analysis/elementary.h"
#include "passes/fusion/group.h"

using namespace mlir;

namespace tpuc::fusion {
namespace {

int64_t bytesOf(Value v) { return analysis::paddedBytes(cast<RankedTensorType>(v.getType())); }

// Other kernels read it, or nothing makes it here.
bool isStored(Value v, const llvm::SetVector<Operation *> &work) {
  Operation *def = v.getDefiningOp();
  return !def || def->getBlock() != work.front()->getBlock() || mlir::isa<stablehlo::ConstantOp>(def) ||
         llvm::any_of(v.getUsers(), [&](Operation *user) { return !work.contains(user); });
}

// Whether a kernel of the work can have the reductions whose results it takes: it has rows in VMEM then, and what else
// uses them may join it.
bool holdsItsReductions(const llvm::SetVector<Operation *> &work, const Room &room) {
  constexpr size_t kFarthest = 24;
  Group group;
  group.ops.insert(work.begin(), work.end());
  bool hasReduction = false;
  for (size_t i = 0; i < group.ops.size() && group.ops.size() < kFarthest; ++i) {
    if (mlir::isa<stablehlo::ReduceOp>(group.ops[i])) continue;
    for (Value v : group.ops[i]->getOperands()) {
      Operation *def = v.getDefiningOp();
      if (!def || def->getBlock() != work.front()->getBlock() || !isLoopOp(def) || group.ops.contains(def)) continue;
      hasReduction |= mlir::isa<stablehlo::ReduceOp>(def);
      group.ops.insert(def);
    }
  }
  return hasReduction && isValid(group, room);
}

}  // namespace

bool isArrayAnyway(Value v) {
  return llvm::any_of(v.getUsers(), [&](Operation *user) {
    return !isLoopOp(user) || user->getBlock() != v.getParentBlock() || mlir::isa<stablehlo::TransposeOp>(user);
  });
}

bool paysToRepeat(Operation *op, const Room &room) {
  constexpr int64_t kMostInstructions = 8, kSmall = 16;
  constexpr unsigned kMostUsers = 16;
  if (room.isCareful || op->getNumResults() != 1 || op->hasOneUse() || op->getResult(0).hasNUsesOrMore(kMostUsers))
    return false;
  const int64_t bytes = bytesOf(op->getResult(0));
  if (bytes < room.vmemBytes / 8 * 3) return false;  // VMEM may hold two of them from kernel to kernel
  if (!isLoopOp(op) || isArrayAnyway(op->getResult(0))) return false;
  llvm::SetVector<Operation *> work;
  work.insert(op);
  llvm::SetVector<Value> arrays;
  int64_t instructions = 0;
  for (size_t i = 0; i < work.size(); ++i) {
    if (mlir::isa<stablehlo::ReduceOp, stablehlo::TransposeOp>(work[i]) || analysis::elementaryCost(work[i]))
      return false;
    instructions += !isCheap(work[i]);
    if (instructions > kMostInstructions) return false;
    for (Value v : work[i]->getOperands()) {
      if (bytesOf(v) <= bytes / kSmall) continue;
      Operation *def = v.getDefiningOp();
      bool isMade = def && def->getBlock() == op->getBlock() && def->getNumResults() == 1 && isLoopOp(def) &&
                    !mlir::isa<stablehlo::ReduceOp>(def) && !isArrayAnyway(v);
      if (isMade)
        work.insert(def);
      else
        arrays.insert(v);
    }
  }
  return arrays.size() == 1 && bytesOf(arrays[0]) <= bytes && isStored(arrays[0], work) &&
         !holdsItsReductions(work, room);
}

}  // namespace tpuc::fusion
