#include "passes/expand/inline_region.h"

#include "mlir/IR/IRMapping.h"
#include "passes/expand/build.h"

using namespace mlir;

namespace tpuc::expand {

static bool movesNothing(Operation *op) { return mlir::isa<stablehlo::BroadcastInDimOp, stablehlo::ReshapeOp, stablehlo::TransposeOp>(op); }

bool isElementwiseRegion(Block &block) {
  auto isScalar = [](Value v) {
    auto type = dyn_cast<RankedTensorType>(v.getType());
    return type && type.hasStaticShape() && type.getNumElements() == 1;
  };
  for (Operation &op : block.without_terminator())
    if (op.getNumRegions() || !isMemoryEffectFree(&op) || !llvm::all_of(op.getResults(), isScalar) || !llvm::all_of(op.getOperands(), isScalar) ||
        mlir::isa<stablehlo::CustomCallOp, stablehlo::DotGeneralOp, stablehlo::GatherOp, stablehlo::DynamicSliceOp>(op))
      return false;
  return llvm::all_of(block.getArguments(), isScalar);
}

SmallVector<Value> inlineElementwise(OpBuilder &b, Block &block, ValueRange arguments) {
  IRMapping map;
  SmallVector<int64_t> shape(typeOf(arguments[0]).getShape());
  for (auto [arg, v] : llvm::zip(block.getArguments(), arguments)) map.map(arg, v);
  // Constants, and values from outside, are spread over the shape.
  auto operand = [&](Value v) {
    if (map.contains(v)) return map.lookup(v);
    Value scalar = v;
    if (typeOf(v).getRank()) scalar = stablehlo::ReshapeOp::create(b, v.getLoc(), typeOf(v).clone(ArrayRef<int64_t>{}), v);
    Value spread = shape.empty() ? scalar : Value(stablehlo::BroadcastInDimOp::create(b, v.getLoc(), typeOf(v).clone(shape), scalar, ArrayRef<int64_t>{}));
    map.map(v, spread);
    return spread;
  };
  for (Operation &op : block.without_terminator()) {
    if (auto constant = dyn_cast<stablehlo::ConstantOp>(op)) {
      auto type = typeOf(constant.getResult()).clone(shape);
      Attribute scalar = *cast<DenseElementsAttr>(constant.getValue()).getValues<Attribute>().begin();
      map.map(constant.getResult(), stablehlo::ConstantOp::create(b, op.getLoc(), type, cast<ElementsAttr>(Attribute(DenseElementsAttr::get(type, scalar)))));
      continue;
    }
    if (movesNothing(&op)) {
      map.map(op.getResult(0), operand(op.getOperand(0)));
      continue;
    }
    OperationState state(op.getLoc(), op.getName());
    for (Value v : op.getOperands()) state.addOperands(operand(v));
    for (Value v : op.getResults()) state.addTypes(typeOf(v).clone(shape));
    state.addAttributes(op.getAttrs());
    Operation *made = b.create(state);
    map.map(op.getResults(), made->getResults());
  }
  return llvm::map_to_vector(block.getTerminator()->getOperands(), operand);
}

}  // namespace tpuc::expand
