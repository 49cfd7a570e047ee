// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/plan/lanes.h"

#include "mlir/IR/Operation.h"

using namespace mlir;

namespace tpuc::plan {

bool isLaneType(Type t) {
  if (t.isF32() || t.isBF16() || t.isF16()) return true;
  auto i = dyn_cast<IntegerType>(t);
  return i && i.getWidth() <= 32 && llvm::isPowerOf2_32(i.getWidth());
}

bool isOfLanes(Block &block) {
  auto isScalar = [](Value v) {
    auto type = dyn_cast<RankedTensorType>(v.getType());
    return type && type.hasStaticShape() && type.getNumElements() == 1 && isLaneType(type.getElementType());
  };
  auto isMadeHere = [&](Value v) { return v.getParentBlock() == &block; };
  if (!llvm::all_of(block.getArguments(), isScalar)) return false;
  for (Operation &op : block.without_terminator())
    if (!llvm::all_of(op.getResults(), isScalar) || !llvm::all_of(op.getOperands(), isScalar) ||
        !llvm::all_of(op.getOperands(), isMadeHere))
      return false;
  return llvm::all_of(block.getTerminator()->getOperands(), isMadeHere);
}

}  // namespace tpuc::plan
