// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contractions that end where the program's true size does: both operands have masks `iota < size` along k. The masks
// go.
#include "passes/plan/dot/dot_plan.h"

using namespace mlir;

namespace tpuc::plan {

// SMEM's word with the size behind which the operand is zero along the last dim of the contraction alone.
std::optional<int64_t> DotPlan::endOf(const Operand &o) {
  auto select = o.value.getDefiningOp<stablehlo::SelectOp>();
  if (!select || !(matchPattern(select.getOnFalse(), m_PosZeroFloat()) || matchPattern(select.getOnFalse(), m_Zero())))
    return std::nullopt;
  auto before = select.getPred().getDefiningOp<stablehlo::CompareOp>();
  if (!before || before.getComparisonDirection() != stablehlo::ComparisonDirection::LT) return std::nullopt;
  auto iota = before.getLhs().getDefiningOp<stablehlo::IotaOp>();
  auto broadcast = before.getRhs().getDefiningOp<stablehlo::BroadcastInDimOp>();
  auto size = broadcast ? dyn_cast<BlockArgument>(broadcast.getOperand()) : BlockArgument();
  if (!iota || !size || !getElementTypeOrSelf(size.getType()).isSignlessInteger(32) ||
      cast<RankedTensorType>(size.getType()).getRank() != 0 || o.map[iota.getIotaDimension()] != kLast_)
    return std::nullopt;
  const int64_t word = context_.sizeWords[size.getArgNumber()];
  return word < 0 ? std::nullopt : std::optional(word);
}

// Whole tiles but for the last, and no other dims of the contraction.
void DotPlan::findEnd() {
  const int64_t extent = domain_.dims[kLast_];
  if (roles_.k < 0 || extent == 0 || (extent > side_ && extent % side_) || product(kLead_) != 1) return;
  auto left = endOf(rows_), right = endOf(weights_);
  if (!left || left != right) return;
  end_ = *left;
  for (Operand *o : {&rows_, &weights_}) o->value = o->value.getDefiningOp<stablehlo::SelectOp>().getOnTrue();
}

}  // namespace tpuc::plan
