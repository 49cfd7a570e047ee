// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/shapes/size_arguments.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "passes/shapes/data_slices.h"

using namespace mlir;

namespace tpuc::shapes {

namespace hlo = tpuc::stablehlo;

namespace {

bool isOpen(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

bool isInteger(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && isa<IntegerType, IndexType>(type.getElementType());
}

}  // namespace

SmallVector<Value> shapeOperands(Operation *op) {
  using Values = SmallVector<Value>;
  return TypeSwitch<Operation *, Values>(op)
      .Case([](hlo::DynamicBroadcastInDimOp op) { return Values{op.getOutputDimensions()}; })
      .Case([](hlo::DynamicReshapeOp op) { return Values{op.getOutputShape()}; })
      .Case([](hlo::DynamicIotaOp op) { return Values{op.getOutputShape()}; })
      .Case([](hlo::DynamicPadOp op) {
        return Values{op.getEdgePaddingLow(), op.getEdgePaddingHigh(), op.getInteriorPadding()};
      })
      .Case([](hlo::DynamicGatherOp op) { return Values{op.getSliceSizes()}; })
      .Case([](hlo::DynamicConvOp op) { return Values{op.getDPadding()}; })
      .Case([](hlo::SetDimensionSizeOp op) { return Values{op.getSize()}; })
      .Case([](hlo::RngOp op) { return Values{op.getShape()}; })
      .Case([](hlo::RealDynamicSliceOp op) {
        Value sizes = sizesOfSlice(op);
        return sizes ? Values{sizes} : Values{op.getStartIndices(), op.getLimitIndices(), op.getStrides()};
      })
      .Case([](hlo::CustomCallOp op) { return Values(op.getInputs().drop_front(op.getInputs().empty() ? 0 : 1)); })
      .Default([](Operation *) { return Values(); });
}

SmallVector<unsigned> sizeArguments(func::FuncOp main) {
  llvm::SetVector<Value> values;
  main.walk([&](Operation *op) {
    if (!llvm::any_of(op->getResultTypes(), isOpen)) return;
    for (Value operand : shapeOperands(op))
      if (isInteger(operand)) values.insert(operand);
  });
  SmallVector<unsigned> arguments;
  for (size_t i = 0; i < values.size(); ++i) {
    Value value = values[i];
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      const bool scalar = cast<RankedTensorType>(value.getType()).getRank() == 0;
      if (argument.getOwner() == &main.getBody().front() && scalar) arguments.push_back(argument.getArgNumber());
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (op->getNumRegions() || op->getNumResults() != 1) continue;
    for (Value operand : op->getOperands())
      if (isInteger(operand)) values.insert(operand);
  }
  llvm::sort(arguments);
  return arguments;
}

}  // namespace tpuc::shapes
