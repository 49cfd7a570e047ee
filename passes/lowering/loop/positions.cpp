// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/lowering/loop/positions.h"

using namespace mlir;

namespace tpuc::lowering {

// Whether the mask only chooses, with others, between `a` and `b`.
static bool choosesBetween(Value mask, Value a, Value b) {
  return llvm::all_of(mask.getUsers(), [&](Operation *user) {
    if (mlir::isa<stablehlo::AndOp, stablehlo::OrOp>(user)) return choosesBetween(user->getResult(0), a, b);
    auto select = dyn_cast<stablehlo::SelectOp>(user);
    if (!select || select.getOnTrue() == mask || select.getOnFalse() == mask) return false;
    return (select.getOnTrue() == a && select.getOnFalse() == b) ||
           (select.getOnTrue() == b && select.getOnFalse() == a);
  });
}

// Positions along `dim`, and an initial one that is none of an element's but the first's.
static bool arePositions(Value input, Value initial, int64_t dim) {
  auto iota = input.getDefiningOp<stablehlo::IotaOp>();
  APInt first;
  return iota && static_cast<int64_t>(iota.getIotaDimension()) == dim &&
         iota.getType().getElementType().isSignlessInteger(32) && matchPattern(initial, m_ConstantInt(&first)) &&
         !first.isStrictlyPositive();
}

KnownMasks positionsMet(stablehlo::ReduceOp reduce) {
  using D = stablehlo::ComparisonDirection;
  KnownMasks known;
  if (reduce.getDimensions().size() != 1) return known;
  Block &region = reduce.getBody().front();
  const unsigned n = reduce.getInputs().size();
  for (auto compare : region.getOps<stablehlo::CompareOp>()) {
    auto left = dyn_cast<BlockArgument>(compare.getLhs()), right = dyn_cast<BlockArgument>(compare.getRhs());
    if (!left || !right || left.getOwner() != &region || right.getOwner() != &region) continue;
    const unsigned k = std::min(left.getArgNumber(), right.getArgNumber());
    if (left.getArgNumber() + right.getArgNumber() != 2 * k + n || k >= n) continue;
    if (!arePositions(reduce.getInputs()[k], reduce.getInitValues()[k], reduce.getDimensions()[0])) continue;
    const D direction = compare.getComparisonDirection();
    if (direction == D::EQ || direction == D::NE || !choosesBetween(compare.getResult(), left, right)) continue;
    const bool asksBefore = direction == D::LT || direction == D::LE;
    known[compare.getResult()] = asksBefore == (left.getArgNumber() == k);
  }
  return known;
}

}  // namespace tpuc::lowering
