//===- ops_contraction.cpp - products that sum --------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-----------------------------------------------------------------------------===//
#include "passes/shard/partition/partitioner.h"
#include "passes/shard/rule_builder.h"

using namespace mlir;

namespace tpuc::shard {
namespace {

namespace hlo = tpuc::stablehlo;

// Each device sums over its part; padding there is 0 on both sides, as 0 times a NaN is none.
LogicalResult dot(Operation *op, Partitioner &p) {
  auto dot = cast<hlo::DotGeneralOp>(op);
  std::optional<Factors> factors = p.factorsOf(op);
  if (!factors) return p.replicate(op);
  factors->allow(FactorKind::Reduction);
  for (int factor = 0, end = factors->kinds.size(); factor < end; ++factor)
    if (factors->inResults(factor)) factors->allowed.set(factor);
  Choice choice = p.choose(op, *factors);
  SmallVector<Value> operands = p.operandsFor(op, *factors, choice);
  hlo::DotDimensionNumbersAttr numbers = dot.getDotDimensionNumbers();
  ArrayRef<int64_t> summed[] = {numbers.getLhsContractingDimensions(), numbers.getRhsContractingDimensions()};
  for (auto [i, operand] : llvm::enumerate(operands)) {
    Value zero = p.emit.zeros(RankedTensorType::get({}, typeOf(operand).getElementType()));
    operand = p.maskPadding(operand, choice.layouts[i], shapeOf(op->getOperand(i)), summed[i], zero);
  }
  Type type = localType(op->getResult(0).getType(), choice.layouts.back());
  p.setResults(op, p.clone(op, operands, TypeRange(type)), *factors, choice);
  return success();
}

}  // namespace

void addContraction(Handlers &handlers) { handlers["stablehlo.dot_general"] = dot; }

}  // namespace tpuc::shard
