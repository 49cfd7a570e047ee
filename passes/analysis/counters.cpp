// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/analysis/counters.h"

#include "dialects/kernel/counts.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tpuc::analysis {
namespace {

bool holds(stablehlo::ComparisonDirection direction, int64_t a, int64_t b) {
  switch (direction) {
    case stablehlo::ComparisonDirection::EQ:
      return a == b;
    case stablehlo::ComparisonDirection::NE:
      return a != b;
    case stablehlo::ComparisonDirection::GE:
      return a >= b;
    case stablehlo::ComparisonDirection::GT:
      return a > b;
    case stablehlo::ComparisonDirection::LE:
      return a <= b;
    case stablehlo::ComparisonDirection::LT:
      return a < b;
  }
  return false;
}

std::optional<int64_t> apply(Operation *op, ArrayRef<int64_t> in) {
  if (mlir::isa<stablehlo::ReshapeOp>(op)) return in[0];
  if (mlir::isa<stablehlo::SelectOp>(op)) return in[0] ? in[1] : in[2];
  bool predicate = getElementTypeOrSelf(op->getResult(0)).isInteger(1);
  if (auto compare = dyn_cast<stablehlo::CompareOp>(op)) return holds(compare.getComparisonDirection(), in[0], in[1]);
  if (predicate) return std::nullopt;
  if (mlir::isa<stablehlo::AddOp>(op)) return in[0] + in[1];
  if (mlir::isa<stablehlo::SubtractOp>(op)) return in[0] - in[1];
  if (mlir::isa<stablehlo::MulOp>(op)) return in[0] * in[1];
  if (mlir::isa<stablehlo::DivOp>(op) && in[1] != 0) return in[0] / in[1];
  if (mlir::isa<stablehlo::RemOp>(op) && in[1] != 0) return in[0] % in[1];
  if (mlir::isa<stablehlo::MaxOp>(op)) return std::max(in[0], in[1]);
  if (mlir::isa<stablehlo::MinOp>(op)) return std::min(in[0], in[1]);
  return std::nullopt;
}

}  // namespace

Counters::Counters(stablehlo::WhileOp loop) : loop_(loop) {
  for (auto [i, init] : llvm::enumerate(loop->getOperands()))
    if (auto value = evaluate(init)) now_[i] = *value;
}

std::optional<int64_t> Counters::goesOn() {
  bind(loop_.getCond());
  return evaluate(loop_.getCond().front().getTerminator()->getOperand(0));
}

std::optional<int64_t> Counters::valueOf(Value v) {
  bind(loop_.getBody());
  return evaluate(v);
}

void Counters::step() {
  bind(loop_.getBody());
  std::map<unsigned, int64_t> next;
  for (auto [i, value] : now_)
    if (auto v = evaluate(loop_.getBody().front().getTerminator()->getOperand(i))) next[i] = *v;
  now_ = next;
}

void Counters::bind(Region &region) {
  known_.clear();
  for (auto [i, value] : now_) known_[region.getArgument(i)] = value;
}

std::optional<int64_t> Counters::evaluate(Value v) {
  auto type = dyn_cast<RankedTensorType>(v.getType());
  auto element = type ? dyn_cast<IntegerType>(type.getElementType()) : IntegerType();
  if (!element || type.getNumElements() != 1 || element.getWidth() > 32 || element.isUnsigned()) return std::nullopt;
  if (auto it = known_.find(v); it != known_.end()) return it->second;
  DenseElementsAttr constant;
  if (matchPattern(v, m_Constant(&constant))) {
    APInt bits = constant.getSplatValue<APInt>();
    return element.getWidth() == 1 ? bits.getZExtValue() : bits.getSExtValue();
  }
  Operation *op = v.getDefiningOp();
  if (!op || op->getNumOperands() == 0) return std::nullopt;
  SmallVector<int64_t> in;
  for (Value operand : op->getOperands()) {
    auto value = evaluate(operand);
    if (!value) return std::nullopt;
    in.push_back(*value);
  }
  auto value = apply(op, in);
  if (value && element.getWidth() > 1) *value = llvm::SignExtend64(*value, element.getWidth());
  return value;
}

double timesOf(Operation *op, Block *in, int64_t unknown) {
  double times = 1;
  for (; op->getBlock() != in; op = op->getParentOp())
    if (mlir::isa<stablehlo::WhileOp>(op->getParentOp()))
      times *= static_cast<double>(std::max<int64_t>(kernel::tripCountOf(op->getParentOp()).value_or(unknown), 1));
  return times;
}

}  // namespace tpuc::analysis
