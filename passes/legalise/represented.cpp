// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1. What moves elements without looking at them moves the integers: the legaliser's own rules.
// 2. Everything else is built again on numbers, its operands decoded before and its results encoded after.
// 3. A reduction's body is rewritten to numbers too, where one rounding at the end is right.
#include "passes/legalise/represented.h"

using namespace mlir;

namespace tpuc::legalise {

SmallVector<Type> RepresentedLegaliser::partsOf(Type element) {
  Type held = storageOf(element);
  return held ? SmallVector<Type>{held} : SmallVector<Type>();
}

Value RepresentedLegaliser::number(OpBuilder &b, Value v, Operation *op) {
  if (!isWide(v)) return v;
  Lanes l(b, op->getLoc(), typeOf(v).getShape());
  return decode(l, planes(v)[0], typeOf(v), op);
}

Value RepresentedLegaliser::held(OpBuilder &b, Value number, Type type, Operation *op) {
  if (!isWide(type)) return number;
  auto array = cast<RankedTensorType>(type);
  Lanes l(b, op->getLoc(), array.getShape());
  return encode(l, number, array, op);
}

void RepresentedLegaliser::finish(Operation *op, ValueRange values) {
  for (auto [result, value] : llvm::zip(op->getResults(), values)) {
    if (isWide(result))
      setPlanes(result, {value});
    else
      result.replaceAllUsesWith(value);
  }
}

// Whether the op only moves elements, all of them held alike.
bool RepresentedLegaliser::keepsBits(Operation *op) {
  if (mlir::isa<stablehlo::ConstantOp, stablehlo::WhileOp, stablehlo::IfOp, stablehlo::CaseOp,
                stablehlo::OptimizationBarrierOp, stablehlo::SortOp, stablehlo::ReshapeOp, stablehlo::BroadcastInDimOp,
                stablehlo::SliceOp, stablehlo::TransposeOp, stablehlo::ReverseOp, stablehlo::DynamicSliceOp,
                stablehlo::GatherOp, kernel::ExchangeStartOp, kernel::ExchangeDoneOp>(op))
    return true;
  if (auto scatter = dyn_cast<stablehlo::ScatterOp>(op)) {
    auto &block = scatter->getRegion(0).front();
    if (llvm::hasSingleElement(block)) return true;
  }
  if (mlir::isa<stablehlo::ReduceOp, stablehlo::ReduceWindowOp, stablehlo::ScatterOp>(op))
    return !accumulatesInNumbers(op);
  if (!mlir::isa<stablehlo::ConcatenateOp, stablehlo::PadOp, stablehlo::DynamicUpdateSliceOp, stablehlo::SelectOp>(op))
    return false;
  Type element = typeOf(op->getResult(0)).getElementType();
  return llvm::all_of(op->getOperandTypes(),
                      [&](Type t) { return !isRepresented(t) || getElementTypeOrSelf(t) == element; });
}

// convert and its like for quantised types.
bool RepresentedLegaliser::convertElements(Operation *op) {
  OpBuilder b(op);
  Value v = op->getOperand(0);
  auto to = typeOf(op->getResult(0));
  Type through = isWide(to) ? numberOf(to.getElementType(), op) : to.getElementType();
  Lanes l(b, op->getLoc(), to.getShape());
  finish(op, held(b, l.convert(number(b, v, op), through), to, op));
  return true;
}

bool RepresentedLegaliser::bitcast(Operation *op) {
  OpBuilder b(op);
  Value v = planes(op->getOperand(0))[0];
  auto to = typeOf(op->getResult(0));
  auto type = isWide(to) ? to.clone(storageOf(to.getElementType())) : to;
  finish(op, v.getType() == type ? v : Value(stablehlo::BitcastConvertOp::create(b, op->getLoc(), type, v)));
  return true;
}

// The body of `op` on the types that `op` computes in.
void RepresentedLegaliser::toNumbers(Block &block, Operation *op) {
  auto retype = [&](Value v) {
    auto type = dyn_cast<RankedTensorType>(v.getType());
    if (type && isRepresented(type)) v.setType(type.clone(numberOf(type.getElementType(), op)));
  };
  for (BlockArgument arg : block.getArguments()) retype(arg);
  for (Operation &inner : llvm::make_early_inc_range(block)) {
    for (Region &region : inner.getRegions())
      for (Block &nested : region) toNumbers(nested, op);
    auto constant = dyn_cast<stablehlo::ConstantOp>(inner);
    if (!constant || !isRepresented(constant.getType())) {
      for (Value v : inner.getResults()) retype(v);
      continue;
    }
    auto type = typeOf(constant.getResult());
    OpBuilder b(&inner);
    auto value = cast<DenseElementsAttr>(constant.getValue());
    Lanes l(b, inner.getLoc(), type.getShape());
    SmallVector<Attribute> parts = partsOfScalar(*value.getValues<Attribute>().begin(), type.getElementType());
    constant.getResult().replaceAllUsesWith(decode(l, l.splat(parts[0], storageOf(type.getElementType())), type, op));
    inner.erase();
  }
}

bool RepresentedLegaliser::compute(Operation *op) {
  OpBuilder b(op);
  OperationState state(op->getLoc(), op->getName());
  for (Value v : op->getOperands()) state.operands.push_back(number(b, v, op));
  for (Type t : op->getResultTypes())
    state.types.push_back(
        isRepresented(t) ? Type(cast<RankedTensorType>(t).clone(numberOf(getElementTypeOrSelf(t), op))) : t);
  state.addAttributes(op->getAttrs());
  for (Region &region : op->getRegions()) {
    for (Block &block : region) toNumbers(block, op);
    state.addRegion()->takeBody(region);
  }
  Operation *made = b.create(state);
  SmallVector<Value> values;
  for (auto [result, value] : llvm::zip(op->getResults(), made->getResults()))
    values.push_back(held(b, value, result.getType(), op));
  finish(op, values);
  return true;
}

bool RepresentedLegaliser::dissolves(Operation *op) {
  bool here = llvm::any_of(op->getOperandTypes(), [&](Type t) { return isRepresented(t); }) ||
              llvm::any_of(op->getResultTypes(), [&](Type t) { return isRepresented(t); });
  if (!here || op->hasTrait<OpTrait::IsTerminator>()) return false;
  OpBuilder b(op);
  if (Planes own = ownRule(b, op); !own.empty()) {
    finish(op, own);
    return true;
  }
  if (keepsBits(op)) return false;
  if (mlir::isa<stablehlo::ConvertOp, stablehlo::UniformQuantizeOp, stablehlo::UniformDequantizeOp>(op))
    return convertElements(op);
  if (mlir::isa<stablehlo::BitcastConvertOp>(op)) return bitcast(op);
  // Calls compute in types of their own.
  if (mlir::isa<stablehlo::CustomCallOp>(op) ||
      !llvm::all_of(op->getResultTypes(), [](Type t) { return mlir::isa<RankedTensorType>(t); }))
    return false;
  return compute(op);
}

}  // namespace tpuc::legalise
