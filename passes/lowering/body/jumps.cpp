// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/lowering/body/jumps.h"

#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/stablehlo.h"
#include "passes/lowering/body/vector_ops.h"

using namespace mlir;

namespace tpuc::lowering {

constexpr int kMostOps = 8;  // behind one another that are looked through

// Whether a result is one of the operands, or elements of it, as it was.
static bool isChoice(Operation *op) {
  return mlir::isa<stablehlo::MaxOp, stablehlo::MinOp, stablehlo::SelectOp, stablehlo::ClampOp, stablehlo::NegOp,
                   stablehlo::AbsOp, stablehlo::BroadcastInDimOp, stablehlo::ReshapeOp, stablehlo::TransposeOp,
                   stablehlo::SliceOp, stablehlo::ReverseOp, stablehlo::PadOp, stablehlo::ConcatenateOp,
                   stablehlo::DynamicSliceOp>(op);
}

// Whether lanes of bf16 hold nothing more than bf16 does: what comes from memory, is converted, or is chosen or moved
// of such.
static bool isRounded(Value v, int most = kMostOps) {
  if (most == 0) return false;
  auto areRounded = [&](ValueRange values) {
    return llvm::all_of(values, [&](Value operand) {
      return !getElementTypeOrSelf(operand.getType()).isBF16() || isRounded(operand, most - 1);
    });
  };
  if (auto argument = dyn_cast<BlockArgument>(v)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (mlir::isa<kernel::FusionOp>(parent)) return true;
    // What a reduction has found so far is a result of its region.
    auto makesBf16 = [](Operation &op) {
      return op.getNumResults() && getElementTypeOrSelf(op.getResult(0).getType()).isBF16() && !isChoice(&op);
    };
    return llvm::none_of(argument.getOwner()->without_terminator(), makesBf16) && areRounded(parent->getOperands());
  }
  Operation *op = v.getDefiningOp();
  if (mlir::isa<stablehlo::ConstantOp, stablehlo::ConvertOp, stablehlo::ReducePrecisionOp, stablehlo::BitcastConvertOp>(
          op))
    return true;
  return isChoice(op) && areRounded(op->getOperands());
}

// Whether an op that jumps, or that its kernel's results are stored of, sees the value: `isSame` while nothing has
// computed with it.
static bool isSeen(Value v, bool isSame, llvm::SmallDenseSet<std::pair<Operation *, int>> &known) {
  return llvm::any_of(v.getUsers(), [&](Operation *user) {
    if (user->hasTrait<OpTrait::IsTerminator>()) return isSame;
    if (!known.insert({user, int{isSame}}).second) return false;
    const bool jumpsWithin =
        user->walk([](Operation *op) { return jumps(op) ? WalkResult::interrupt() : WalkResult::advance(); })
            .wasInterrupted();
    const bool stays = isSame && (isChoice(user) || mlir::isa<stablehlo::ReduceOp>(user));
    return jumpsWithin || llvm::any_of(user->getResults(), [&](Value result) { return isSeen(result, stays, known); });
  });
}

bool jumps(Operation *op) {
  if (mlir::isa<stablehlo::CompareOp, stablehlo::FloorOp, stablehlo::CeilOp, stablehlo::RoundNearestEvenOp,
                stablehlo::RoundNearestAfzOp, stablehlo::RemOp, stablehlo::PowOp, stablehlo::IsFiniteOp>(op))
    return true;
  return mlir::isa<stablehlo::ConvertOp>(op) && !mlir::isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()));
}

bool wantsRounded(Operation *op) {
  if (jumps(op)) return true;
  auto widened = dyn_cast<stablehlo::ConvertOp>(op);
  llvm::SmallDenseSet<std::pair<Operation *, int>> known;
  return widened && getElementTypeOrSelf(widened.getOperand().getType()).isBF16() &&
         getElementTypeOrSelf(widened.getType()).isF32() && isSeen(widened.getResult(), true, known);
}

Value asRounded(Code &code, Value value, Value lanes) {
  Type element = getElementTypeOrSelf(value.getType());
  return element.isBF16() && !isRounded(value) ? normalise(code, element, lanes) : lanes;
}

}  // namespace tpuc::lowering
