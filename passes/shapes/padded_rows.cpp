// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. x is -inf in its padding along dimension d, and m its maximum along d.
// 2. x - m is -inf there. Where m is -inf or NaN it is NaN, and so are the row's true elements.
// 3. e = exp(x - m) is 0 there, or the row is NaN.
// 4. So is e / s, s being the sum of e along d: that is 1 at least, or NaN.
#include "passes/shapes/padded_rows.h"

#include "passes/simplify/patterns.h"

using namespace mlir;

namespace tpuc::shapes {

namespace hlo = tpuc::stablehlo;

namespace {

std::optional<int64_t> dimOf(const llvm::DenseMap<Value, int64_t> &dims, Value value) {
  auto found = dims.find(value);
  return found == dims.end() ? std::nullopt : std::optional(found->second);
}

template <typename Op>
bool combinesBy(Block &body) {
  Operation *end = body.getTerminator()->getOperand(0).getDefiningOp();
  return body.getNumArguments() == 2 && isa_and_nonnull<Op>(end) && end->getBlock() == &body &&
         llvm::all_of(body.getArguments(),
                      [&](Value argument) { return llvm::is_contained(end->getOperands(), argument); });
}

bool isLowest(Value value) {
  while (auto broadcast = value.getDefiningOp<hlo::BroadcastInDimOp>()) value = broadcast.getOperand();
  auto number = simplify::splatScalar(value);
  return number && std::holds_alternative<APFloat>(*number) &&
         simplify::isLeast(*number, cast<RankedTensorType>(value.getType()).getElementType());
}

// The operand of a maximum with -inf, which is what it gives; null for others.
Value besideLowest(Operation *op) {
  auto max = dyn_cast<hlo::MaxOp>(op);
  if (!max) return nullptr;
  if (isLowest(max.getLhs())) return max.getRhs();
  return isLowest(max.getRhs()) ? max.getLhs() : Value();
}

// The reduction along `dim` alone of which `value` has each result in its row; null where it has not.
template <typename Op>
hlo::ReduceOp reductionIn(Value value, int64_t dim) {
  auto shape = cast<RankedTensorType>(value.getType()).getShape();
  SmallVector<int64_t> rows;
  for (int64_t i = 0; i < static_cast<int64_t>(shape.size()); ++i)
    if (i != dim) rows.push_back(i);
  // Where the dimensions of what was broadcast last went.
  std::optional<SmallVector<int64_t>> places;
  while (Operation *op = value.getDefiningOp()) {
    if (Value beside = besideLowest(op)) {
      value = beside;
      continue;
    }
    if (auto broadcast = dyn_cast<hlo::BroadcastInDimOp>(op)) {
      SmallVector<int64_t> from(broadcast.getBroadcastDimensions());
      if (places)
        for (int64_t &place : from) place = (*places)[place];
      places = from;
    } else if (!isa<hlo::ConvertOp>(op)) {
      break;
    }
    value = op->getOperand(0);
  }
  auto reduce = value.getDefiningOp<hlo::ReduceOp>();
  if (!reduce || !places || reduce.getInputs().size() != 1 || ArrayRef(*places) != ArrayRef(rows)) return nullptr;
  const bool alone = reduce.getDimensions().size() == 1 && reduce.getDimensions()[0] == dim;
  auto input = cast<RankedTensorType>(reduce.getInputs()[0].getType()).getShape();
  return alone && input == shape && combinesBy<Op>(reduce.getBody().front()) ? reduce : nullptr;
}

// Whether the type has a zero, and a NaN for rows that have one.
bool isFloat(Value value) {
  auto type = dyn_cast<FloatType>(cast<RankedTensorType>(value.getType()).getElementType());
  return type && APFloat::semanticsHasZero(type.getFloatSemantics()) &&
         APFloat::semanticsHasNaN(type.getFloatSemantics());
}

Value withoutConverts(Value value) {
  while (auto convert = value.getDefiningOp<hlo::ConvertOp>()) {
    if (!isFloat(convert.getOperand())) break;
    value = convert.getOperand();
  }
  return value;
}

}  // namespace

void PaddedRows::visit(Operation *op) {
  if (auto subtract = dyn_cast<hlo::SubtractOp>(op)) {
    auto dim = dimOf(low_, subtract.getLhs());
    auto most = dim ? reductionIn<hlo::MaxOp>(subtract.getRhs(), *dim) : nullptr;
    if (most && most.getInputs()[0] == subtract.getLhs()) belowMost_[op->getResult(0)] = *dim;
  } else if (isa<hlo::ExpOp>(op)) {
    if (auto dim = dimOf(belowMost_, op->getOperand(0))) zero_[op->getResult(0)] = *dim;
  } else if (isa<hlo::ConvertOp>(op)) {
    auto dim = dimOf(zero_, op->getOperand(0));
    if (dim && isFloat(op->getResult(0))) zero_[op->getResult(0)] = *dim;
  } else if (auto divide = dyn_cast<hlo::DivOp>(op)) {
    auto dim = dimOf(zero_, divide.getLhs());
    auto sum = dim ? reductionIn<hlo::AddOp>(divide.getRhs(), *dim) : nullptr;
    if (sum && withoutConverts(sum.getInputs()[0]) == withoutConverts(divide.getLhs())) zero_[op->getResult(0)] = *dim;
  }
}

bool PaddedRows::isZero(Value value, int64_t dim) const { return dimOf(zero_, value) == dim; }

void PaddedRows::forget(Value value) {
  for (Dims *dims : {&low_, &belowMost_, &zero_}) dims->erase(value);
}

}  // namespace tpuc::shapes
