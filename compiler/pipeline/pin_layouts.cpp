// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/pipeline/pin_layouts.h"

#include "dialects/stablehlo/stablehlo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tpuc {
namespace {

// Arrays of less than two dims have one order only.
bool hasOrders(Value v) {
  auto type = dyn_cast<RankedTensorType>(v.getType());
  return type && type.getRank() >= 2;
}

Value barrier(OpBuilder &b, Location loc, Value v) {
  return stablehlo::OptimizationBarrierOp::create(b, loc, TypeRange{v.getType()}, ValueRange{v})->getResult(0);
}

}  // namespace

void pinLayouts(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || main.empty()) return;
  OpBuilder b(module.getContext());
  Operation *end = main.front().getTerminator();
  for (OpOperand &operand : end->getOpOperands()) {
    Value v = operand.get();
    if (!hasOrders(v) || isa<BlockArgument>(v)) continue;
    b.setInsertionPoint(end);
    operand.set(barrier(b, v.getLoc(), v));
  }
  b.setInsertionPointToStart(&main.front());
  for (BlockArgument argument : main.getArguments()) {
    if (!hasOrders(argument)) continue;
    Value kept = barrier(b, argument.getLoc(), argument);
    argument.replaceUsesWithIf(kept, [&](OpOperand &use) { return use.getOwner() != kept.getDefiningOp() && use.getOwner() != end; });
  }
}

}  // namespace tpuc
