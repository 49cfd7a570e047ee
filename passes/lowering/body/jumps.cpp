// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/lowering/body/jumps.h"

#include "dialects/kernel/kernel.h"
#include "dialects/stablehlo/stablehlo.h"
#include "passes/lowering/body/vector_ops.h"

using namespace mlir;

namespace tpuc::lowering {

constexpr int kMostOps = 8;  // behind one another that are looked through

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
    return mlir::isa<kernel::FusionOp>(parent) || areRounded(parent->getOperands());
  }
  Operation *op = v.getDefiningOp();
  if (mlir::isa<stablehlo::ConstantOp, stablehlo::ConvertOp, stablehlo::ReducePrecisionOp, stablehlo::BitcastConvertOp>(
          op))
    return true;
  if (mlir::isa<stablehlo::MaxOp, stablehlo::MinOp, stablehlo::SelectOp, stablehlo::ClampOp, stablehlo::NegOp,
                stablehlo::AbsOp, stablehlo::BroadcastInDimOp, stablehlo::ReshapeOp, stablehlo::TransposeOp,
                stablehlo::SliceOp, stablehlo::ReverseOp, stablehlo::PadOp, stablehlo::ConcatenateOp,
                stablehlo::DynamicSliceOp>(op))
    return areRounded(op->getOperands());
  return false;
}

bool jumps(Operation *op) {
  if (mlir::isa<stablehlo::CompareOp, stablehlo::FloorOp, stablehlo::CeilOp, stablehlo::RoundNearestEvenOp,
                stablehlo::RoundNearestAfzOp, stablehlo::RemOp, stablehlo::PowOp, stablehlo::IsFiniteOp>(op))
    return true;
  return mlir::isa<stablehlo::ConvertOp>(op) && !mlir::isa<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()));
}

Value asRounded(Code &code, Value value, Value lanes) {
  Type element = getElementTypeOrSelf(value.getType());
  return element.isBF16() && !isRounded(value) ? normalise(code, element, lanes) : lanes;
}

}  // namespace tpuc::lowering
