// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/fusion/common_dims.h"

#include "passes/fusion/group.h"

using namespace mlir;

namespace tpuc::fusion {
namespace {

RankedTensorType typeOf(Value v) { return cast<RankedTensorType>(v.getType()); }

// Dims of more than one element.
SmallVector<int64_t> longDims(RankedTensorType type) {
  SmallVector<int64_t> out;
  llvm::copy_if(type.getShape(), std::back_inserter(out), [](int64_t n) { return n != 1; });
  return out;
}

// Calls `pair` for each dim of a product's operand and of its result that are the same.
void eachDimOfDot(stablehlo::DotGeneralOp dot, bool right, function_ref<void(int64_t operand, int64_t result)> pair) {
  auto numbers = dot.getDotDimensionNumbers();
  auto batches = [&](bool r) { return r ? numbers.getRhsBatchingDimensions() : numbers.getLhsBatchingDimensions(); };
  auto contracted = [&](bool r) {
    return r ? numbers.getRhsContractingDimensions() : numbers.getLhsContractingDimensions();
  };
  auto next =
      static_cast<int64_t>(right ? typeOf(dot.getLhs()).getRank() - contracted(false).size() : batches(right).size());
  for (int64_t d = 0; d < typeOf(right ? dot.getRhs() : dot.getLhs()).getRank(); ++d)
    if (const auto *it = llvm::find(batches(right), d); it != batches(right).end())
      pair(d, it - batches(right).begin());
    else if (!llvm::is_contained(contracted(right), d))
      pair(d, next++);
}

// Likewise of a reshape that only has other dims of one element.
void eachDimOfReshape(stablehlo::ReshapeOp reshape, function_ref<void(int64_t operand, int64_t result)> pair) {
  ArrayRef<int64_t> from = typeOf(reshape.getOperand()).getShape(), to = typeOf(reshape.getResult()).getShape();
  int64_t next = 0;
  for (auto [d, n] : llvm::enumerate(from)) {
    if (n == 1) continue;
    while (to[next] == 1) ++next;
    pair(static_cast<int64_t>(d), next++);
  }
}

// Likewise of any op that isOfBlocks.
void eachDim(Operation *op, unsigned i, function_ref<void(int64_t operand, int64_t result)> pair) {
  RankedTensorType operand = typeOf(op->getOperand(i)), result = typeOf(op->getResult(0));
  if (operand.getRank() == 0) return;
  if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op)) return eachDimOfDot(dot, i == 1, pair);
  if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(op)) return eachDimOfReshape(reshape, pair);
  if (auto spread = dyn_cast<stablehlo::BroadcastInDimOp>(op)) {
    for (auto [d, to] : llvm::enumerate(spread.getBroadcastDimensions()))
      if (operand.getDimSize(d) == result.getDimSize(to)) pair(static_cast<int64_t>(d), to);
    return;
  }
  if (auto transpose = dyn_cast<stablehlo::TransposeOp>(op)) {
    for (auto [to, from] : llvm::enumerate(transpose.getPermutation())) pair(from, static_cast<int64_t>(to));
    return;
  }
  auto reduce = dyn_cast<stablehlo::ReduceOp>(op);
  int64_t next = 0;
  for (int64_t d = 0; d < operand.getRank(); ++d)
    if (!reduce || !llvm::is_contained(reduce.getDimensions(), d)) pair(d, next++);
}

}  // namespace

bool isPlain(Value v) {
  auto type = dyn_cast<RankedTensorType>(v.getType());
  return type && type.hasStaticShape() && !type.getEncoding() && type.getElementType().isIntOrFloat();
}

bool isOfBlocks(Operation *op) {
  if (!op || op->getNumResults() != 1) return false;
  Value v = op->getResult(0);
  if (!isPlain(v) || typeOf(v).getRank() == 0 || !llvm::all_of(op->getOperands(), isPlain)) return false;
  if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op))
    return isLoopOp(op) && reduce.getInputs().size() == 1 && llvm::none_of(reduce.getDimensions(), [&](int64_t d) {
             return typeOf(reduce.getInputs()[0]).getDimSize(d) == 1;
           });
  if (mlir::isa<stablehlo::IotaOp>(op))
    return typeOf(v).getElementType().isF32() || typeOf(v).getElementType().isInteger(32);
  if (auto constant = dyn_cast<stablehlo::ConstantOp>(op)) return mlir::isa<SplatElementsAttr>(constant.getValue());
  if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(op))
    return longDims(typeOf(reshape.getOperand())) == longDims(typeOf(v));
  if (mlir::isa<stablehlo::BroadcastInDimOp, stablehlo::TransposeOp, stablehlo::DotGeneralOp>(op)) return true;
  return op->hasTrait<stablehlo::IsElementwise>() && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return typeOf(operand).getRank() == 0 || typeOf(operand).getShape() == typeOf(v).getShape();
         });
}

CommonDims operandDims(Operation *op, unsigned i, const CommonDims &result) {
  CommonDims out(typeOf(op->getOperand(i)).getRank(), kOwn);
  eachDim(op, i, [&](int64_t from, int64_t to) { out[from] = result[to]; });
  return out;
}

CommonDims resultDims(Operation *op, unsigned i, const CommonDims &operand) {
  CommonDims out(typeOf(op->getResult(0)).getRank(), kOwn);
  eachDim(op, i, [&](int64_t from, int64_t to) { out[to] = operand[from]; });
  return out;
}

}  // namespace tpuc::fusion
